"""Who speaks to whom, as numbers: what the model reads beside the words.

Everything is computed in one pass over the turns, and every number at turn `t` or cut `t` comes
from the turns up to `t` only: the features of a prefix are the prefix of the features. There is
no position relative to the length, no share of the whole, no name: a slot is a role and its past.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, log1p

import numpy as np
from numpy.typing import NDArray

from relgraph.records import Conversation, Turn

Floats = NDArray[np.float32]

SUPPORTER, GROUP = 0, 1
"""The first two slots; people follow in roster order, then in order of appearance."""

QUESTION_MARKS = ("?", "\u061f", "\uff1f")
CLOSING = " \"')\u201d\u2019"

FADES = (0.5, 0.8, 0.95)
"""What of a past turn is left after one more: memories of about 2, 5 and 20 turns."""

ROLES = ("speaks", "addressed", "addressed_in_group", "mentioned", "listens", "by_supporter")
TURN_FEATURES = (
    "by_supporter", "by_group", "to_supporter", "to_group", "to_client", "to_several",
    "to_unknown", "words", "question", "duration", "gap", "overlap", "times_known",
    "same_speaker", "answers_last_speaker", "mentions", "background", "tone", "nonverbal",
)  # fmt: skip
PERSON_FEATURES = (
    "is_supporter", "is_group", "spoke_last", "last_client", "client_before",
    "never_spoke", "recency", "spoke_fade_0", "spoke_fade_1", "spoke_fade_2", "words_fade",
    "addressed_now", "addressed_in_group_now", "mentioned_now", "to_fade_supporter_0",
    "to_fade_supporter_1", "to_fade_supporter_2", "to_fade_clients", "last_supporter_target",
    "target_before", "spoke_since_supporter", "words_since_supporter", "mentioned_fade",
    "speaks_to_supporter_fade",
)  # fmt: skip
CUT_FEATURES = (
    "nothing_yet", "turns", "seconds", "last_by_supporter", "last_to_supporter",
    "last_to_group", "last_to_client", "last_to_unknown", "last_words", "last_question",
    "last_duration", "last_gap", "last_overlap", "run_none", "run_one", "run_two", "run_more",
    "run", "own_run", "other_client_recency", "clients_since_supporter", "clients_present",
    "balance", "supporter_asked_last_client", "supporter_question_open", "switches_fade",
    *(f"{what}_fade_{k}" for what in
      ("supporter", "to_supporter", "among_clients", "to_group", "question", "background",
       "words", "mentions")
      for k in range(3)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Structure:
    """The structure of a conversation at every turn and every cut.

    Attributes:
        names: who each slot is.
        turn: `[turn, TURN_FEATURES]`.
        role: `[slot, turn, ROLES]`, what each slot is to each turn.
        cut: `[turn + 1, CUT_FEATURES]`, as things stand after so many turns.
        person: `[slot, turn + 1, PERSON_FEATURES]`, likewise.
        present: `[slot, turn + 1]`, whether the slot is known of by then.
        last_client: `[turn + 1]`, slot of the client who spoke last, -1 for none.
        pause_s: `[turn]`, seconds from the end of the turn before, 0 where unknown or overlapping.
        away: `[slot, turn, 2]`, turns and seconds since a person last spoke, as the turn begins;
            -1 for never or unknown.
    """

    names: tuple[str, ...]
    turn: Floats
    role: Floats
    cut: Floats
    person: Floats
    present: NDArray[np.bool_]
    last_client: NDArray[np.int64]
    pause_s: Floats
    away: Floats

    @property
    def slots(self) -> dict[str, int]:
        """Returns name -> slot."""
        return {name: slot for slot, name in enumerate(self.names)}

    def slot_at(self, name: str, cut: int) -> int:
        """Returns the slot of somebody known after `cut` turns; the group's for all others.

        Who appears only later has a slot, but to use it would tell that they do.
        """
        slot = self.slots.get(name, GROUP)
        return slot if self.present[slot, cut] else GROUP


def cast(conversation: Conversation) -> tuple[str, ...]:
    """Returns who takes part, slot by slot: supporter, group, roster, others as they appear."""
    group = conversation.group
    # A supporter named like the group leaves the group's slot without a name.
    other = group if group != conversation.supporter else ""
    seen = [conversation.supporter, other, *conversation.participants]
    for turn in conversation.turns:
        seen += (turn.speaker, *turn.addressees)
    return tuple(dict.fromkeys(seen))


def encode_structure(conversation: Conversation, mentions: Sequence[frozenset[str]]) -> Structure:
    """Returns the structure of a conversation, in time linear in turns times people.

    Args:
        conversation: may be a cut one, and may start later than turn 1.
        mentions: who is named in each turn.
    """
    names = cast(conversation)
    count, people = len(conversation.turns), len(names)
    out = Structure(
        names=names,
        turn=np.zeros((count, len(TURN_FEATURES)), np.float32),
        role=np.zeros((people, count, len(ROLES)), np.float32),
        cut=np.zeros((count + 1, len(CUT_FEATURES)), np.float32),
        person=np.zeros((people, count + 1, len(PERSON_FEATURES)), np.float32),
        present=np.zeros((people, count + 1), np.bool_),
        last_client=np.full(count + 1, -1, np.int64),
        pause_s=np.zeros(count, np.float32),
        away=np.full((people, count, 2), -1, np.float32),
    )
    memory = _Memory(out.slots, known=len(cast(replace(conversation, turns=()))))
    memory.write(out, 0)
    for t, (turn, named) in enumerate(zip(conversation.turns, mentions, strict=True)):
        out.away[:, t] = memory.away(turn)
        memory.hear(turn, named)
        out.pause_s[t] = max(memory.gap, 0.0)
        out.turn[t] = memory.turn_features()
        out.role[:, t] = memory.roles()
        memory.write(out, t + 1)
    return out


class _Memory:
    """What is remembered of a conversation so far; `hear` takes in one more turn."""

    def __init__(self, slots: dict[str, int], *, known: int) -> None:
        people = len(slots)
        self.slots = slots
        self.present = np.arange(people) < known
        self.heard = 0
        self.turn: Turn | None = None
        self.named: frozenset[str] = frozenset()
        self.speaker = self.before = -1
        self.to: tuple[int, ...] = ()
        self.last_client = self.client_before = self.run = self.own_run = -1
        self.run = self.own_run = 0
        self.gap = self.end_s = 0.0
        self.last_target = self.target_before = -1
        self.asked = False
        self.since = np.full(people, -1.0)
        self.until_s = np.full(people, np.nan)
        self.spoke = np.zeros((people, len(FADES)))
        self.to_by_supporter = np.zeros((people, len(FADES)))
        self.words = np.zeros(people)
        self.to_by_clients = np.zeros(people)
        self.mentioned = np.zeros(people)
        self.speaks_to_supporter = np.zeros(people)
        self.recent_turns = np.zeros(people)
        self.recent_words = np.zeros(people)
        self.switches = 0.0
        self.flow = np.zeros((8, len(FADES)))

    def hear(self, turn: Turn, named: frozenset[str]) -> None:
        """Takes in one more turn."""
        slots = self.slots
        who = slots[turn.speaker]
        self.to = tuple(dict.fromkeys(slots[name] for name in turn.addressees))
        self.present[[who, *self.to]] = True
        self.before, self.speaker, self.turn = self.speaker, who, turn
        # who is known by now: that somebody appears later must not show in who is named here
        self.named = frozenset(n for n in named if n in slots and self.present[slots[n]])
        self.heard += 1
        self.own_run = self.own_run + 1 if who == self.before else 1
        start_s, end_s = _finite(turn.start_s), _finite(turn.end_s)
        self.gap = start_s - self.end_s if start_s is not None and self.heard > 1 else 0.0
        self.end_s = end_s if end_s is not None else self.end_s
        self.until_s[who] = np.nan if end_s is None else end_s
        self._fade(who, _words(turn))
        if who == SUPPORTER:
            self.run = 0
            self.recent_turns[:] = 0
            self.recent_words[:] = 0
            self.asked = _asks(turn)
            if self.to:
                target = self.to[0] if len(self.to) == 1 else GROUP
                self.target_before, self.last_target = self.last_target, target
        else:
            self.run += 1
            self.recent_turns[who] += 1
            self.recent_words[who] += _words(turn)
            if who != self.last_client:
                self.client_before, self.last_client = self.last_client, who

    def _fade(self, who: int, words: float) -> None:
        fade, client = np.array(FADES), who != SUPPORTER
        self.since[self.since >= 0] += 1
        self.since[who] = 0
        for three in (self.spoke, self.to_by_supporter, self.flow):
            three *= fade
        for one in (self.words, self.to_by_clients, self.mentioned, self.speaks_to_supporter):
            one *= FADES[1]
        gain = 1 - fade
        self.spoke[who] += gain
        self.words[who] += 0.2 * words
        to = list(self.to)
        if client:
            self.to_by_clients[to] += 0.2
            self.speaks_to_supporter[who] += 0.2 * (SUPPORTER in to)
        else:
            self.to_by_supporter[to] += gain
        named = [self.slots[n] for n in self.named]
        self.mentioned[named] += 0.2
        switched = client and self.before not in (-1, SUPPORTER, who)
        self.switches = FADES[1] * self.switches + 0.2 * switched
        turn = self._now()
        among = client and any(slot != SUPPORTER for slot in to)
        events = (
            not client, client and SUPPORTER in to, among, self._is_group(), _asks(turn),
            bool(turn.background), words, bool(named),
        )  # fmt: skip
        self.flow += np.outer(np.array(events, float), gain)

    def _now(self) -> Turn:
        assert self.turn is not None
        return self.turn

    def _is_group(self) -> bool:
        return GROUP in self.to or len(self.to) > 1

    def away(self, turn: Turn) -> NDArray[np.float64]:
        """Returns `[slot, 2]`: turns and seconds since each person spoke, as `turn` begins."""
        start_s = _finite(turn.start_s)
        silent_s = (np.nan if start_s is None else start_s) - self.until_s
        known = np.where(np.isfinite(silent_s), np.maximum(silent_s, 0.0), -1.0)
        return np.stack([self.since, known], axis=1)

    def turn_features(self) -> list[float]:
        """Returns `TURN_FEATURES` of the turn heard last."""
        turn, to = self._now(), self.to
        return [
            self.speaker == SUPPORTER, self.speaker == GROUP, SUPPORTER in to, GROUP in to,
            any(slot > GROUP for slot in to), len(to) > 1, not to, _words(turn), _asks(turn),
            _duration(turn), _seconds(max(self.gap, 0.0)), self.gap < 0,
            _finite(turn.start_s) is not None, self.own_run > 1, self.before in to if to else False,
            bool(self.named), bool(turn.background), bool(turn.tone), bool(turn.nonverbal),
        ]  # fmt: skip

    def roles(self) -> Floats:
        """Returns `[slot, ROLES]` for the turn heard last."""
        out = np.zeros((len(self.slots), len(ROLES)), np.float32)
        out[self.speaker, 0] = 1
        out[list(self.to), 1] = 1
        if self._is_group():
            out[GROUP + 1 :, 2] = 1
        out[[self.slots[n] for n in self.named], 3] = 1
        out[:, 4] = out[:, :3].sum(1) == 0
        out[:, 5] = self.speaker == SUPPORTER
        return out

    def write(self, out: Structure, cut: int) -> None:
        """Writes how things stand now into row `cut`."""
        out.present[:, cut] = self.present
        out.last_client[cut] = self.last_client
        out.cut[cut] = self._cut_features()
        out.person[:, cut] = self._person_features()

    def _cut_features(self) -> list[float]:
        if self.turn is None:
            rest = [0.0] * (len(CUT_FEATURES) - 1)
            rest[CUT_FEATURES.index("clients_present") - 1] = self._clients_present()
            return [1.0, *rest]
        turn, to, run = self.turn, self.to, self.run
        last, other = self.last_client, self.client_before
        # Two zeros more: people who have not appeared yet must not change the count.
        most, second = sorted([*self.words[GROUP + 1 :], 0.0, 0.0], reverse=True)[:2]
        ahead = (most - second) / (most + second + 0.1)
        return [
            0.0, log1p(turn.index) / 4, _seconds(self.end_s), self.speaker == SUPPORTER,
            SUPPORTER in to, GROUP in to, any(slot > GROUP for slot in to), not to, _words(turn),
            _asks(turn), _duration(turn), _seconds(max(self.gap, 0.0)), self.gap < 0, run == 0,
            run == 1, run == 2, run > 2, log1p(run), log1p(self.own_run),
            1 / (1 + self.since[other]) if other >= 0 else 0.0,
            (self.recent_turns > 0).sum() / 3, self._clients_present(), ahead,
            self.last_target == last >= 0, self.asked and run == 0, self.switches,
            *self.flow.ravel(),
        ]  # fmt: skip

    def _clients_present(self) -> float:
        return float(self.present[GROUP + 1 :].sum()) / 4

    def _person_features(self) -> NDArray[np.float64]:
        slot = np.arange(len(self.slots))
        in_group = (slot > GROUP) & self._is_group()
        named = np.isin(slot, [self.slots[n] for n in self.named])
        to = np.isin(slot, self.to)
        columns = (
            slot == SUPPORTER, slot == GROUP, slot == self.speaker, slot == self.last_client,
            slot == self.client_before, self.since < 0,
            np.where(self.since >= 0, 1 / (1 + np.abs(self.since)), 0.0), *self.spoke.T,
            self.words, to, in_group, named, *self.to_by_supporter.T, self.to_by_clients,
            slot == self.last_target, slot == self.target_before,
            np.minimum(self.recent_turns, 3) / 3, np.log1p(self.recent_words),
            self.mentioned, self.speaks_to_supporter,
        )  # fmt: skip
        return np.stack([np.asarray(c, np.float64) for c in columns], axis=1)


def _asks(turn: Turn) -> bool:
    return turn.text.rstrip(CLOSING).endswith(QUESTION_MARKS)


def _words(turn: Turn) -> float:
    return log1p(len(turn.text.split())) / 4


def _duration(turn: Turn) -> float:
    start_s, end_s = _finite(turn.start_s), _finite(turn.end_s)
    return _seconds(end_s - start_s) if start_s is not None and end_s is not None else 0.0


def _finite(seconds: float | None) -> float | None:
    return seconds if seconds is not None and isfinite(seconds) else None


def _seconds(seconds: float) -> float:
    return log1p(max(seconds, 0.0)) / 6
