"""Finished runs read back, and what makes several of them comparable."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relgraph.errors import DataError
from relgraph.evaluation.plan import relationships_digest
from relgraph.evaluation.store import SCORES, Store
from relgraph.records import Case, Prediction, View
from relgraph.registry import load

if TYPE_CHECKING:
    from relgraph.evaluation.runner import Data

Said = Mapping[str, Prediction]
"""Instance -> what was said of it."""
SEED_FOLDERS = "seed-*"
OF_THE_RUN_ALONE = ("data", "approaches", "floors", "floors_left_out", "tasks", "folds")
"""What two runs may differ in without being told: it is shown elsewhere, or follows from it."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A run as its folder has it.

    Attributes:
        folder: where it is.
        what: all that decides on its answers.
        facts: approach -> what it said of itself: model, hash of its prompts.
        versions: package -> version.
        answers: approach -> what it said, a mapping for each training seed.
        open: what it lacks to be finished, "" when it lacks nothing.
    """

    folder: Path
    what: Mapping[str, Any]
    facts: Mapping[str, Mapping[str, str]]
    versions: Mapping[str, str]
    answers: Mapping[str, tuple[Said, ...]]
    open: str = ""

    @property
    def protocol(self) -> str:
        """Its protocol."""
        return str(self.what["protocol"])


def read_run(folder: Path) -> Recorded:
    """Returns the run in a folder, with its further training seeds.

    Raises:
        DataError: it is no run folder, or cannot be read.
    """
    run, store = Store.look(folder)
    what = run.get("what")
    if not isinstance(what, dict) or not {"protocol", "data", "tasks", "settings"} <= set(what):
        raise DataError(f"{folder}: its run.json says nothing of a run. Run `relgraph eval` anew.")
    seeds = [store, *(Store.look(home)[1] for home in _further(folder))]
    lacking = [s.folder for s in seeds if not (s.folder / SCORES).is_file()]
    answers: dict[str, list[dict[str, Prediction]]] = {}
    for found in seeds:
        of: dict[str, dict[str, Prediction]] = {}
        for (name, instance), answer in found.answers.items():
            of.setdefault(name, {})[instance] = answer.prediction
        for name, said in of.items():
            answers.setdefault(name, []).append(said)
    return Recorded(
        folder,
        what,
        run["approaches"],
        run.get("versions") or {},
        {name: tuple(of) for name, of in answers.items()},
        _lack(lacking[0], seeds[0]) if lacking else "",
    )


def _further(folder: Path) -> list[Path]:
    homes = (path for path in folder.glob(SEED_FOLDERS) if (path / "run.json").is_file())
    return sorted(homes, key=lambda path: (len(path.name), path.name))


def _lack(folder: Path, store: Store) -> str:
    counts: dict[str, int] = {}
    for name, _ in store.answers:
        counts[name] = counts.get(name, 0) + 1
    done = ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
    return f"{folder} has no {SCORES} yet; answers so far: {done}"


def refuse_unlike(runs: Sequence[Recorded], data: Data, *, unfinished_too: bool) -> None:
    """Refuses runs that cannot be compared with each other, or not with this data.

    Raises:
        DataError: another protocol or other data, or a run is not finished.
    """
    for run in runs:
        if run.open and not unfinished_too:
            raise DataError(
                f"{run.folder}: the run is not finished ({run.open}). Give its command again: it "
                "goes on where it stopped. --unfinished compares what is answered so far."
            )
    protocols = {run.protocol: run.folder for run in runs}
    if len(protocols) > 1:
        places = "\n".join(f"  {name}: {folder}" for name, folder in protocols.items())
        raise DataError(
            f"runs of different protocols show different instances:\n{places}\n"
            "hint: compare runs of one protocol."
        )
    wanted = {
        "digest": data.digest,
        "relationships_sha256": relationships_digest(data.conversations),
    }
    for run in runs:
        _refuse_other_data(run, data.source, wanted)


def _refuse_other_data(run: Recorded, source: str, wanted: Mapping[str, str]) -> None:
    own = run.what["data"]
    if own.get("digest") != wanted["digest"]:
        raise DataError(
            f"{run.folder}: ran on {own.get('source')} with digest {own.get('digest')}; "
            f"{source} has {wanted['digest']}. Give with --data the file that the runs have "
            "read; runs on different data cannot be paired."
        )
    if own.get("relationships_sha256") != wanted["relationships_sha256"]:
        raise DataError(
            f"{run.folder}: took its conversations as those of other relationships than {source} "
            "gives here. Give --relationships as for the run."
        )


def cases_of(runs: Sequence[Recorded], data: Data) -> dict[str, dict[str, Case]]:
    """Returns task -> instance -> case of all that the runs asked, in the data's order.

    Raises:
        DataError: a run has an answer to something that the data does not hold.
    """
    tasks = dict.fromkeys(task for run in runs for task in run.what["tasks"])
    view = View(
        mode=runs[0].what["settings"]["view"]["mode"],
        addressee=runs[0].what["settings"]["view"]["addressee"],
        protocol=runs[0].what["protocol"],
    )
    found = {}
    asked = [{i for of in run.answers.values() for said in of for i in said} for run in runs]
    for name in tasks:
        task = load("task", name)
        every = (case for c in data.conversations for case in task.cases(c, view))
        found[name] = {
            case.instance.id: case for case in every if any(case.instance.id in of for of in asked)
        }
    known = {i for of in found.values() for i in of}
    for run, of in zip(runs, asked, strict=True):
        if strange := of - known:
            raise DataError(
                f"{run.folder}: has answers to {len(strange)} instances that {data.source} does "
                "not hold, so other code made them. Run it anew with this version."
            )
    return found


def differences(runs: Sequence[Recorded]) -> list[dict[str, Any]]:
    """Returns what the runs differ in, as `name` and `values`, one a run in their order."""
    shared = set.intersection(*(set(run.facts) for run in runs))
    flat = [dict(_flat(run, shared)) for run in runs]
    found = []
    for name in dict.fromkeys(name for of in flat for name in of):
        values = [of.get(name) for of in flat]
        if any(value != values[0] for value in values):
            found.append({"name": name, "values": values})
    return found


def _flat(run: Recorded, approaches: Collection[str]) -> Iterator[tuple[str, Any]]:
    kept = {name: of for name, of in run.what.items() if name not in OF_THE_RUN_ALONE}
    settings = kept.pop("settings")
    yield from _leaves({**settings, **kept})
    for name, of in run.facts.items():
        if name in approaches:
            yield from ((f"{name}: {key}", value) for key, value in of.items() if key != "notice")
    yield from run.versions.items()


def _leaves(of: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in of.items():
        where = f"{path}{name.removesuffix('_sha256')}"
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{where}.")
        else:
            yield where, value if isinstance(value, str | int | float) else json.dumps(value)
