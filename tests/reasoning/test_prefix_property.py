"""One evaluation serves every cut: what is known at a turn is what the turns so far give."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from relgraph.cues import Cue, RoleSign
from relgraph.reasoning import RuleSet, evaluate, facts_of, reason
from relgraph.records import Conversation, Turn


def known(reasoning, cut):
    return [(f.atom, f.known_at, f.strength) for f in reasoning.at(cut)]


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**9), times=st.booleans())
def test_what_is_known_at_a_cut_is_what_the_turns_so_far_give(made, seed, times):
    draw = random.Random(seed)
    rules = made.program(draw, graded=True, seconds=times)
    turns = draw.randint(1, 12)
    facts, clock = made.facts(draw, turns, graded=True, times=times)
    whole = evaluate(rules, facts, last_turn=turns, times=clock)
    for cut in range(turns + 1):
        so_far = [fact for fact in facts if fact.known_at <= cut]
        seen = None if clock is None else {t: v for t, v in clock.items() if t <= cut}
        part = evaluate(rules, so_far, last_turn=cut, times=seen)
        assert known(whole, cut) == known(part, cut)
        firings = [f for f in whole.firings if f.conclusion.known_at <= cut]
        assert sorted(map(repr, firings)) == sorted(map(repr, part.firings))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9), roster=st.booleans())
def test_the_facts_of_a_prefix_are_the_facts_known_by_then(seed, roster):
    draw = random.Random(seed)
    people = ("Ana", "Ben", "Cem", "Therapist")
    turns = tuple(
        Turn(
            i,
            draw.choice((*people, "Family")),
            "",
            tuple(draw.sample((*people, "Family"), draw.choice((0, 1, 1, 2)))),
        )
        for i in range(1, 9)
    )
    whole = Conversation("c", turns, scenario=draw.choice(("family", "couple")),
                         participants=people[:3] if roster else ())  # fmt: skip
    cues = [
        Cue("blame", t.index, t.speaker, draw.choice((*people, "", "Family")), 0.5, "words")
        for t in turns
    ]
    roles = [RoleSign("Ana", "parent", 2, 0.9, "mum"), RoleSign("Ben", "child", 4, 0.8, "son")]
    for cut in range(9):
        part = Conversation("c", turns[:cut], scenario=whole.scenario,
                            participants=whole.participants)  # fmt: skip
        now = [f for f in facts_of(whole, cues, roles=roles) if f.known_at <= cut]
        then = facts_of(
            part, [c for c in cues if c.turn <= cut], roles=[r for r in roles if r.known_at <= cut]
        )
        assert sorted(map(repr, now)) == sorted(map(repr, then))


def test_a_conversation_cut_short_concludes_what_the_whole_one_had_concluded_by_then():
    rules = RuleSet.parse(
        "rule left(A, B) when question T: A -> B unless disclosure R: B -> A within 2 turns after T"
    )
    turns = tuple(Turn(i, "Ana" if i % 2 else "Ben", "") for i in range(1, 6))
    cues = [Cue("question", 1, "Ana", "Ben", 0.8, "?"), Cue("question", 4, "Ana", "Ben", 0.8, "?")]
    whole = reason(Conversation("c", turns), rules, cues=cues, roles=())
    assert [(f.atom.turn, f.known_at) for f in whole.conclusions] == [(1, 3)]
    assert [f.conclusion.known_at for f in whole.unconfirmed] == [6]
    early = reason(Conversation("c", turns[:2]), rules, cues=cues[:1], roles=())
    assert early.conclusions == whole.at(2) == ()
    assert [f.conclusion.known_at for f in early.unconfirmed] == [3]
