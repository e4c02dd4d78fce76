"""Small annotated couples, and plugins that are installed for one test as a stranger's would be."""

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from relgraph.records import (
    Annotation,
    Conversation,
    Emotion,
    Relation,
    Strategy,
    Turn,
    Viewpoint,
)

PATTERN = ("pursue_withdraw", "attack_attack", "repair_softening")
STRATEGY = ("reframe", "evoke", "track")
WORDS = ("you never listen to me at all", "I did try last week you know", "and what did you hear")


def couple(number: int, *, part: int = 1, rounds: int = 3) -> Conversation:
    """One conversation of couple `number`: A, B, therapist, and again; all layers annotated."""
    people = (f"Ana{number}", f"Ben{number}")
    turns, gold = [], []
    for r in range(rounds):
        for place, speaker in enumerate((*people, "Therapist")):
            index = len(turns) + 1
            other = people[1 - place] if place < 2 else people[(r + number) % 2]
            text = f"{WORDS[place]} {number} {part} {r}"
            turns.append(Turn(index, speaker, text, (other,), "given"))
            gold.append(_gold(speaker, other, number + r, client=place < 2))
    return Conversation(
        id=f"couple{number}/{part}",
        turns=tuple(turns),
        gold=tuple(gold),
        scenario="couple",
        participants=people,
        relationship=f"couple{number}",
    )


def _gold(speaker: str, other: str, k: int, *, client: bool) -> Annotation:
    if client:
        return Annotation(
            emotions=(Emotion(speaker, "sad and tired", float(4 + k % 4)),),
            viewpoints=(Viewpoint(speaker, other, f"{other} does not care"),),
        )
    return Annotation(
        strategies=(Strategy(speaker, (other,), STRATEGY[k % 3]),),
        relations=(Relation("relation_cycle_state", PATTERN[k % 3]),),
    )


@pytest.fixture
def couples() -> tuple[Conversation, ...]:
    """Six couples, the first two with two conversations."""
    return tuple(couple(n, part=p) for n in range(6) for p in ((1, 2) if n < 2 else (1,)))


@pytest.fixture
def couples_file(tmp_path: Path, couples: tuple[Conversation, ...]) -> Path:
    """The six couples as a file in relgraph's own format."""
    from relgraph.corpora import write

    path = tmp_path / "couples.jsonl"
    write(path, couples, format="jsonl")
    return path


Plugin = Callable[[str, str], Path]

FRAME = """
from relgraph.records import Cost, Emotion, Prediction, Viewpoint

class {cls}:
    name = "{name}"
    tasks = frozenset({{"rpp", "stp", "ssp"}})
    needs = ()
    learns = False
    trained_on = frozenset()

    def __init__(self, settings):
        self.settings = settings

    def fit(self, train, *, seed):
        return self

    def predict(self, instances, findings):
        for i in instances:
            yield Prediction(i.id, tuple(i.options))

{body}
APPROACH = {cls}
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plugin:
    """Installs an approach as a package of its own, by entry point; gives its folder.

    The body is the text of methods that replace those of an approach which keeps the options'
    order on RPP, STP and SSP.
    """
    home = tmp_path / "site"

    def install(name: str, body: str = "") -> Path:
        module = f"plugin_{name.replace('-', '_')}_{abs(hash(tmp_path))}"
        info = home / f"{module}-1.0.dist-info"
        info.mkdir(parents=True)
        inside = textwrap.indent(textwrap.dedent(body), "    ")
        (home / f"{module}.py").write_text(FRAME.format(cls="Mine", name=name, body=inside))
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[relgraph.approach]\n{name} = {module}:APPROACH\n")
        monkeypatch.syspath_prepend(str(home))
        return home

    return install


def without_costs(path: Path) -> list[object] | dict[str, object]:
    """The content of a run's file without times and costs."""

    def strip(value: object) -> object:
        if isinstance(value, dict):
            return {k: strip(v) for k, v in value.items() if k != "cost"}
        return [strip(v) for v in value] if isinstance(value, list) else value

    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [strip(json.loads(line)) for line in text.splitlines()]
    return strip(json.loads(text))


@pytest.fixture
def plain() -> Callable[[Path], object]:
    """Reads a run's file without times and costs."""
    return without_costs
