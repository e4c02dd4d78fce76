"""Who is there, in which role, and who has not spoken yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from relgraph.cues import RoleSign, infer_roles
from relgraph.llm_bridge.blocks._base import Said, Source, mention

NOBODY = "People: nobody is known yet."
SURE = 0.5
"""Signs of a generation that are weaker are not told."""


@dataclass(frozen=True, slots=True)
class Roster:
    """Roles as the data gives them, none guessed.

    They are the partners of a couple, the supporter, and of a family who is called or spoken of
    as a parent or a child, with the turn that tells it.
    """

    name: str = "roster"
    needs: tuple[str, ...] = ()
    learns: bool = False

    def say(self, source: Source) -> Said:
        """Returns the people with their roles, then who is silent, then signs of generations."""
        conversation, speakers = source.instance.conversation, source.graph.speakers
        people = [s.name for s in speakers if s.role == "participant"]
        others = [s.name for s in speakers if s.role == "other"]
        kind = {"couple": "Partners", "family": "Family"}.get(conversation.scenario, "People")
        lines = [
            f"{title}: {_listed(some)}"
            for title, some in ((kind, people or conversation.roster), ("others", others))
            if some
        ]
        if conversation.listed or any(s.role == "supporter" for s in speakers):
            lines.append(f"supporter: {mention(conversation.supporter)}")
        spoken = {turn.speaker for turn in conversation.turns}
        silent = [name for name in people if name not in spoken]
        entries = [f"{'; '.join(lines)}." if lines else NOBODY]
        if silent and spoken:
            entries.append(f"Silent so far: {_listed(silent)}.")
        entries += _generations(infer_roles(conversation))
        return Said("", tuple(entries))


def _listed(people: Sequence[str]) -> str:
    return ", ".join(map(mention, people))


def _generations(signs: Sequence[RoleSign]) -> Iterator[str]:
    """Of signs for the same, the strongest; a pair is told once, from the older one's side."""
    best = {(s.person, s.role, s.other): s for s in signs if s.strength >= SURE}
    elder = {(s.person, s.other) for s in best.values() if s.role == "parent"}
    paired = {(s.person, s.role) for s in best.values() if s.other}
    told = [
        s
        for s in best.values()
        if (s.role == "parent" or (s.other, s.person) not in elder)
        and (s.other or (s.person, s.role) not in paired)
    ]
    if told:
        ordered = sorted(told, key=lambda sign: -sign.strength)
        yield f"Called or spoken of as: {'; '.join(map(_sign, ordered))}."


def _sign(sign: RoleSign) -> str:
    of = f" of {mention(sign.other)}" if sign.other else ""
    turn = f" [{sign.known_at}]" if sign.known_at else ""
    return f"{mention(sign.person)} {sign.role}{of}{turn}"


BLOCK = Roster()
