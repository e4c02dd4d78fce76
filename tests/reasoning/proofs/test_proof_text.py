"""Proofs as people read them."""

from relgraph.cues import Cue
from relgraph.reasoning.explain import because, prove
from relgraph.reasoning.explanation import explanation_text
from relgraph.reasoning.proof_text import proof_text
from relgraph.reasoning.sections import sections

PROOF = """\
chase turn 5: Ana presses again, Ben pulls away
  strength 0.43 = 0.80 (rule) x 0.54 (weakest), by talk:chase
  turn 3  Ana -> Ben  press 0.54
    strength 0.54 = 0.90 (rule) x 0.60 (weakest), by talk:press
    turn 3  Ana -> Ben  demand 0.60  "answer me"
  turn 5  Ben -> Ana  short_answer 0.70  (turns: 1 word after a question)
  checked: count of demand Ana -> Ben within 5 turns up to turn 5 at least 2 = 2
    turn 1  Ana -> Ben  demand 0.80  "tell me"
    turn 3  Ana -> Ben  demand 0.60  "answer me"
  checked: Ana != Ben
  checked: no softening Ana -> Ben between turn 3 and turn 5
    turn 4  Ana -> Ben  softening 0.30  "I miss you"  (too weak to block)
  checked: no safety cue (fear_of, coercion, threat, violence) between Ana and
    Ben
"""
EXPLANATION_END = """
not concluded, and what came nearest:
  calm: blocked by turn 3 Ana -> Ben  demand 0.60  "answer me" (no demand Ana ->
    Ben within 5 turns before turn 5) [talk:calm, 1 of 2; there was short_answer
    turn 5: Ben -> Ana]
  alone: a window that ends at turn 7 has not closed [talk:alone, 1 of 2; there
    was short_answer turn 5: Ben -> Ana]
  nothing spoke for gone

blocked:
  calm (Ben and Ana are calm; turn 5): turn 3 Ana -> Ben  demand 0.60  "answer
    me" [talk:calm]

unconfirmed:
  alone (Ben gets no answer; turn 5): to be seen up to turn 7 [talk:alone]
"""


def only(reasoning, head):
    (fact,) = (f for f in reasoning.conclusions if f.atom.predicate == head)
    return fact


def test_a_proof_reads_from_the_conclusion_down_to_the_words(reasoned) -> None:
    reasoning = reasoned()
    assert proof_text(prove(reasoning, only(reasoning, "chase"))) == PROOF


def test_the_strength_is_told_with_its_arithmetic(reasoned) -> None:
    proof = prove(reasoned(), only(reasoned(), "chase"))
    assert proof.arithmetic == "0.43 = 0.80 (rule) x 0.54 (weakest)"


def test_a_proof_knows_the_turns_that_it_comes_down_to(reasoned) -> None:
    proof = prove(reasoned(), only(reasoned(), "chase"))
    assert proof.turns == (1, 3, 5)


def test_a_conclusion_known_later_than_its_turn_says_so(reasoned) -> None:
    late = 'rule left(A) "A is left" when demand T: A -> B unless demand T1: A -> B at least 0.9 '
    reasoning = reasoned(rules=late + "within 2 turns after T")
    text = proof_text(prove(reasoning, reasoning.conclusions[1]))
    assert text.splitlines()[1] == (
        "  strength 0.80 = 1.00 (rule) x 0.80 (weakest), known at turn 3, by talk:left"
    )


def test_other_ways_to_a_conclusion_are_named(reasoned) -> None:
    other = "rule press/again(A, B) weight 0.5 when demand T: A -> B and softening T2: A -> B "
    demand = Cue("demand", 4, "Ana", "Ben", 0.9, "I miss")
    reasoning = reasoned(demand, rules=other + "within 1 turns after T")
    (fact,) = (f for f in reasoning.conclusions if f.atom[:2] == ("press", 4))
    assert proof_text(prove(reasoning, fact)).splitlines()[-1] == (
        "  also by talk:press/again 0.15, turns 3, 4"
    )


