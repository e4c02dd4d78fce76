"""What people say that they feel themselves, and how strongly they speak."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from relgraph.cues._feeling_words import (
    ABSOLUTE,
    BETWEEN,
    BETWEEN_PEOPLE,
    FEELING_OF,
    INDIFFERENT,
    LESS,
    LINKS,
    LONGING,
    MAKERS,
    MILD,
    MORE,
    NOT,
    POLITE,
    PRIMARY,
    SECONDARY,
    STRONG,
    SWEARING,
    UNREAL,
    UPON,
    VERBS,
)
from relgraph.cues._phrases import asked, told
from relgraph.cues._seen import Seen, see_all
from relgraph.cues.records import Cue
from relgraph.records import Conversation

PLAIN = 6.0
"""The intensity of a turn without any sign of feeling."""
REACH = 9
"""So many tokens at most stand between `i` and the feeling."""


class Felt(NamedTuple):
    """A feeling that the speaker names as their own.

    Attributes:
        kind: one of `EMOTIONS`.
        strength: how sure and how strong, in (0, 1].
        token: position of the word that names it.
        first: position of the first word that belongs to it.
        words: as given.
    """

    kind: str
    strength: float
    token: int
    first: int
    words: str


def detect(seen: Seen) -> Iterator[Cue]:
    """Yields own feelings, with those that EFT calls primary and secondary."""
    if seen.by_supporter:
        return
    for felt in feelings(seen):
        yield seen.cue("emotion", "", felt.strength, felt.words, detail=felt.kind)
        for name, kinds in (("primary_emotion", PRIMARY), ("secondary_emotion", SECONDARY)):
            if felt.kind in kinds and not _of_a_thing(seen, felt):
                yield from _towards(seen, name, felt.strength, felt.token, felt.words)
    for name, strength, pattern in (
        ("primary_emotion", 0.75, LONGING),
        ("secondary_emotion", 0.65, INDIFFERENT),
    ):
        for m in pattern.finditer(seen.parse.plain):
            token = seen.parse.at.get(m.start())
            if token is None or told(seen, token) or seen.tokens[token].supposed:
                continue
            yield from _towards(seen, name, strength, token, seen.parse.words(m.start(), m.end()))


def _towards(seen: Seen, name: str, strength: float, token: int, said: str) -> Iterator[Cue]:
    """Yields the cue towards who is meant in its sentence, and towards those spoken to."""
    sentence = seen.tokens[token].sentence
    meant = {
        m.person: m.weight
        for m in seen.mentions
        if seen.tokens[m.token].sentence == sentence and m.person in seen.others
    }
    for person in seen.addressees:
        meant[person] = max(meant.get(person, 0.0), seen.sure)
    for person, weight in (meant or {"": 1.0}).items():
        yield seen.cue(name, person, strength * weight, said)


def _of_a_thing(seen: Seen, felt: Felt) -> bool:
    """Returns whether a fear is one of things: what follows `of` is neither people nor an act."""
    after = seen.tokens[felt.token + 1 :]
    if felt.kind != "fear" or not after or after[0].text != "of":
        return False
    about = next((t for t in after[1:4] if t.pos in {"NOUN", "PROPN", "VERB", "PRON"}), None)
    if about is None or about.pos in {"VERB", "PRON"} or seen.meant(about.i):
        return False
    return about.lemma not in BETWEEN_PEOPLE


def feelings(seen: Seen) -> Iterator[Felt]:
    """Yields the feelings that the speaker names as their own, by place.

    The word counts where `i` (or `it makes me`) leads up to it over nothing but links, fillers,
    degrees and other feelings: who else might feel it does not stand between. It does not count
    negated, supposed, asked about, or told as somebody else's words.
    """
    for t in seen.tokens:
        kind = FEELING_OF.get(t.text) if t.pos != "VERB" or t.tag in {"VBN", "VBD"} else None
        found = None
        if kind and not (t.text in {"down", "up"} and t.pos != "ADJ"):
            found = _state(seen, t.i)
        if (
            found is None
            and (t.lemma in VERBS or t.lemma in UPON)
            and t.pos in {"VERB", "AUX", "NOUN"}
        ):
            found = _verb(seen, t.i)
            kind = (UPON if found and found[1] == "upon" else VERBS).get(t.lemma, kind)
        if found is None or kind is None:
            continue
        first, how = found
        if t.supposed or asked(seen, t.i) or told(seen, first) or _polite(seen, t.i):
            continue
        strength = _degree(seen, first, t.i) - (0.25 if how == "ellipsis" else 0.0)
        yield Felt(kind, round(max(0.2, strength), 3), t.i, first, seen.parse.said(first, t.i))


def _state(seen: Seen, i: int) -> tuple[int, str] | None:
    """Returns where what leads up to a word of feeling begins, None where it is not own."""
    tokens = seen.tokens
    start = seen.parse.sentences[tokens[i].sentence].first
    linked = False
    for k in range(i - 1, max(start, i - REACH) - 1, -1):
        text = tokens[k].text
        if text in NOT or text in UNREAL:
            return None
        if text in {"i", "im"}:
            return (k, "own") if linked or k == i - 1 or text == "im" else None
        if text == "me":
            made = any(tokens[j].text in MAKERS for j in range(max(start, k - 2), k))
            return (k, "own") if made and not _denied(seen, k, start) else None
        if text == "my":
            return k, "own"
        if text in LINKS or text in {"full", "lot"}:
            linked = True
        elif not (text in BETWEEN or text in MORE or text in LESS or text in FEELING_OF):
            if tokens[k].pos in {"ADV", "INTJ", "PUNCT"}:
                continue
            return None
    # "Really hurt." as a whole sentence.
    stop = seen.parse.sentences[tokens[i].sentence].stop
    said = [t for t in tokens[start:stop] if any(c.isalnum() for c in t.text)]
    if len(said) <= 4 and not linked and tokens[i].pos == "ADJ":
        return start, "ellipsis"
    return None


def _verb(seen: Seen, i: int) -> tuple[int, str] | None:
    """Returns where a verb of feeling is the speaker's: said of `i`, or done to `me`."""
    tokens = seen.tokens
    verb = tokens[i]
    start = seen.parse.sentences[verb.sentence].first
    after = tokens[i + 1].text if i + 1 < len(tokens) else ""
    if (
        verb.lemma in UPON
        and verb.tag != "NN"
        and (
            after == "me"
            or (
                verb.lemma == "hurt"
                and _its(seen, i)
                and after in {"", ".", ",", "!", "so", "when", "because", "that"}
            )
        )
    ):
        if _denied(seen, i, start) or _i_before(seen, i, start) is not None:
            return None
        return max(start, i - 2), "upon"
    if verb.lemma not in VERBS or verb.pos == "NOUN":
        return None
    place = _i_before(seen, i, start)
    if place is None:
        return None
    if verb.lemma == "love" and (after in {"to", "it", "that", "the", "when", "how"} or not after):
        return None
    if verb.lemma == "hurt" and any(c.isalpha() for c in after) and verb.tag != "VBG":
        return None
    if verb.lemma == "miss" and after in {"the", "a", "out", "my", "that"}:
        return None
    return place, "own"


