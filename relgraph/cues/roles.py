"""Who is a parent and who a child, from how people call and speak of each other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from relgraph.records import GROUPS, Conversation

Role = Literal["parent", "child"]

ELDER = (
    r"(?:step-?|grand|god)?(?:mother|father)|(?:step-?|grand)?(?:mom|mum|dad)(?:my|dy)?|mama|papa"
    r"|mummy|mommy|gran|granny|nana|nan|grandpa|grandma|parents?"
)
YOUNGER = r"(?:step-?|grand)?(?:son|daughter|child|kid|baby|boy|girl)|(?:little|teenage) one"
FEW = r"(?:[\w'-]+ ){0,2}?"
LESS_THAN_18 = (
    r"(?:[5-9]|1[0-7]|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|seventeen)"
)
QUOTED = re.compile(r"[\"\u201c][^\"\u201c\u201d]*[\"\u201d]")
TOLD = re.compile(
    r"\b(?:say|said|says|saying|goes|told|asked|(?:is|was|were|be|'s|like),? like),?\s*$", re.I
)
BEGIN = r"(?:^|[.!?\u2026]\s*)(?:(?:but|no|yes|oh|hey|look|please|sorry|ok|okay),?\s+)?"
END = r"(?=\s*[.!?\u2026]|\s*$)"
GOES_ON = r"(?=\s*[,.!?\u2026]|\s*$|\s+(?:you|i|we|please|stop|can|could|don't)\b)"
CALLED_YOUNG = r"son|kiddo|young (?:man|lady)|my (?:boy|girl)|sweet ?pea"
# A participant who is named by the role: "Mother", "Dad", "Eldest son", "Parent 2".
NAMED_ELDER = re.compile(rf"^(?:the )?(?:\w+ )?(?:{ELDER})(?: ?\d+)?$", re.I)
NAMED_YOUNGER = re.compile(rf"^(?:the )?(?:\w+ )?(?:{YOUNGER}|teenager)(?: ?\d+)?$", re.I)
GRAND = re.compile(r"^(?:the )?(?:grand|gran\b|granny|nana?\b)", re.I)


@dataclass(frozen=True, slots=True)
class RoleSign:
    """A sign that somebody is of the older or of the younger generation.

    Attributes:
        person: whose role it is.
        role: `parent` for parents, step-parents and grandparents; `child` for their children, of
            any age. Somebody in the middle of three generations has both, to different people.
        known_at: index of the turn that tells it; 0 where the roster alone does.
        strength: in (0, 1]; grows with further evidence, and is lower for what is told after
            something that contradicts it.
        words: what tells it.
        other: the person it holds towards, "" where that is not told. A `parent` with an `other`
            says that the person is older than the other.
    """

    person: str
    role: Role
    known_at: int
    strength: float
    words: str
    other: str = ""


class _Told(NamedTuple):
    """One piece of evidence: `elder` or `younger` may be unknown, but not both."""

    elder: str
    younger: str
    strength: float
    words: str


def infer_roles(conversation: Conversation) -> tuple[RoleSign, ...]:
    """Returns the signs of family roles by turn: of a prefix, the prefix of the signs.

    A sign is given when it is first told and whenever further evidence makes it stronger. Words
    of kinship used among partners ("my mother rang") are no roles of those who are there, so a
    couple has none.
    """
    return () if conversation.scenario == "couple" else tuple(_signs(conversation))


def _signs(conversation: Conversation) -> Iterator[RoleSign]:
    held: dict[tuple[str, Role, str], float] = {}
    weight: dict[tuple[str, str], float] = defaultdict(float)
    for turn, told in _evidence(conversation):
        pair, turned = (told.elder, told.younger), (told.younger, told.elder)
        weight[pair] += told.strength
        against = weight[turned] if told.elder and told.younger else _against(weight, told)
        strength = told.strength * weight[pair] / (weight[pair] + against)
        sides: tuple[tuple[str, Role, str], ...] = (
            (told.elder, "parent", told.younger),
            (told.younger, "child", told.elder),
        )
        for person, role, other in sides:
            if not person:
                continue
            before = held.get((person, role, other), 0.0)
            # Two pieces of evidence are more than one, but never certain.
            after = min(0.95, max(before, strength, before + 0.5 * strength * (1 - before)))
            if against:
                after = max(before, strength)
            if after > before + 0.01:
                held[person, role, other] = after
                yield RoleSign(person, role, turn, round(after, 3), told.words, other)


def _against(weight: dict[tuple[str, str], float], told: _Told) -> float:
    """Returns how much was told of the opposite role of somebody whose other is not named."""
    if told.elder:
        return weight["", told.elder]
    return weight[told.younger, ""]


def _evidence(conversation: Conversation) -> Iterator[tuple[int, _Told]]:
    for told in _by_name(conversation.listed):
        yield 0, told
    people = list(conversation.listed)
    for turn in conversation.turns:
        if not conversation.listed:
            for name in (turn.speaker, *turn.addressees):
                if name not in {*people, *GROUPS, conversation.supporter, ""}:
                    people.append(name)
                    yield from ((turn.index, t) for t in _by_name(people) if name in t[:2])
        to = turn.addressees[0] if len(turn.addressees) == 1 else ""
        to = "" if to == conversation.group or to not in people else to
        supports = turn.speaker == conversation.supporter
        speaker = turn.speaker if turn.speaker in people else ""
        text = QUOTED.sub(" ", turn.text.replace("\u2019", "'"))
        best: dict[tuple[str, str], _Told] = {}
        for told in _in_text(text, speaker, to, tuple(people), supports=supports):
            pair = (told.elder, told.younger)
            if told.elder != told.younger and (
                pair not in best or told.strength > best[pair].strength
            ):
                best[pair] = told
        named = {(p, i) for pair in best if all(pair) for i, p in enumerate(pair)}
        for told in best.values():
            half = (told.elder, 0) if told.elder else (told.younger, 1)
            if (told.elder and told.younger) or half not in named:
                yield turn.index, told


def _by_name(people: Iterable[str]) -> Iterator[_Told]:
    """Yields what the names themselves tell, such as Father and Son."""
    listed = list(people)
    elders = [p for p in listed if NAMED_ELDER.match(p)]
    younger = [p for p in listed if NAMED_YOUNGER.match(p) and p not in elders]
    grand = [p for p in elders if GRAND.match(p)]
    for elder in elders:
        below = [p for p in elders if p not in grand] if elder in grand else []
        below += younger
        for other in below or ("",):
            yield _Told(elder, other, 0.95, elder)
    if not elders:
        for person in younger:
            yield _Told("", person, 0.95, person)


@cache
def _patterns(people: tuple[str, ...]) -> dict[str, re.Pattern[str]]:
    names = "|".join(re.escape(p) for p in sorted(people, key=len, reverse=True) if p) or "(?!)"
    who = rf"(?<!\w)(?P<who>(?-i:{names}))(?!\w)"
    sources = {
        # called
        "elder called": rf"{BEGIN}(?P<kin>{ELDER}){GOES_ON}|,\s*(?P<last>{ELDER}){END}",
        "younger called": rf"(?:{BEGIN}|,\s*)(?:{CALLED_YOUNG})(?=\s*,|{END})",
        # with a name
        "elder named": rf"\b(?P<whose>my|your|our|his|her|their) {FEW}(?:{ELDER}),? {who}",
        "younger named": rf"\b(?P<whose>my|your|our) {FEW}(?:{YOUNGER}),? {who}",
        "is elder": rf"{who}(?:'s| is| was|, who is) (?P<whose>my|your|our) {FEW}(?:{ELDER})\b",
        "is younger": rf"{who}(?:'s| is| was|, who is) (?P<whose>my|your|our) {FEW}(?:{YOUNGER})\b",
        "name's elder": rf"\b(?:i'm|i am|as|being) {who}(?:'s|') {FEW}(?:{ELDER})\b",
        "their name's elder": rf"\byou(?:'re| are) {who}(?:'s|') {FEW}(?:{ELDER})\b",
        # without one
        "is you elder": rf"\byou(?:'re| are) (?:my|our) {FEW}(?:{ELDER})\b",
        "is you younger": rf"\byou(?:'re| are) (?:my|our) {FEW}(?:{YOUNGER})\b",
        "as an elder": r"\b(?:i'm|i am|as|being) (?:a|an|the|his|her|their|your) "
        rf"{FEW}(?:{ELDER})\b(?!')",
        "my young": r"\b(?:my|our) (?:own )?(?:kids|children|sons|daughters|boys|girls)\b",
        "my one young": r"\b(?:my|our) (?:own )?(?:step-?)?(?:son|daughter)\b",
        "your young": r"\byour (?:kids|children|sons|daughters|son|daughter)\b",
        "my elder": rf"\bmy (?:{ELDER})\b",
        "your elder": rf"\byour (?:{ELDER})\b",
        "age": rf"\b(?:i'm|i am) (?:only |just )?{LESS_THAN_18}(?: years old)?(?=\s*[.,!?]|\s*$)",
    }  # fmt: skip
    return {name: re.compile(source, re.I) for name, source in sources.items()}


def _in_text(
    text: str, speaker: str, to: str, people: tuple[str, ...], *, supports: bool
) -> Iterator[_Told]:
    """Yields what one turn tells; the supporter's `my` and `I` tell nothing of the family."""

    def found(name: str) -> Iterator[re.Match[str]]:
        for m in patterns[name].finditer(text):
            if not TOLD.search(text[: m.start()]):
                yield m

    patterns = _patterns(people)
    owner = {"my": speaker, "our": speaker, "your": to}
    for m in found("elder called"):
        kin = m["kin"] or m["last"]
        if kin.lower() not in {"parent", "parents"} and kin not in people:
            yield _Told(to, "" if supports else speaker, 0.8 if to or not supports else 0.0, m[0])
    for m in found("younger called"):
        if to:
            yield _Told("" if supports else speaker, to, 0.6, m[0])
    for pattern, older in (
        ("elder named", True),
        ("younger named", False),
        ("is elder", True),
        ("is younger", False),
    ):
        for m in found(pattern):
            other = owner.get(m["whose"].lower(), "")
            elder, younger = (m["who"], other) if older else (other, m["who"])
            yield _Told(elder, younger, 0.9, m[0])
    if supports:
        for m in found("their name's elder"):
            yield _Told(to, m["who"], 0.9, m[0])
        for m in found("your young"):
            yield _Told(to, "", 0.6, m[0])
        for m in found("your elder"):
            yield _Told("", to, 0.5, m[0])
        return
    for m in found("name's elder"):
        yield _Told(speaker, m["who"], 0.9, m[0])
    for m in found("is you elder"):
        yield _Told(to, speaker, 0.9, m[0])
    for m in found("is you younger"):
        yield _Told(speaker, to, 0.9, m[0])
    for m in found("as an elder"):
        yield _Told(speaker, "", 0.7, m[0])
    for name, strength in (("my young", 0.7), ("my one young", 0.6)):
        for m in found(name):
            yield _Told(speaker, "", strength, m[0])
    for m in found("age"):
        yield _Told("", speaker, 0.7, m[0])
    # Grown-ups have mothers too: with nobody named this says little.
    for m in found("my elder"):
        yield _Told("", speaker, 0.3, m[0])
