"""What rules may cost: whatever a file asks for ends in one clear error, before it fills memory."""

import pytest

from relgraph.cues import Cue
from relgraph.errors import RunError
from relgraph.reasoning import RuleSet, reason, steps
from relgraph.records import Conversation, Turn

TURNS = 500
TALK = Conversation(
    "long",
    tuple(Turn(i, "Ana" if i % 2 else "Ben", "") for i in range(1, TURNS + 1)),
    participants=("Ana", "Ben"),
)
CUES = [Cue("blame", t.index, t.speaker, "", 0.8, "words") for t in TALK.turns]


@pytest.fixture
def small(monkeypatch):
    """Bounds that are soon reached."""
    monkeypatch.setattr(steps, "MOST_WORK", 50_000)
    monkeypatch.setattr(steps, "MOST_MATCHES", 5_000)


def refused(text: str) -> str:
    with pytest.raises(RunError) as caught:
        reason(TALK, RuleSet.parse(text, "f.rules"), cues=CUES, roles=())
    return str(caught.value)


def test_thirty_events_without_windows_end_in_one_error_that_names_the_rule():
    events = " and ".join(f"said T{n}: A" for n in range(30))
    assert refused(f"\nrule h(A) when {events}") == (
        "f.rules:2: rule f:h was matched in more than 250,000 ways in one conversation. Tie its "
        "events together by windows, as `within 5 turns after T`; `relgraph rules check` says "
        "where they are missing."
    )


@pytest.mark.usefixtures("small")
def test_looking_without_a_match_ends_too():
    text = 'rule h(A, B) when said T: A and said S: B and B = "Cem"'
    assert "rule f:h looked at more than 50,000 facts" in refused(text)


@pytest.mark.usefixtures("small")
def test_what_is_counted_at_each_match_is_work_too():
    near = "rule h(A) when said T: A and said S: A within 8 turns after T"
    assert reason(TALK, RuleSet.parse(near), cues=(), roles=()).conclusions
    far = near + " and count of said R: _ up to T at least 2"
    assert "rule f:h looked at more than 50,000 facts" in refused(far)


@pytest.mark.usefixtures("small")
def test_what_is_denied_but_not_yet_known_is_work_too():
    text = (
        "rule late(A) when blame T: A -> _ unless fear_of R: A -> _ within 400 turns after T\n"
        "rule h(A) when said T: A and said S: A within 8 turns after T unless late R up to T"
    )
    assert "rule f:h looked at more than 50,000 facts" in refused(text)


@pytest.mark.usefixtures("small")
def test_the_rounds_of_a_recursion_count_together():
    text = (
        "rule c/a(A) when refusal T: A -> _\n"
        "rule c/n(A) at S repeat at most %d when c T: A and said S: A within 80 turns after T"
    )
    cues = [Cue("refusal", 1, "Ana", "", 0.8, "words")]
    assert reason(TALK, RuleSet.parse(text % 2), cues=cues, roles=()).conclusions
    with pytest.raises(RunError, match="rule text:c/n was matched in more than 5,000 ways"):
        reason(TALK, RuleSet.parse(text % 100), cues=cues, roles=())


@pytest.mark.usefixtures("small")
def test_many_rules_that_are_each_within_bounds_may_not_be_so_together():
    rule = "rule h/v%d(A) when said T: A and said S: A within 16 turns after T\n"
    few = "".join(rule % n for n in range(steps.ALL_RULES))
    assert reason(TALK, RuleSet.parse(few), cues=(), roles=()).conclusions
    message = refused("".join(rule % n for n in range(2 * steps.ALL_RULES)))
    assert message.startswith("the rules together looked at ")
    assert message.endswith("Read fewer rules at once, or give their events shorter windows.")