def test_like_other_ways_are_one_line_with_their_number(reasoned) -> None:
    signs = {"demand": 0.9, "blame": 0.8, "criticism": 0.8, "contempt": 0.7, "refusal": 0.6}
    cues = [Cue(name, 4, "Ana", "Ben", strength, "I miss") for name, strength in signs.items()]
    other = f"rule press/other(A, B) weight 0.5 when any of {', '.join(signs)} T: A -> B"
    reasoning = reasoned(*cues, rules=other)
    (fact,) = (f for f in reasoning.conclusions if f.atom[:2] == ("press", 4))
    assert proof_text(prove(reasoning, fact)).splitlines()[-4:] == [
        "  also by talk:press/other 0.45, turn 4",
        "  also by talk:press/other 0.40, turn 4 (2 ways)",
        "  also by talk:press/other 0.35, turn 4",
        "  also in 1 other way",
    ]


def test_a_proof_that_stands_above_is_not_repeated(reasoned) -> None:
    reasoning = reasoned()
    told = set(reasoning.conclusions)
    lines = proof_text(prove(reasoning, only(reasoning, "chase")), told=told).splitlines()
    assert lines[2] == "  turn 3  Ana -> Ben  press 0.54  (proof above)"
    assert lines[3].startswith("  turn 5")


def test_because_is_the_proof_in_short_lines(reasoned) -> None:
    reasoning = reasoned()
    assert because(reasoning, only(reasoning, "chase")) == (
        "Ana presses again, Ben pulls away (talk:chase 0.43)",
        "turn 3: Ana -> Ben  press 0.54",
        '  turn 3: Ana -> Ben  demand 0.60  "answer me"',
        "turn 5: Ben -> Ana  short_answer 0.70  (turns: 1 word after a question)",
        "count of demand Ana -> Ben within 5 turns up to turn 5 at least 2 = 2 (turns 1, 3)",
        "Ana != Ben",
        "no softening Ana -> Ben between turn 3 and turn 5",
        "no safety cue (fear_of, coercion, threat, violence) between Ana and Ben",
    )


def test_what_was_not_concluded_is_told_with_what_it_lacked(reasoned, talk) -> None:
    reasoning = reasoned()
    text = explanation_text(talk, reasoning, sections(reasoning, task="rpp"))
    assert text.endswith(EXPLANATION_END)


def test_a_safety_cue_that_blocks_a_mutual_rule_is_told_even_in_brief(reasoned, talk) -> None:
    reasoning = reasoned(Cue("fear_of", 4, "Ana", "Ben", 0.8, "I am scared of you"))
    text = explanation_text(talk, reasoning, sections(reasoning), brief=True)
    assert "chase turn 5" not in text
    assert text.endswith(
        "blocked:\n"
        "  chase (Ana presses again, Ben pulls away; turns 3, 5): turn 4 Ana -> Ben\n"
        '    fear_of 0.80  "I am scared of you" [talk:chase]\n'
    )


def test_rules_that_need_recorded_times_are_named_where_there_are_none(reasoned, talk) -> None:
    timed = "rule slow(A, B) when demand T: A -> B and short_answer T2: B -> A "
    reasoning = reasoned(rules=timed + "within 9 seconds after T")
    text = explanation_text(talk, reasoning, sections(reasoning))
    assert text.endswith("could not be looked at, for want of recorded times:\n  talk:slow\n")


def test_without_all_one_conclusion_a_pair_is_shown_and_the_other_turns_are_named(
    reasoned, talk
) -> None:
    reasoning = reasoned()
    short = explanation_text(talk, reasoning, sections(reasoning, task="rpp"))
    long = explanation_text(talk, reasoning, sections(reasoning, everything=True))
    assert "press turn 1" in short
    assert "press turn 3" not in short
    assert "  holds at turn 3 too\n" in short
    assert "press turn 1" in long
    assert "press turn 3" in long
