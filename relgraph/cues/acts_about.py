"""Acts between more than two: speaking for somebody, and about somebody who is there."""

from __future__ import annotations

from collections.abc import Iterator

from relgraph.cues._act_words import FEELING, MENTAL
from relgraph.cues._parse import Token
from relgraph.cues._seen import Mention, Seen
from relgraph.cues._weighing import around, asked
from relgraph.cues.records import Cue

TOLD_TO_SUPPORTER = 0.3
"""Whoever tells a supporter of the other one does what is asked of them: weak as a sign."""
TOLD_TO_OTHERS = 0.6


def detect(seen: Seen) -> Iterator[Cue]:
    """Yields who is spoken of, and who is spoken for."""
    for mention in seen.mentions:
        if mention.how != "you" and mention.person not in (*seen.addressees, seen.supporter):
            base = TOLD_TO_SUPPORTER if _is_usual(seen) else TOLD_TO_OTHERS
            words = seen.parse.clause(mention.token)
            yield seen.cue("third_person", mention.person, base * mention.weight, words)
        if not seen.by_supporter and mention.person != seen.supporter:
            yield from _speaks_for(seen, mention)


def _is_usual(seen: Seen) -> bool:
    return seen.by_supporter or seen.to_supporter or not seen.addressee_known


def _speaks_for(seen: Seen, mention: Mention) -> Iterator[Cue]:
    """Yields that the speaker says what somebody thinks, feels or wants.

    Not asked, not supposed, not told as what they said themselves; "you know" and "you don't
    care" are other acts.
    """
    word = seen.tokens[mention.token]
    if word.dep != "nsubj" or word.head == word.i:
        return
    verb = seen.tokens[word.head]
    if verb.reported or verb.supposed or asked(seen, verb.i):
        return
    if seen.parse.sentences[verb.sentence].question:
        return
    if verb.lemma not in MENTAL and not _is_said_to_feel(seen, verb):
        return
    if not _is_stated(seen, word, verb):
        return
    # "what do you want", "tell me what you think": the other one is asked, not spoken for
    before = {t.text for t in seen.tokens[max(0, word.i - 4) : word.i]}
    if before & {
        "tell",
        "know",
        "ask",
        "if",
        "whether",
        "wonder",
        "when",
        "what",
        "how",
        "where",
        "whatever",
    }:
        return
    strength = 0.6 * mention.weight * around(seen, word.i, verb.i)
    if any(
        t.text in {"think", "guess"} and t.i < word.i
        for t in seen.tokens[max(0, word.i - 3) : word.i]
    ):
        strength *= 0.8
    yield seen.cue(
        "speaks_for",
        mention.person,
        strength,
        seen.parse.said(word.i, min(verb.i + 5, seen.parse.sentences[verb.sentence].stop - 1)),
        by="grammar",
    )


def _is_said_to_feel(seen: Seen, verb: Token) -> bool:
    """Whether it is `you are angry`."""
    return verb.lemma == "be" and any(
        seen.tokens[c].dep == "acomp" and seen.tokens[c].text in FEELING
        for c in seen.parse.children[verb.i]
    )


def _is_stated(seen: Seen, word: Token, verb: Token) -> bool:
    """Whether it is stated of somebody: `she wants`, not `let her feel`, `would he want`."""
    helpers = [seen.tokens[c] for c in seen.parse.children[verb.i] if seen.tokens[c].dep == "aux"]
    if any(t.tag == "MD" or t.text == "to" or t.i < word.i for t in helpers):
        return False
    return verb.tag in {"VBP", "VBZ", "VBD"} or bool(helpers)
