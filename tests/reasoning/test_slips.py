"""The slips of somebody who writes a first rule: each message says what to write instead."""

import pytest

from relgraph.reasoning.ruleset import check

START = "rule shut_out(A, B) "
TAIL = " when request T: A -> B"


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        # from a word processor
        (START + "\u201cA asks B\u201d" + TAIL, "1:21", 'expected a straight quote `"`'),
        (START + "\u201eA asks B\u201c" + TAIL, "1:21", 'expected a straight quote `"`'),
        (START + "'A asks B'" + TAIL, "1:21", 'expected a straight quote `"`'),
        (START + "when request T: A \u2013 B", "1:39", "expected the arrow `->`"),
        (START + "when request T: A \u2192 B", "1:39", "expected the arrow `->`"),
        (START + "when\u00a0request T: A -> B", "1:25", "expected a plain space"),
        # arrows and colons
        (START + "when request T: A => B", "1:39", "expected an arrow, `->` or `<->`, got `=`"),
        (START + "when request T: A --> B", "1:39", "expected an arrow, `->` or `<->`, got `-`"),
        (START + "when request T: A to B", "1:39", "expected an arrow, `->` or `<->`, got `to`"),
        (
            START + "when request T: A <- B", "1:39",
            "expected an arrow, `->` or `<->`, got `<`. `A <- B` is written `B -> A`",
        ),
        (START + "when request T A -> B", "1:36", "expected `:` before the people, as in `blame T"),
        (START + "when request A -> B", "1:36", "expected a turn variable and `:` before"),
        # large and small letters
        ("Rule h(A)" + TAIL, "1:1", "got `Rule`. Did you mean `rule`?"),
        (START + "When request T: A -> B", "1:21", "got `When`. Did you mean `when`?"),
        ("rule ShutOut(A, B)" + TAIL, "1:6", "got `ShutOut`. Names have small letters: `shut_out`"),
        (
            START + "when Request T: A -> B", "1:26",
            "expected a condition, got `Request`. Names have small letters: `request`",
        ),
        (
            START + "when request t: A -> B", "1:34",
            "got `t`. Variables begin with a capital letter: `T`",
        ),
        ("rule shut-out(A, B)" + TAIL, "1:10", "got `-`. Names are joined by `_`: `shut_out`"),
        (
            START + "when we-framing T: A -> B", "1:28",
            "got `-`. Names are joined by `_`: `we_framing`",
        ),
        # numbers
        (START + "weight 0,9" + TAIL, "1:28", "got `0`. A number has a point: `0.9`"),
        (START + "weight 90" + TAIL, "1:28", "got `90`. As a share of 1: `0.9`"),
        (START + TAIL + " within three turns after S", "1:52", "got `three`. In digits: `3`"),
        # joining conditions
        (START + TAIL + " or demand T: A -> B", "1:45", "`any of blame, demand T: A -> B` says or"),
        (START + TAIL + ", and softening T: B -> A", "1:44", "Conditions are joined by `and`"),
        (START + TAIL + " when softening T: B -> A", "1:45", "Conditions are joined by `and`"),
        (START + TAIL + ".", "1:44", "`.` has no meaning in a rule; nothing marks its end"),
        (
            START + TAIL + " and not apology S: B -> A", "1:61",
            "got `S`. That no event may happen is said by `unless`, behind all conditions",
        ),
        (START + "A asks B" + TAIL, "1:21", 'got `A`. The reading stands in quotes, `"..."`'),
        # names
        (START + "when shouting T: A -> B", "1:26", "unknown predicate `shouting`; expected a cue"),
        (
            "rule h(A) when fear T: A", "1:16",
            "unknown predicate `fear`; it is a kind: write `emotion T: A, fear`; expected",
        ),
        (
            "rule h(A) when request T: A -> Therapist", "1:1",
            "the variable `Therapist` stands in one place only; expected `therapist`",
        ),
        (
            "rule h(A) when request T: A -> Ben", "1:1",
            'stands in one place only; expected `_`, or `"Ben"` for the person of that name',
        ),
    ],
)  # fmt: skip
def test_a_slip_is_told_with_what_to_write_instead(text: str, place: str, said: str) -> None:
    first = check(text)[0]
    assert f"{first.line}:{first.column}" == place
    assert said in first.message
