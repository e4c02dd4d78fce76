"""The records that flow through relgraph: frozen, typed, without torch.

What may be an input (`Turn`) and what is gold (`Annotation`) are kept apart: a conversation holds
two tuples of equal length, and an `Instance` has the first only, cut at its decision point.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd

Mode = Literal["dialogue", "audio", "visual", "audiovisual"]
AddresseeSource = Literal["given", "inferred", "none"]
AddresseeView = Literal["given", "inferred", "none"]
ProtocolName = Literal["strict", "paper"]
NonverbalKind = Literal[
    "body_posture", "facial_expressions", "self_directed_behavior", "interaction_behavior"
]
Timing = Literal["recorded", "edited", "unknown"]
RelationField = Literal["relation_pattern", "relation_cycle_state"]

MODES: tuple[Mode, ...] = ("dialogue", "audio", "visual", "audiovisual")
NONVERBAL_KINDS: tuple[NonverbalKind, ...] = (
    "body_posture",
    "facial_expressions",
    "self_directed_behavior",
    "interaction_behavior",
)
SUPPORTER = "Therapist"
GROUPS = frozenset({"Couple", "Family", "Group"})
"""Names of everybody at once: never a person."""


def _no_extra() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Background:
    """Talk behind a turn: a short remark of someone who does not hold the floor."""

    speaker: str
    addressees: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Nonverbal:
    """A described behaviour of `person`; `addressees` only for interaction behaviour."""

    kind: NonverbalKind
    person: str
    description: str
    addressees: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: all that an approach may see of it.

    Attributes:
        index: position in the conversation, from 1, in row order (ties in time keep it).
        speaker: who holds the floor.
        text: what is said.
        addressees: whom it is said to: people or the group's name; empty when unknown.
        addressee_source: `given` by the transcript, `inferred` by relgraph, or `none`.
        addressee_confidence: in [0, 1] where inferred, else None.
        start_s: start in seconds from the start of the recording; None when unknown.
        end_s: end in seconds; None when unknown.
        background: remarks behind the turn.
        tone: the described tone of voice, "" when there is none.
        nonverbal: described behaviour during the turn.
        extra: fields of the source that relgraph does not use, kept for a lossless round trip;
            no approach reads them, and an instance does not hold them.
    """

    index: int
    speaker: str
    text: str
    addressees: tuple[str, ...] = ()
    addressee_source: AddresseeSource = "none"
    addressee_confidence: float | None = None
    start_s: float | None = None
    end_s: float | None = None
    background: tuple[Background, ...] = ()
    tone: str = ""
    nonverbal: tuple[Nonverbal, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=_no_extra, hash=False)


@dataclass(frozen=True, slots=True)
class Emotion:
    """An annotated emotion: a phrase and an intensity in [0, 10], None when it was not given."""

    person: str
    phrase: str
    intensity: float | None


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """What `source` thinks of `target`, with the attitude it is held in ("" when not given)."""

    source: str
    target: str
    viewpoint: str
    attitude: str = ""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A support strategy: who supports whom, the label, what it does in this place."""

    provider: str
    targets: tuple[str, ...]
    type: str
    content: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """An annotated interaction pattern; `label` "" says: looked at, no clear pattern."""

    field: RelationField
    label: str
    reason: str = ""
    evidence_turns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Annotation:
    """The gold layers of one turn. Never an input; may train heads on training folds."""

    utterance_type: str = ""
    emotions: tuple[Emotion, ...] = ()
    viewpoints: tuple[Viewpoint, ...] = ()
    strategies: tuple[Strategy, ...] = ()
    relations: tuple[Relation, ...] = ()

    def relation(self, name: RelationField) -> str | None:
        """Returns the label in field `name`, "" for no clear pattern, None when not annotated."""
        return next((r.label for r in self.relations if r.field == name), None)


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation of several people, and often a supporter.

    Attributes:
        id: its name in the source.
        turns: what was said, in row order.
        gold: the annotations, one a turn; empty in a cut conversation.
        scenario: `couple`, `family`, or another word for the kind of group ("" when unknown).
        participants: the roster without the supporter; known beforehand.
        supporter: the name of the supporting role's speaker.
        relationship: which couple, family or team it is: the unit that splits keep together.
        timing: whether times are those of a recording, of an edited one, or unknown.
        source: file it was read from.
        sensitive: whether it may leave this machine only where somebody allows it.
        extra: fields of the source that relgraph does not use.
    """

    id: str
    turns: tuple[Turn, ...]
    gold: tuple[Annotation, ...] = ()
    scenario: str = ""
    participants: tuple[str, ...] = ()
    supporter: str = SUPPORTER
    relationship: str = ""
    timing: Timing = "unknown"
    source: str = ""
    sensitive: bool = False
    extra: Mapping[str, Any] = field(default_factory=_no_extra, hash=False)

    @property
    def group(self) -> str:
        """The name of the whole group as an addressee: `Couple`, `Family`, else `Group`."""
        return self.scenario.capitalize() if self.scenario in ("couple", "family") else "Group"

    @property
    def listed(self) -> tuple[str, ...]:
        """The participants each once, without the supporter and names of everybody at once."""
        apart = {*GROUPS, self.supporter, ""}
        return tuple(dict.fromkeys(name for name in self.participants if name not in apart))

    @property
    def roster(self) -> tuple[str, ...]:
        """The participants, or without a given roster the people seen so far, in order."""
        if self.listed:
            return self.listed
        apart = {*GROUPS, self.supporter, ""}
        seen = (name for t in self.turns for name in (t.speaker, *t.addressees))
        return tuple(dict.fromkeys(name for name in seen if name not in apart))

    def annotation(self, index: int) -> Annotation:
        """Returns the gold of turn `index` (from 1); an empty one where there is none."""
        position = index - self.turns[0].index if self.turns else -1
        return self.gold[position] if 0 <= position < len(self.gold) else Annotation()

    @staticmethod
    def from_pandas(
        table: pd.DataFrame,
        *,
        id: str = "conversation",
        scenario: str = "",
        participants: Sequence[str] = (),
        supporter: str = SUPPORTER,
    ) -> Conversation:
        """Returns one conversation from a table with a row a turn.

        Args:
            table: needs the columns `speaker` and `text`; `start_s`, `end_s` (seconds) and
                `addressees` (names parted by `;`) are used where present; other columns are kept
                in `Turn.extra`.
            id: the conversation's name.
            scenario: `couple`, `family` or another word.
            participants: the roster without the supporter.
            supporter: which speaker is the supporter.

        Raises:
            DataError: a needed column is missing, or a value cannot be read.
        """
        from relgraph.corpora.csv import from_table

        return from_table(
            table,
            id=id,
            scenario=scenario,
            participants=tuple(participants),
            supporter=supporter,
        )


