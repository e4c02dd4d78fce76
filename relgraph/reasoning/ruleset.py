"""Rule files, read and checked together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from relgraph.errors import DataError, RelgraphError, unknown_name
from relgraph.files import open_text
from relgraph.reasoning.check import check_packs
from relgraph.reasoning.language import Pack, Problem, Rule
from relgraph.reasoning.parse import parse_pack
from relgraph.reasoning.strata import uses
from relgraph.reasoning.tokens import MOST_CHARACTERS
from relgraph.reasoning.vocabulary import EVENTS

if TYPE_CHECKING:
    from relgraph.reasoning.plan import Program

SHOWN_PROBLEMS = 20


@dataclass(frozen=True)
class RuleSet:
    """Packs that hold together: every name is known, every rule can be evaluated.

    Attributes:
        packs: in the order asked for, then those whose conclusions they use.
    """

    packs: tuple[Pack, ...]
    _program: list[Program] = field(default_factory=list, repr=False, compare=False)
    _parts: dict[str, RuleSet] = field(default_factory=dict, repr=False, compare=False)

    @staticmethod
    def read(*sources: str | Path) -> RuleSet:
        """Returns the rule set of shipped packs (by name) and files (by path); of all if none.

        A shipped pack whose conclusions are used is read along. What is asked for twice is read
        once.

        Raises:
            DataError: a file cannot be read, or has an error; the message lists them with file,
                line and column.
            UnknownNameError: there is neither a shipped pack nor a file of that name.
        """
        if not sources:
            return _all_shipped()
        packs = [_load(source) for source in sources]
        return _checked(list({Path(pack.source).resolve(): pack for pack in packs}.values()))

    @staticmethod
    def shipped(*beside: str | Path) -> RuleSet:
        """Returns all shipped packs, and beside them the files of a user.

        Raises:
            DataError: a file cannot be read, or has an error.
        """
        return RuleSet.read(*shipped(), *map(Path, beside)) if beside else _all_shipped()

    @staticmethod
    def parse(text: str, source: str = "<text>") -> RuleSet:
        """Returns the rule set of the text of one rule file.

        Raises:
            DataError: it has an error.
        """
        return _checked([_parsed(text, source)])

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules, in the order of the packs."""
        return tuple(rule for pack in self.packs for rule in pack.rules)

    @property
    def hash(self) -> str:
        """Names the rules with their weights: equal for equal conclusions."""
        lines = (f"{r.id} {r.hash} {r.weight!r}" for r in self.rules)
        return sha256("\n".join(lines).encode()).hexdigest()[:16]

    def rule(self, id: str) -> Rule:
        """Returns the rule `pack:head/variant`.

        Raises:
            UnknownNameError: there is none.
        """
        for rule in self.rules:
            if rule.id == id:
                return rule
        raise unknown_name("rule", id, [r.id for r in self.rules])

    def for_scenario(self, name: str) -> RuleSet:
        """Returns the rules that apply in a scenario; all of them where `name` is ""."""
        if not name:
            return self
        if name not in self._parts:
            self._parts[name] = RuleSet(
                tuple(
                    replace(
                        pack,
                        rules=tuple(
                            r for r in pack.rules if not r.scenarios or name in r.scenarios
                        ),
                    )
                    for pack in self.packs
                )
            )
        return self._parts[name]

    def with_weights(self, weights: Mapping[str, float]) -> RuleSet:
        """Returns the rules with other weights, by rule id; those not named keep theirs.

        Raises:
            UnknownNameError: there is no rule of that id.
            RelgraphError: a weight is outside of (0, 1].
        """
        for name, weight in weights.items():
            self.rule(name)
            if not 0 < weight <= 1:
                raise RelgraphError(f"weight {weight!r} of {name}: expected over 0 and up to 1.")
        return RuleSet(
            tuple(
                replace(
                    pack,
                    rules=tuple(replace(r, weight=weights.get(r.id, r.weight)) for r in pack.rules),
                )
                for pack in self.packs
            )
        )

    def answers(self, task: str) -> tuple[str, ...]:
        """Returns the heads, each once and in order, of the packs that answer a task."""
        heads = (r.head for pack in self.packs if task in pack.answers for r in pack.rules)
        return tuple(dict.fromkeys(heads))

    @property
    def program(self) -> Program:
        """The rules as compiled for the engine; made once."""
        if not self._program:
            from relgraph.reasoning.plan import compile_rules

            self._program.append(compile_rules(self.rules))
        return self._program[0]


