"""Who takes the floor and how: questions, pressed ones, and the ways of not answering."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from relgraph.cues._feeling_words import FEELING_OF
from relgraph.cues._lexicon import Phrases, words
from relgraph.cues._phrases import ASSENT, bare, told
from relgraph.cues._questions import PUT, Question, alike, content, put_to, questions
from relgraph.cues._seen import Seen
from relgraph.cues.records import Cue

LOOK_BACK_TURNS = 6
"""A question counts as put again if it was put so many turns ago at most."""
FEW_WORDS = 3
"""An answer of so many words at most, fillers not counted, is short."""
EVADED = 0.4
"""A turn that withdraws less surely than this is an answer."""
MEANT = 0.75
"""Somebody who is less surely spoken to may not have been meant."""
WITHDRAWALS = frozenset({"short_answer", "refusal", "topic_shift"})

NO = words("no nope nah never not")
WARM = words("thank thanks sorry love please welcome hello hi bye")
NOTHING = re.compile(
    r"^(?:(?:nothing|fine|whatever|maybe|perhaps|dunno|no idea|i guess|i suppose|guess so|so|not "
    r"really|really|same|(?:i )?(?:don ?'?t|do n't) know|no clue|nowhere|no one|nobody|hard to say"
    r"|it 's fine|i 'm (?:fine|good)|(?:it )?depends|who knows|not much|never mind|so-so|much|"
    r"i forget|can ?'?t say|ca n't say|if you say|just tired|because|(?:i 'm )?not sure|neutral"
    r")\s*)+$"
)
REFUSAL = Phrases(
    """
    # refusal
    0.9 i really/just? don't/do_not/dont want/wanna/care/like/need to? talk/speak/discuss
    0.9 i really/just? don't/do_not/dont want/wanna/care/like/need to? talking/discussing
    0.9 i really/just? don't/do_not/dont want/wanna/care/like/need to? even/be? argue/answer/hear
    0.9 i really/just? don't/do_not/dont want/wanna/care to? even? get_into/go_into/go_there
    0.9 i really/just? don't/do_not/dont want/wanna/care to? even? deal_with/dwell/sit_here
    0.9 i really/just? don't/do_not/dont want/wanna/care to? even? do_this/have_this
    0.8 i don't/do_not/dont feel like i? want? to? talking/discussing/talk/discuss/deal/dealing
    0.9 I'M just? not going_to/gonna talk/speak/discuss/answer/do_this/explain/get_into/go_there
    0.9 I'M just? not going_to/gonna engage/listen/argue
    0.8 I'M just? not interested in/to talk/talking/discussing/hear/hearing
    0.9 I'M not having this/that talk/conversation/discussion/argument/fight
    0.7 let's not talk/discuss/go_there
    0.7 I'M so? tired/sick of talking/arguing/explaining
    0.6 i give up $
    0.9 I'M not talking/discussing/doing about/with? this/that/it/you
    0.9 I'M just? done/through/finished with? talking/discussing/trying/arguing/explaining
    0.9 I'M just? done/through/finished with? fighting/this/it/you
    0.9 I'M just? done $
    0.9 we're/we_are not talking/discussing/doing about? that/this/it
    0.8 leave it/me/that alone? $
    0.8 drop it/this/that please? $
    0.8 forget it/this/that $
    0.8 forget about? it/this/that $
    0.6 never_mind/nevermind $
    0.6 let it go $
    0.9 i refuse/decline to
    0.9 not going there
    0.9 not going to/gonna? do it/that/this $
    0.9 no comment $
    0.8 i have/'ve/got nothing more/else/left? to say
    0.8 nothing to say
    0.6 I'D rather not
    0.6 i won't/will_not talk/discuss/answer/say/do
    0.8 conversation is/'s over
    0.8 end of story/discussion/conversation $
    0.8 ^ whatever $
    0.5 whatever $
    0.6 there's/there_is just? no/not_any point/use
    0.6 what's/what_is the point/use $
    0.5 what's/what_is the point/use of
    0.6 i just? can't/cannot $
    0.6 i just? can't/cannot do/deal/handle/take with? this/it
    0.8 I'M leaving $
    0.8 I'M leaving now
    0.8 I'M out/walking_out of? here? $
    0.8 i need to get_out/leave/go_outside
    0.6 i need some? air/a_break/space $
    0.8 I'LL be/wait outside/in_the_car
    0.7 i should/better/will/'ll/gonna just? shut_up/be_quiet/keep_quiet/stop_talking/shut_down
    0.7 I'M just? going_to/gonna just? shut_up/be_quiet/sit_here/keep_quiet/stop_talking
    0.6 do what/whatever you want/like
    0.6 have it your way
    0.6 if you say so
    0.6 think what/whatever you want/like
    0.6 fine then
    0.5 ^ ugh $
    0.5 ^ unbelievable $
    """
)
DONT_KNOW = Phrases(
    """
    # refusal
    0.6 i really/just/honestly? don't/do_not/dont even? know
    0.6 no idea $
    """
)
ANSWER_ME = Phrases(
    """
    # question_pressed
    0.9 answer me/my_question/the_question
    0.8 i already asked you
    0.8 i asked you $
    0.8 i asked you a/what/why/how/when/whether
    0.8 i keep/kept asking you
    0.7 I'M still? asking you a/what/why/how/if/whether/again
    0.7 I'M still? asking you $
    0.8 you still? haven't/have_not answered
    0.8 you still/just? didn't/did_not/never answer/answered
    0.7 that's/that_is/that_was not an? answer
    0.6 that doesn't/didn't answer
    0.6 I'M still? waiting
    """
)
ELSEWHERE = Phrases(
    """
    # topic_shift
    0.8 anyway
    0.8 by the way
    0.7 speaking of
    0.8 moving on
    0.8 can/could we talk about something/what/how/your/you
    0.7 let's talk about
    0.7 what about you/your/the/when
    0.6 i/i'd want/like/wanted to talk about how/what/you/your/my/our/the/something/somebody
    0.7 did i tell you
    0.6 did you hear/see
    0.7 changing the subject
    """
)
ALONE = frozenset({"whatever", "i can't", "i just can't", "i cannot"})
BIDS = frozenset({"leave", "drop", "forget", "let"})
ASKED_OF_YOU = re.compile(r"^(?:can|could|will|would) you$|\b(?:want|need|like) you to$")
LEAVES = re.compile(r"\[[^\]\n]{0,24}(?:walks out|leaves|storms out|gets up)[^\]\n]{0,24}\]", re.I)
CUT_OFF = re.compile(r"(?:--+|\u2014|\u2013|(?<=\w)-| -)[\"'\u201d)\s]*$")
TRAILS_OFF = re.compile(r"(?:\.\.\.|\u2026)[\"'\u201d)\s]*$")


def detect(seen: Seen) -> Iterator[Cue]:
    """Yields the turn-taking cues that the words and the order of turns show."""
    asked = [q for q in questions(seen) if q.strength >= 0.3]
    if asked:
        best = max(asked, key=lambda q: q.strength)
        yield from seen.cues("question", best.strength, best.words, by="grammar")
    yield from _pressed(seen)
    if not seen.by_supporter:
        yield from _short_answer(seen)
        yield from _topic_shift(seen)
        yield from _refusal(seen)
    yield from _no_reply(seen)
    yield from _interruption(seen)


def _short_answer(seen: Seen) -> Iterator[Cue]:
    """Yields a short answer. A time, a name or a feeling may be the full answer in a word."""
    question = put_to(seen)
    if question is None or not seen.text.strip():
        return
    strength = _shortness(seen, question[1])
    if strength:
        yield seen.cue("short_answer", question[0].speaker, strength, seen.text, by="turns")


def _shortness(seen: Seen, question: Question) -> float:
    said = bare(seen)
    if not said:
        return 0.0 if any(t.text in ASSENT for t in seen.tokens) else 0.7
    if NOTHING.match(" ".join(said)):
        return 0.8
    if said[0] in ASSENT or said[-1] in ASSENT or said[:2] == ["of", "course"]:
        return 0.0
    if all(w in NO for w in said):
        return 0.4 if question.kind == "polar" else 0.6
    if len(said) > FEW_WORDS:
        return 0.0
    if CUT_OFF.search(seen.text) or seen.text.rstrip().endswith(","):
        return 0.45
    if "?" in seen.text:
        return 0.4
    if question.kind == "closed" or any(t.pos in {"NUM", "PROPN"} for t in seen.tokens):
        return 0.0
    if not WARM.isdisjoint(said) or _names_feeling(seen) or said[0] in {"i", "we"}:
        return 0.0
    return 0.35


def _names_feeling(seen: Seen) -> bool:
    return any(t.text in FEELING_OF or t.lemma in FEELING_OF for t in seen.tokens)


def _topic_shift(seen: Seen) -> Iterator[Cue]:
    """Yields an answer about something else.

    Answers to `what` and `why` seldom repeat a word of the question, so that no shared word alone
    says nothing: there has to be a phrase that leads elsewhere, or a counter-question.
    """
    question = put_to(seen)
    said = bare(seen)
    if question is None or len(said) < 4 or said[0] in ASSENT | NO | {"because", "cause"}:
        return
    before, asked = question
    own = content(seen)
    if own & (asked.content | content(before)):
        return
    for match in ELSEWHERE.find(seen.parse):
        if seen.tokens[match.first].sentence <= 1 and not told(seen, match.first):
            yield seen.cue("topic_shift", before.speaker, match.strength, match.words, by="turns")
            return
    # "Will you come?" - "The car needs new tyres.": neither yes nor no, and about another thing.
    begins = next((t.pos for t in seen.tokens if t.text == said[0]), "")
    apart = begins in {"DET", "NOUN"} and said[0] not in {"this", "that", "all"}
    if asked.kind == "polar" and asked.turned and apart and len(own) > 1:
        if not before.by_supporter:
            yield seen.cue("topic_shift", before.speaker, 0.4, seen.text.strip()[:60], by="turns")
        return
    # Put to the supporter, a counter-question mostly asks what was meant.
    counter = questions(seen)[:1]
    if counter and counter[0].sentence == 0 and counter[0].turned and not before.by_supporter:
        yield seen.cue("topic_shift", before.speaker, 0.5, counter[0].words, by="turns")


def _refusal(seen: Seen) -> Iterator[Cue]:
    found = [
        (match.strength, match.words)
        for match in REFUSAL.find(seen.parse)
        if not (match.unsaid or told(seen, match.first) or seen.tokens[match.first].supposed)
        and (match.words.lower() not in ALONE or _alone(seen, match.first))
        and (seen.tokens[match.first].text not in BIDS or _bid(seen, match.first))
    ]
    # One sentence among many others refuses less than one that stands alone.
    found = [(s * (1.0 if len(seen.tokens) <= 40 else 0.7), w) for s, w in found]
    for match in DONT_KNOW.find(seen.parse):
        rest = len(bare(seen)) - len(bare(seen, match.first, match.last + 1))
        if rest <= 4 and not told(seen, match.first):
            found.append(((0.7 if put_to(seen) else 0.5) - 0.05 * rest, match.words))
    left = LEAVES.search(seen.text)
    if left:
        found.append((0.8, left.group()))
    if not found:
        return
    strength, said = max(found, key=lambda pair: pair[0])
    yield from seen.cues("refusal", strength, said)
    # "I won't go into it", said to the supporter, turns away from the one who asked.
    before = seen.before
    if before and seen.speaker in before.addressees and before.speaker not in seen.addressees:
        yield seen.cue("refusal", before.speaker, strength, said)


def _bid(seen: Seen, place: int) -> bool:
    """Returns whether a verb asks for it: in "she will leave me" it tells what somebody does."""
    first = seen.parse.sentences[seen.tokens[place].sentence].first
    before = [t for t in seen.tokens[first:place] if t.pos not in {"ADV", "INTJ", "CCONJ"}]
    if not before or ASKED_OF_YOU.search(" ".join(t.text for t in before[-3:])):
        return True
    last = before[-1]
    called = last.i == first and last.pos in {"PROPN", "NOUN"}
    return called or last.pos not in {"PRON", "PROPN", "NOUN", "AUX", "PART"}


def _alone(seen: Seen, place: int) -> bool:
    """Returns whether a word or two make up their sentence: "whatever" is else a filler."""
    sentence = seen.parse.sentences[seen.tokens[place].sentence]
    return len(bare(seen, sentence.first, sentence.stop)) <= 3


def _pressed(seen: Seen) -> Iterator[Cue]:
    """Yields questions that are put again after they were not answered."""
    for match in ANSWER_ME.find(seen.parse):
        if not (match.unsaid or told(seen, match.first) or seen.tokens[match.first].supposed):
            yield from seen.cues("question_pressed", match.strength, match.words)
    asked = [q for q in questions(seen) if q.strength >= PUT]
    for target in seen.addressees if asked else ():
        strength, said = max((_press(seen, q, target) for q in asked), key=lambda found: found[0])
        if strength:
            yield seen.cue("question_pressed", target, strength * seen.sure, said, by="turns")


def _press(seen: Seen, question: Question, target: str) -> tuple[float, str]:
    """Returns how surely a question presses one of the turns before, and its words.

    An answer in between that is none (short, refusing, elsewhere) makes any further question
    pressing, a like one more so; without any answer it has to be a like one.
    """
    evaded = 0.0
    last = seen.before
    for earlier in reversed(seen.past[-LOOK_BACK_TURNS:]):
        if earlier.speaker == target:
            strength = _withdraws(seen, earlier)
            if strength < EVADED:
                return 0.0, ""
            evaded = max(evaded, strength)
        elif earlier.speaker == seen.speaker and target in earlier.addressees:
            if target in earlier.remarked and not evaded:
                return 0.0, ""
            old = [q for q in questions(earlier) if q.strength >= PUT]
            again = any(alike(q, question) for q in old)
            if old and evaded and (again or (last and last.speaker == target)):
                return min(0.9, evaded + (0.1 if again else -0.2)), question.words
            if again and not evaded and question.content:
                return 0.6, question.words
    return 0.0, ""


def _withdraws(seen: Seen, earlier: Seen) -> float:
    """Returns how surely an earlier turn's speaker did not answer in it."""
    return max(
        (
            cue.strength
            for cue in seen.found.get(earlier.turn, ())
            if cue.name in WITHDRAWALS and cue.source == earlier.speaker
        ),
        default=0.0,
    )


