"""What the supporter does, and signs of the alliance from both sides."""

from __future__ import annotations

from collections.abc import Iterator

from relgraph.cues import _support_phrases as phrases
from relgraph.cues._feeling_words import FEELING_OF
from relgraph.cues._lexicon import Match, Phrases, words
from relgraph.cues._phrases import hits, people, told
from relgraph.cues._questions import LEADING, questions
from relgraph.cues._seen import Seen
from relgraph.cues.records import Cue

MINDS = words("feel think do say want need react see experience mean respond notice understand")
KIN = words(
    "mother mom mum father dad sister brother husband wife partner son daughter parents kids "
    "children grandmother grandma boyfriend girlfriend"
)
YOURS = frozenset({"you", "your", "you're", "yourself"})


def detect(seen: Seen) -> Iterator[Cue]:
    """Yields the supporter's acts, and for clients what they say of the work to the supporter."""
    if not seen.by_supporter:
        if seen.to_supporter:
            for match in _said(seen, phrases.ALLIED):
                yield seen.cue("alliance", seen.supporter, match.strength * seen.sure, match.words)
        return
    yield from _open_question(seen)
    yield from _circular_question(seen)
    asks = {q.sentence for q in questions(seen)}
    for table in (phrases.CIRCULAR, phrases.ENACT, phrases.CYCLE, phrases.REFRAME, phrases.STOP,
                  phrases.BOUNDARY, phrases.ALLY):  # fmt: skip
        for match in _said(seen, table):
            yield from seen.cues(match.cue, match.strength, match.words)
    for match in _said(seen, phrases.ENACT_FIRST):
        if _first(seen, match.first):
            yield from seen.cues(match.cue, match.strength, match.words)
    for match in _said(seen, phrases.BENEATH):
        weight = 0.9 if seen.tokens[match.first].sentence in asks else 1.0
        yield from seen.cues(match.cue, match.strength * weight, match.words)
    yield from _feeling(seen, asks)
    yield from _sequence(seen, asks)


def _said(seen: Seen, table: Phrases) -> Iterator[Match]:
    for match in table.find(seen.parse):
        if not match.unsaid and not told(seen, match.first):
            yield match


def _first(seen: Seen, place: int) -> bool:
    """Returns whether a word begins its sentence, but for `so`, `and` or a name: an instruction."""
    begin = seen.parse.sentences[seen.tokens[place].sentence].first
    lead = [t.text for t in seen.tokens[begin:place]]
    return all(
        w in LEADING or w in {"just", "then", "now", "please"} or not w[0].isalnum() for w in lead
    )


def _open_question(seen: Seen) -> Iterator[Cue]:
    """Yields what, how and why put to a client; `why` asks for reasons, so it is less open."""
    for q in questions(seen):
        if q.kind != "open" or q.strength < 0.5:
            continue
        why = "why" in q.words.lower().split()
        yield from seen.cues("open_question", q.strength * (0.7 if why else 0.9), q.words)
    for match in _said(seen, phrases.OPEN):
        yield from seen.cues("open_question", match.strength, match.words)


def _circular_question(seen: Seen) -> Iterator[Cue]:
    """Yields what is asked about somebody else's mind or doings, by who the verb is said of."""
    kinds = {q.sentence: q for q in questions(seen) if q.kind == "open" and q.strength >= 0.5}
    for t in seen.tokens:
        head = seen.tokens[t.head]
        if t.sentence not in kinds or t.dep != "nsubj" or head.lemma not in MINDS:
            continue
        other = [m for m in seen.meant(t.i) if m.how != "you" and m.person not in seen.addressees]
        kin = t.lemma in KIN and any(
            seen.tokens[c].text in {"your", "his", "her"} for c in seen.parse.children[t.i]
        )
        if (other or kin) and head.dep not in {"advcl", "relcl"}:
            yield from seen.cues("circular_question", 0.7, kinds[t.sentence].words, by="grammar")


def _feeling(seen: Seen, asks: set[int]) -> Iterator[Cue]:
    """Yields words for what the addressee feels: a feeling said of `you`, not asked openly."""
    for t in seen.tokens:
        if t.text not in FEELING_OF or t.negated or FEELING_OF[t.text] in {"joy", "surprise"}:
            continue
        if t.pos not in {"ADJ", "NOUN", "VERB"} or told(seen, t.i):
            continue
        sentence = seen.parse.sentences[t.sentence]
        before = {w.text for w in seen.tokens[max(sentence.first, t.i - 7) : t.i]}
        if YOURS.isdisjoint(before) and not {"i", "so"} <= before:
            continue
        opened = any(q.sentence == t.sentence and q.kind == "open" for q in questions(seen))
        if opened:
            continue
        strength = 0.55 if t.sentence in asks else 0.7
        yield from seen.cues("evocative_reflection", strength, seen.parse.clause(t.i), by="grammar")


def _sequence(seen: Seen, asks: set[int]) -> Iterator[Cue]:
    """Yields a named sequence between two people, or one meaning put in place of another."""
    for hit in hits(seen, phrases.SEQUENCE):
        one, other = people(seen, hit, "a"), people(seen, hit, "b")
        if (
            one
            and other
            and not set(one) & set(other)
            and seen.tokens[hit.first].sentence not in asks
        ):
            yield from seen.cues("cycle_naming", 0.7, hit.words, by="grammar")
    for hit in hits(seen, phrases.THE_MORE):
        yield from seen.cues("cycle_naming", 0.9, hit.words, by="grammar")
    for hit in hits(seen, phrases.NOT_BUT):
        yield from seen.cues("reframing", 0.7, hit.words, by="grammar")
