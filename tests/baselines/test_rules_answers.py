"""From what rules said to answers; every number here is worked out on paper."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from relgraph.baselines._symbolic import answers
from relgraph.baselines._symbolic.firings import Said, Stand, left, share, speaks_for, stand
from relgraph.cues import Cue
from relgraph.labels import COUPLE_PATTERNS, COUPLE_STRATEGIES
from relgraph.reasoning import Atom, Fact, RuleSet
from relgraph.records import Conversation, Instance, Turn

RULES = RuleSet.parse("""
pack mini "Mini"
  answers rpp
rule pursue_withdraw(A, B)  "A presses, B pulls back"
  weight 0.9
  when   demand    T1: A -> B
  and    refusal   T2: B -> A   within 3 turns after T1
rule attack_attack(A, B)  "A blames B"
  weight 1.0
  when   blame   T: A -> B
""")
NEEDS = RuleSet.parse("""
pack mini "Mini"
  answers stp
rule needs_support(A)  "A is hurt"
  weight 1.0
  when   primary_emotion   T: A -> _
rule group_needs_support(group)  "all laugh"
  weight 0.4
  when   humour   T: _ -> _
""")
STRATEGIES = RuleSet.parse("""
pack mini "Mini"
  answers ssp
rule evoke(A)  "A is hurt"
  weight 1.0
  when   primary_emotion   T: A -> _
rule track(group)  "both laugh"
  weight 0.4
  when   humour   T: _ -> _
""")
VIEWS = RuleSet.parse("""
pack mini "Mini"
  answers vp
rule blames(A, B)  "A thinks that B is to blame"
  weight 0.8
  when   blame   T: A -> B
rule shares(A, group)  "A sees it as theirs together"
  weight 1.0
  when   we_framing   T: A -> _
rule wants(A, B)  "A wants something of B"
  weight 1.0
  when   demand   T: A -> B
