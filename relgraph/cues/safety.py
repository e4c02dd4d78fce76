"""Fear, coercion, threats and violence between those who are there.

Missing one is worse than finding one too many, so the patterns are broad; but what is denied,
supposed, a figure of speech or only asked about does not count. A question about it that is
answered with yes does, at the answer. That no cue is found does not mean that people are safe:
many who are afraid will not say so in front of the one they fear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from relgraph.cues._fear_phrases import COERCION, FEAR
from relgraph.cues._harm_phrases import THREAT, VIOLENCE
from relgraph.cues._lexicon import words
from relgraph.cues._phrases import Hit, asked, bare, hits, people, span, told
from relgraph.cues._safety_pattern import Pattern
from relgraph.cues._seen import Seen
from relgraph.cues.records import Cue

SAFETY = (*FEAR, *COERCION, *THREAT, *VIOLENCE)
DENIED = re.compile(r"\b(?:not|never|(?<!say )no|without|hardly)\b|n't\b")
SUPPOSED = re.compile(r"\b(?:would(?:n't)?|could|might|'d) (?:be|feel|get|have been)\b|\bwhat if\b")
YES = words("yes yeah yep yup yea sometimes often always definitely absolutely mm-hm mm-hmm")
YES_BEGINS = re.compile(
    r"^\W*(?:(?:well|um|uh|oh|so|i mean),? )*(?:i am|i do|i did|i was|i have|he did|she did"
    "|he does|"
    r"she does|he has|she has|he is|she is|it did|it has|a lot|a little|of course|kind of"
    "|once|twice"
    r"|a few times|many times|all the time)\b(?! not|n't)"
)
OF_SUPPORTER = 0.8
"""What the supporter says of it counts so much of what a client says."""
ANSWERED = 0.85
"""A yes to a question about it counts so much."""
NOBODY_HERE = 0.6
"""Where one of the two is nobody who is there, it counts so much."""


class _Found(NamedTuple):
    cue: str
    strength: float
    source: str
    target: str
    words: str
    question: bool


def detect(seen: Seen) -> Iterator[Cue]:
    """Yields safety cues: the source is who is afraid, is controlled, threatens or hurts.

    That is whoever it is told of, not always the speaker; the target is who is feared, who
    controls, is threatened or is hurt. Where one of the two is not there, it is the other one, or
    who tells it, towards nobody.
    """
    for found in _found(seen):
        if not found.question:
            strength = found.strength * (OF_SUPPORTER if seen.by_supporter else 1.0)
            yield _cue(seen, found, strength, found.words)
    before = seen.before
    if before is None or before.speaker == seen.speaker or seen.by_supporter or not _yes(seen):
        return
    if seen.speaker in before.addressees or seen.remark:
        for found in _found(before):
            if found.question:
                yield _cue(seen, found, found.strength * ANSWERED, seen.text.strip()[:60])


def _cue(seen: Seen, found: _Found, strength: float, said: str) -> Cue:
    cue = seen.cue(found.cue, found.target, strength, said)
    return replace(cue, source=found.source)


def _yes(seen: Seen) -> bool:
    said = bare(seen)
    return bool(said and said[0] in YES) or bool(YES_BEGINS.match(seen.parse.plain))


def _found(seen: Seen) -> Iterator[_Found]:
    for pattern in SAFETY:
        if pattern.rule_of_parents and seen.scenario == "family":
            continue
        for hit in hits(seen, pattern.regex):
            if not _meant(seen, pattern, hit):
                continue
            question = asked(seen, hit.last)
            for source, target in _pairs(seen, pattern, hit):
                if pattern.cue == "coercion":
                    source, target = target, source
                known = source and target
                yield _Found(
                    pattern.cue,
                    pattern.strength * (1.0 if known else NOBODY_HERE),
                    source or seen.speaker,
                    target if source else "",
                    hit.words,
                    question,
                )


def _meant(seen: Seen, pattern: Pattern, hit: Hit) -> bool:
    """Returns whether it is said to be so: not denied, not supposed, not somebody's retold `I`."""
    groups = hit.match.groupdict()
    key = span(seen, hit, "k") if groups.get("k") else range(hit.last, hit.last + 1)
    first = seen.parse.sentences[seen.tokens[hit.first].sentence].first
    before = seen.parse.plain[seen.parse.begins[first] : hit.match.start()].lower()
    if not pattern.denies:
        if DENIED.search(hit.match.group().lower()) or seen.tokens[key[0]].negated:
            return False
        if re.search(r"(?:\bnot|n't|\bnever)(?: \w+)?$", before.rstrip()):
            return False
    if SUPPOSED.search(hit.match.group().lower()):
        return False
    if pattern.cue != "threat" and seen.tokens[key[0]].supposed:
        # "if he hits me again" says that he has.
        return "again" in seen.parse.clause(hit.first).lower()
    own = re.match(r"i\b|you\b", hit.match.group().lower())
    return not (own and told(seen, hit.first)) or bool(_quoted(seen, pattern, hit))


def _quoted(seen: Seen, pattern: Pattern, hit: Hit) -> tuple[str, ...]:
    """Returns who is quoted with a threat: "he said, I'll take the kids"."""
    if pattern.cue != "threat" or not told(seen, hit.first):
        return ()
    sentence = seen.tokens[hit.first].sentence
    return tuple(
        m.person
        for m in seen.mentions
        if m.token < hit.first and seen.tokens[m.token].sentence >= sentence - 1 and m.how != "you"
    )[-1:]


def _pairs(seen: Seen, pattern: Pattern, hit: Hit) -> Iterator[tuple[str, str]]:
    """Yields who does it to whom; "" for somebody who is not there."""
    if pattern.mutual:
        two = seen.clients if len(seen.clients) == 2 else ()
        yield from ((two[0], two[1]), (two[1], two[0])) if two else (("", ""),)
        return
    quoted = _quoted(seen, pattern, hit)
    if quoted:
        yield quoted[0], seen.speaker if seen.speaker in seen.clients else ""
        return
    groups = hit.match.groupdict()
    first = people(seen, hit, "a") if groups.get("a") else None
    second = people(seen, hit, "b") if groups.get("b") else None
    if first is None:
        first = _other_than(seen, second or ()) if pattern.cue == "coercion" else (seen.speaker,)
    if second is None:
        second = _other_than(seen, first)
    for one in _clients(seen, first):
        for other in _clients(seen, second):
            if one != other:
                yield one, other


def _clients(seen: Seen, people: tuple[str, ...]) -> tuple[str, ...]:
    """Returns those of them who are there and no supporter; "" where none is."""
    return tuple(p for p in people if p in seen.clients) or ("",)


def _other_than(seen: Seen, people: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the client spoken to, or the only other one."""
    spoken_to = [p for p in seen.addressees if p in seen.clients and p not in people]
    if len(spoken_to) == 1:
        return tuple(spoken_to)
    others = [p for p in seen.clients if p not in people]
    return tuple(others) if len(others) == 1 else ()
