"""A position in the words of a rule file: what comes next, and what should have come."""

from __future__ import annotations

from typing import NoReturn

from relgraph.reasoning.language import Problem, Term
from relgraph.reasoning.slips import meant
from relgraph.reasoning.tokens import Token

KEYWORDS = frozenset(
    (
        *("pack", "answers", "scenario", "rule", "at", "weight", "repeat", "most", "mutual"),
        *("cite", "when", "and", "unless", "any", "of", "least", "within", "after", "before"),
        *("up", "to", "between", "count", "max", "noisy_or", "not", "turns", "seconds"),
    )
)
MOST_LITERALS = 30
MOST_TERMS = 12
MOST_NAMES = 60


class Stop(Exception):  # noqa: N818 (no error: the way out of a broken rule)
    """The rule at hand cannot be read on; its problem is noted."""


class Cursor:
    """A position in the tokens of one file, and the problems found so far."""

    def __init__(self, tokens: list[Token], problems: list[Problem], source: str) -> None:
        self.tokens, self.problems, self.source = tokens, problems, source
        self.position = 0

    # --- words

    def term(self) -> Term:
        """Returns who or what stands here."""
        now = self.now
        if now.kind == "variable":
            return Term("variable", self.take().value)
        if now.kind == "any":
            self.take()
            return Term("any", "_")
        if now.kind == "text":
            return Term("constant", self.take().value)
        if now.kind == "name" and now.value not in KEYWORDS:
            value = self.take().value
            return Term("therapist" if value == "therapist" else "constant", value)
        return self.expected("a variable, `therapist`, `group`, `nobody`, a name or `_`")

    def terms(self) -> list[Term]:
        """Returns terms parted by commas."""
        found = [self.term()]
        while self.take_if(","):
            found.append(self.term())
            self.few_terms(len(found))
        return found

    def names(self, wanted: str) -> list[str]:
        """Returns names parted by commas."""
        found = [self.name(wanted)]
        while self.take_if(","):
            found.append(self.name(wanted))
            if len(found) > MOST_NAMES:
                self.fail(f"more than {MOST_NAMES} names in a row")
        return found

    def name(self, wanted: str) -> str:
        """Returns a name that is no word of the language."""
        if self.now.kind != "name":
            self.expected(wanted)
        if self.now.value in KEYWORDS:
            self.expected(f"{wanted} (`{self.now.value}` is a word of the language)")
        return self.take().value

    def variable(self, wanted: str) -> str:
        """Returns the name of a variable."""
        if self.now.kind != "variable":
            self.expected(wanted)
        return self.take().value

    def quoted(self, wanted: str) -> str:
        """Returns a text that stands in quotes."""
        if self.now.kind != "text":
            self.expected(wanted)
        return self.take().value

    def number(self, wanted: str, *, most: float) -> float:
        """Returns a number over 0 and up to `most`."""
        if self.now.kind != "number" or not 0 < float(self.now.value) <= most:
            self.expected(wanted if most == 1 else f"{wanted}, up to {most:,}")
        return float(self.take().value)

    def whole(self, wanted: str, *, most: int) -> int:
        """Returns a whole number from 1 up to `most`."""
        if self.now.kind != "number" or "." in self.now.value:
            self.expected(wanted)
        return int(self.number(wanted, most=most))

    # --- the position

    @property
    def now(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.position]

    def take(self) -> Token:
        """Returns the next token and goes on."""
        token = self.tokens[self.position]
        self.position += token.kind != "end"
        return token

    def peek(self, value: str) -> bool:
        """Says whether this word or sign comes next."""
        return self.now.value == value and self.now.kind in ("name", "symbol")

    def take_if(self, value: str) -> bool:
        """Says whether this word or sign comes next, and if so goes on behind it."""
        found = self.peek(value)
        self.position += found
        return found

    def need(self, value: str, wanted: str) -> None:
        """Goes on behind this word or sign, which must come next."""
        if not self.take_if(value):
            self.expected(wanted)

    def few(self, number: int) -> None:
        """Refuses more literals than a rule may have."""
        if number > MOST_LITERALS:
            self.fail(f"more than {MOST_LITERALS} conditions or windows in one rule")

    def few_terms(self, number: int) -> None:
        """Refuses more terms than a literal may have."""
        if number > MOST_TERMS:
            self.fail(f"more than {MOST_TERMS} terms in one literal")

    def expected(self, wanted: str, hint: str = "") -> NoReturn:
        """Notes that something else should stand here; `hint` says what may have been meant."""
        now = self.now
        if now.kind == "bad":  # noted when it was cut
            raise Stop
        hint = hint or meant(self.tokens, self.position, wanted, sorted(KEYWORDS))
        self.fail(f"expected {wanted}, got {now.shown}{f'. {hint}' if hint else ''}")

    def fail(self, message: str, token: Token | None = None) -> NoReturn:
        """Notes a problem at the next token, or at `token`."""
        at = token or self.now
        self.problems.append(Problem("error", self.source, at.line, at.column, message))
        raise Stop