""")
PEOPLE = ("Ana", "Ben")


def talk(turns: int) -> Conversation:
    """Ana and Ben in turn."""
    said = (Turn(k, PEOPLE[(k - 1) % 2], "words", (PEOPLE[k % 2],)) for k in range(1, turns + 1))
    return Conversation("c", tuple(said), scenario="couple", participants=PEOPLE)


def cue(name: str, turn: int, strength: float, *, detail: str = "") -> Cue:
    return Cue(name, turn, PEOPLE[(turn - 1) % 2], PEOPLE[turn % 2], strength, "words", detail)


def ask(task: str, turns: int, options: Sequence[str] = (), target: str = "") -> Instance:
    return Instance("i", task, talk(turns), options=tuple(options), target=target)


def read(rules: RuleSet, turns: int, *cues: Cue) -> Stand:
    return stand(talk(turns), cues, rules)


PRESSED = (cue("demand", 1, 0.8), cue("refusal", 2, 0.5))


def test_a_conclusion_just_drawn_counts_whole() -> None:
    """0.9 x 0.5 = 0.45; with 0.02 for each of the six options: 0.47 of 0.57."""
    found = answers.rank(read(RULES, 2, *PRESSED), ask("rpp", 2, list(COUPLE_PATTERNS)))
    assert found.ranking[0] == "pursue_withdraw"
    assert found.probabilities[0] == pytest.approx(0.47 / 0.57)
    assert found.probabilities[1:] == pytest.approx([0.02 / 0.57] * 5)


def test_eight_turns_later_a_pattern_counts_half() -> None:
    found = answers.rank(read(RULES, 10, *PRESSED), ask("rpp", 10, list(COUPLE_PATTERNS)))
    assert found.probabilities[0] == pytest.approx((0.225 + 0.02) / (0.225 + 0.12))


def test_what_becomes_known_after_the_cut_does_not_count() -> None:
    found = answers.rank(read(RULES, 10, *PRESSED), ask("rpp", 1, list(COUPLE_PATTERNS)))
    assert found.probabilities == pytest.approx([1 / 6] * 6)


def test_without_any_conclusion_the_order_is_that_of_the_label_set_and_it_is_said() -> None:
    found = answers.rank(read(RULES, 3), ask("rpp", 3, list(COUPLE_PATTERNS)))
    assert found.ranking == tuple(COUPLE_PATTERNS)
    assert found.because == (
        "no rule speaks for any answer by turn 3: the first of the fixed order",
    )


def test_without_a_reason_to_take_the_floor_the_supporter_listens() -> None:
    found = answers.rank(read(RULES, 3), ask("itp", 3, ("yes", "no")))
    assert found.ranking == ("no", "yes")
    assert found.probabilities == (0.5, 0.5)


def test_the_proof_stands_in_because() -> None:
    found = answers.rank(read(RULES, 2, *PRESSED), ask("rpp", 2, list(COUPLE_PATTERNS)))
    assert found.because[0] == "Ana presses, Ben pulls back (mini:pursue_withdraw 0.45)"
    assert found.because[1] == 'turn 1: Ana -> Ben  demand 0.80  "words"'
    assert found.because[2] == 'turn 2: Ben -> Ana  refusal 0.50  "words"'


def test_support_goes_to_whom_the_rule_is_about() -> None:
    """Ben, hurt in turn 2 with 0.6; the group, 0.4 x 0.5, a turn before: halved in two turns."""
    found = answers.rank(
        read(NEEDS, 2, cue("humour", 1, 0.5), cue("primary_emotion", 2, 0.6)),
        ask("stp", 2, (*PEOPLE, "Couple")),
    )
    assert found.ranking == ("Ben", "Couple", "Ana")
    group = 0.2 * 0.5**0.5
    total = 0.6 + group + 3 * 0.02
    assert found.probabilities == pytest.approx(
        [0.62 / total, (group + 0.02) / total, 0.02 / total]
    )


@pytest.mark.parametrize(
    ("target", "best"), [("Ben", "evoke"), ("Ana", "track"), ("Couple", "track")]
)
def test_a_strategy_counts_for_whom_it_is_about(target: str, best: str) -> None:
    found = answers.rank(
        read(STRATEGIES, 2, cue("humour", 1, 0.5), cue("primary_emotion", 2, 0.6)),
        ask("ssp", 2, list(COUPLE_STRATEGIES), target),
    )
    assert found.ranking[0] == best


def said(turn: int, strength: float) -> Said:
    atom = Atom("p", turn, ())
    return Said("r", "p", (), turn, turn, strength, Fact(atom, turn, strength))


def test_one_turn_counts_once_by_its_strongest() -> None:
    assert left([said(4, 0.5), said(4, 0.3)], cut=4, half_life=3) == pytest.approx(0.5)


def test_turns_add_up_as_a_noisy_or_each_faded() -> None:
    """0.5 two turns ago at half-life 2 is 0.25: 1 - 0.5 x 0.75."""
    assert left([said(4, 0.5), said(2, 0.5)], cut=4, half_life=2) == pytest.approx(0.625)


def test_a_share_is_a_mean_over_turns_of_which_the_latest_weighs_most() -> None:
    """Half-life 1: the last of two turns weighs 1, the first 0.5; 0.6 of 1.5 was said."""
    assert share([said(2, 0.6)], cut=2, half_life=1) == pytest.approx(0.4)
    assert share([said(1, 0.6)], cut=2, half_life=1) == pytest.approx(0.2)
    assert share([said(1, 0.6), said(2, 0.6)], cut=2, half_life=1) == pytest.approx(0.6)


def test_a_rule_about_somebody_unknown_speaks_for_nobody() -> None:
    of = ask("stp", 2, (*PEOPLE, "Couple"))
    stranger = Said("r", "needs_support", ("Eve",), 1, 1, 0.5, said(1, 0.5).fact)
    assert speaks_for(stranger, of) == ""


def test_a_feeling_is_put_together_from_what_was_named_and_what_was_met() -> None:
    """Ben blames in turn 2, Ana names hurt in turn 3."""
    found = answers.feel(
        read(RULES, 3, cue("blame", 2, 0.7), cue("emotion", 3, 0.8, detail="hurt")),
        ask("er", 3),
        6.5,
        by="by hand",
    )
    assert found.emotion is not None
    assert (found.emotion.person, found.emotion.phrase) == ("Ana", "hurt and blamed")
    assert found.emotion.intensity == 6.5
    assert found.because == (
        "turn 3: Ana -> Ben  emotion hurt 0.80  'words'",
        "turn 2: Ben -> Ana  blame 0.70  'words'",
        "intensity 6.5 by hand",
    )


def test_a_turn_without_a_cue_is_neutral_and_says_so() -> None:
    found = answers.feel(read(RULES, 3), ask("er", 3), 5.0, by="by hand")
    assert found.emotion is not None
    assert found.emotion.phrase == "thoughtful"
    assert "no cue" in found.because[0]


def test_a_view_is_the_reading_of_the_strongest_rule_with_its_topic() -> None:
    cues = (
        cue("blame", 3, 0.9),
        cue("demand", 3, 0.6),
        cue("topic", 3, 0.5, detail="extended_family"),
    )
    found = answers.view(read(VIEWS, 3, *cues), ask("vp", 3))
    (view,) = found.viewpoints
    assert (view.source, view.target) == ("Ana", "Ben")
    assert view.viewpoint == "Ana thinks that Ben is to blame (extended family)"
    assert found.because[0] == "Ana thinks that Ben is to blame (mini:blames 0.72)"


def test_a_view_of_an_earlier_turn_is_not_that_of_the_last() -> None:
    found = answers.view(read(VIEWS, 3, cue("blame", 1, 0.9)), ask("vp", 3))
    (view,) = found.viewpoints
    assert view.viewpoint == "Ana has something to say about Ben"
    assert found.because == ("no rule concludes a view in turn 3: whom it is said to",)


def test_a_view_of_the_group_is_voiced_of_whom_is_spoken_to() -> None:
    found = answers.view(read(VIEWS, 3, cue("we_framing", 3, 0.9)), ask("vp", 3))
    (view,) = found.viewpoints
    assert (view.target, view.viewpoint) == ("Ben", "Ana sees it as theirs together")


def test_a_view_of_a_person_goes_before_a_stronger_one_of_the_group() -> None:
    cues = (cue("blame", 3, 0.5), cue("we_framing", 3, 0.9))
    (view,) = answers.view(read(VIEWS, 3, *cues), ask("vp", 3)).viewpoints
    assert view.viewpoint == "Ana thinks that Ben is to blame"