def check(rules: RuleSet | str, *, source: str = "<text>") -> list[Problem]:
    """Returns all problems of a rule set, or of the text of one rule file, in order of the text.

    Heads of shipped packs count as known in a text, as they do when it is read to be used.
    """
    if not isinstance(rules, str):
        return check_packs(rules.packs)
    pack, problems = parse_pack(rules, source)
    known = with_needed([pack])
    own = [p for p in check_packs(known) if p.source == source]
    return sorted([*problems, *own], key=lambda p: (p.line, p.column, p.severity))


def shipped() -> tuple[str, ...]:
    """Returns the names of the shipped packs."""
    folder = files("relgraph.reasoning") / "rules"
    if not folder.is_dir():
        return ()
    found = (Path(f.name) for f in folder.iterdir())
    return tuple(sorted(f.stem for f in found if f.suffix == ".rules"))


def text_of(source: str | Path) -> tuple[str, str]:
    """Returns the text of a shipped pack or of a file, and how errors name it.

    Raises:
        DataError: the file cannot be read or is too large.
        UnknownNameError: there is neither a shipped pack nor a file of that name.
    """
    name = str(source)
    if isinstance(source, str) and name in shipped():
        file = files("relgraph.reasoning") / "rules" / f"{name}.rules"
        # as in a checkout, where it is this very file: never the name of a file of the user's own
        return file.read_text(encoding="utf-8"), f"relgraph/reasoning/rules/{name}.rules"
    path = Path(source)
    if "\0" in name:
        raise DataError(f"{name!r}: no path has such a character.")
    bare = isinstance(source, str) and path.name == name and not path.suffix
    with suppress(OSError):  # longer than the name of a file may be
        bare = bare and not path.exists()
    if bare:
        raise unknown_name("rule pack", name, shipped())
    with open_text(path) as stream:
        text = stream.read(MOST_CHARACTERS + 1)
    if len(text) > MOST_CHARACTERS:
        raise DataError(
            f"{path}: longer than {MOST_CHARACTERS} characters. A rule file has a few pages; "
            "part it into several packs."
        )
    return text, name


def with_needed(packs: Sequence[Pack]) -> tuple[Pack, ...]:
    """Returns the packs, and behind them the shipped ones whose conclusions they use."""
    found = list(packs)
    sources = {pack.source for pack in found}
    while True:
        heads = {rule.head for pack in found for rule in pack.rules}
        wanted = {
            name for pack in found for rule in pack.rules for name, _, _ in uses(rule)
        } - heads  # fmt: skip
        wanted -= set(EVENTS)
        more = [
            pack
            for pack in (_shipped_packs().values() if wanted else ())
            if pack.source not in sources and any(r.head in wanted for r in pack.rules)
        ]
        if not more:
            return tuple(found)
        found += more
        sources |= {pack.source for pack in more}


@cache
def _shipped_packs() -> dict[str, Pack]:
    return {name: _load(name) for name in shipped()}


@cache
def _all_shipped() -> RuleSet:
    return _checked(list(_shipped_packs().values()))


def _load(source: str | Path) -> Pack:
    return _parsed(*text_of(source))


def _parsed(text: str, source: str) -> Pack:
    pack, problems = parse_pack(text, source)
    if problems:
        raise _refused(problems)
    return pack


def _checked(packs: list[Pack]) -> RuleSet:
    complete = with_needed(packs)
    errors = [p for p in check_packs(complete) if p.severity == "error"]
    if errors:
        raise _refused(errors)
    return RuleSet(complete)


def _refused(problems: Iterable[Problem]) -> DataError:
    lines = [str(problem) for problem in problems]
    more = len(lines) - SHOWN_PROBLEMS
    rest = [f"... and {more} more"] if more > 0 else []
    return DataError("\n".join([*lines[:SHOWN_PROBLEMS], *rest]))