@dataclass(frozen=True, slots=True)
class View:
    """Which part of a conversation an approach is given.

    Attributes:
        mode: which channels are shown.
        context_turns: how many turns before the decision; -1 for all.
        addressee: annotated addressees, those relgraph infers, or none.
        protocol: `strict`, or `paper` for the published construction with its leaks.
    """

    mode: Mode = "dialogue"
    context_turns: int = -1
    addressee: AddresseeView = "given"
    protocol: ProtocolName = "strict"


@dataclass(frozen=True, slots=True)
class Instance:
    """One decision to make: a conversation cut at the decision point, and what may be known.

    Attributes:
        id: opaque; tells neither answer nor source.
        task: name of the task.
        conversation: the cut conversation: only turns up to the cut, no gold, opaque id.
            Instances of one conversation share that id.
        options: closed set to rank, in a fixed order; empty for ER and VP.
        target: SSP only: whom the support is meant for.
        next_speaker: who speaks the turn that is decided on, where the task fixes it, else "".
        hints: `paper` protocol only: the fields that the published prompt shows.
    """

    id: str
    task: str
    conversation: Conversation
    options: tuple[str, ...] = ()
    target: str = ""
    next_speaker: str = ""
    hints: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Gold:
    """The answer of an instance: `label` for closed sets, else an emotion or viewpoints."""

    label: str = ""
    emotion: Emotion | None = None
    viewpoints: tuple[Viewpoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """An instance with its gold answer and where it comes from; only `score` and `fit` see it.

    `turn` is the index of the turn that the decision is about (ITP: the boundary after it).
    """

    instance: Instance
    gold: Gold
    conversation_id: str
    relationship: str
    turn: int


@dataclass(frozen=True, slots=True)
class Cost:
    """What an answer took: model tokens, seconds of wall clock, US dollars, calls not made.

    Tokens and seconds are those of the first time, also where a reply was kept; dollars are what
    was paid for this answer.
    """

    prompt_tokens: int = 0
    answer_tokens: int = 0
    time_s: float = 0.0
    cost_usd: float = 0.0
    kept_calls: int = 0


@dataclass(frozen=True, slots=True)
class Prediction:
    """What an approach says of one instance.

    Attributes:
        instance: id of the instance.
        ranking: options, best first (closed sets). It may be a part of them.
        probabilities: one for each entry of `ranking`, summing to 1 over all options; or empty.
        emotion: ER: the phrase and the intensity.
        viewpoints: VP.
        because: what led to it, in words.
        cost: what it took.
        failure: why there is no answer; then all of the above is empty. Never scored as a class.
        raw: a failed LLM answer as it came.
        calls: keys in the call cache of what was asked of an LLM for it.
    """

    instance: str
    ranking: tuple[str, ...] = ()
    probabilities: tuple[float, ...] = ()
    emotion: Emotion | None = None
    viewpoints: tuple[Viewpoint, ...] = ()
    because: tuple[str, ...] = ()
    cost: Cost = Cost()
    failure: str = ""
    raw: str = ""
    calls: tuple[str, ...] = ()


def fingerprint(conversation: Conversation) -> str:
    """Returns a name for what is said in a conversation: equal for equal speakers and texts."""
    from hashlib import sha256

    digest = sha256()
    for t in conversation.turns:
        digest.update(f"{t.speaker}\x1f{t.text}\x1e".encode())
    return digest.hexdigest()[:16]


def renumber(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """Returns the turns with `index` running from 1 in their order."""
    return tuple(replace(t, index=i) for i, t in enumerate(turns, start=1))