def _i_before(seen: Seen, i: int, start: int) -> int | None:
    for k in range(i - 1, max(start, i - 5) - 1, -1):
        text = seen.tokens[k].text
        if text == "i":
            return k
        if text in NOT or text in UNREAL:
            return None
        if (
            text not in LINKS
            and text not in BETWEEN
            and text not in MORE
            and text not in {"do", "have", "'ve", "did"}
        ):
            return None
    return None


def _its(seen: Seen, i: int) -> bool:
    return any(
        seen.tokens[k].text in {"it", "that", "this", "which"} for k in range(max(0, i - 3), i)
    )


def _denied(seen: Seen, i: int, start: int) -> bool:
    return seen.tokens[i].negated or any(
        seen.tokens[k].text in NOT or seen.tokens[k].text in UNREAL
        for k in range(max(start, i - 3), i)
    )


def _polite(seen: Seen, i: int) -> bool:
    if seen.tokens[i].text != "afraid":
        return False
    m = POLITE.match(seen.parse.plain, seen.parse.begins[i])
    return bool(m)


def _degree(seen: Seen, first: int, i: int) -> float:
    between = [t.text for t in seen.tokens[first:i]]
    strength = 0.75
    strength += 0.1 * min(2, sum(w in MORE for w in between))
    strength -= 0.15 * any(w in LESS for w in between)
    strength += 0.1 * (seen.tokens[i].text in STRONG or seen.tokens[i].lemma in STRONG)
    strength -= 0.1 * (seen.tokens[i].text in MILD)
    return min(1.0, strength)


def intensities(conversations: Iterable[Conversation]) -> Iterator[dict[int, float]]:
    """Yields, for each conversation, how strongly each turn speaks of feeling, in [0, 10]."""
    for turns in see_all(conversations):
        yield {seen.turn: intensity(seen) for seen in turns if not seen.remark}


def intensity(seen: Seen) -> float:
    """Returns how strongly a turn speaks of feeling, in [0, 10], from its words alone.

    It adds up: feelings named (strong words more, mild ones less), words of degree, absolutes,
    exclamation marks, swearing, words said twice in a row, and length; words that make less take
    away. Where it starts, `PLAIN`, is where annotators put plain talk of people in conflict.
    """
    texts = [t.text for t in seen.tokens]
    felt = [f.token for f in feelings(seen)]
    named = sum(1.2 if texts[i] in STRONG else 0.4 if texts[i] in MILD else 0.8 for i in felt)
    unnamed = sum(t in FEELING_OF or t in STRONG for t in texts) - len(felt)
    again = sum(a == b and a.isalpha() for a, b in pairwise(texts))
    value = (
        PLAIN
        + min(2.0, named)
        + min(0.9, 0.3 * max(0, unnamed))
        + min(0.6, 0.15 * sum(t in MORE for t in texts))
        + min(0.6, 0.15 * sum(t in ABSOLUTE for t in texts))
        + min(1.0, 0.4 * seen.text.count("!"))
        + min(1.0, 0.5 * len(SWEARING.findall(seen.parse.plain)))
        + min(0.4, 0.1 * again)
        + min(0.6, 0.01 * len(texts))
        - min(0.6, 0.15 * sum(t in LESS for t in texts))
    )
    return round(min(10.0, max(0.0, value)), 2)