def _no_reply(seen: Seen) -> Iterator[Cue]:
    """Yields that somebody stayed silent who was spoken to, while another one takes the floor.

    It is known, and stands, at the turn of the one who speaks instead.
    """
    before = seen.before
    if before is None or before.speaker == seen.speaker or len(before.addressees) != 1:
        return
    silent = before.addressees[0]
    if silent in {seen.speaker, seen.supporter, *before.remarked, *seen.remarked}:
        return
    # Of two clients, the one who does not speak is silent; among several it has to be sure who.
    if before.sure < MEANT and len(before.clients) > 2:
        return
    if any(q.strength >= PUT for q in questions(before)):
        strength = 0.5 if seen.by_supporter else 0.7
    elif not seen.by_supporter and len(bare(before)) > 4:
        strength = 0.35
    else:
        return
    cue = seen.cue("no_reply", before.speaker, strength * before.sure, "no answer", by="turns")
    yield replace(cue, source=silent)


def _interruption(seen: Seen) -> Iterator[Cue]:
    """Yields that a turn cuts the one before off: its text ends in a mark of breaking off."""
    before = seen.before
    if before is None or before.speaker == seen.speaker:
        return
    said = bare(seen)
    if not said or (len(said) <= 3 and all(w in ASSENT for w in said)):
        return
    if CUT_OFF.search(before.text):
        yield seen.cue("interruption", before.speaker, 0.7, before.text.strip()[-24:], by="turns")
    elif TRAILS_OFF.search(before.text):
        yield seen.cue("interruption", before.speaker, 0.35, before.text.strip()[-24:], by="turns")
