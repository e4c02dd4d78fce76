"""Rule files: what is read, what is refused and where, and that nothing in them is executed."""

# ruff: noqa: E501 (a message stands beside the text that it is about)

import subprocess
import sys
from pathlib import Path

import pytest

from relgraph.errors import DataError, UnknownNameError
from relgraph.reasoning import RuleSet
from relgraph.reasoning.language import Event, Window
from relgraph.reasoning.parse import MOST_RULES, parse_pack
from relgraph.reasoning.ruleset import check
from relgraph.reasoning.tokens import MOST_CHARACTERS, tokens_of

DOCS = Path(__file__).parents[2] / "docs" / "rules.md"
GOOD = "rule h(A, B) when blame T: A -> B"


def problems(text: str) -> list[str]:
    """Line:column, severity and message of all problems."""
    return [f"{p.line}:{p.column} {p.severity} {p.message}" for p in check(text)]


def one(text: str) -> str:
    (found,) = problems(text)
    return found


# --- reading


def test_the_example_of_the_docs_is_read_and_has_no_problem():
    text = DOCS.read_text(encoding="utf-8").split("```")[1]
    assert problems(text) == []
    rule = RuleSet.parse(text).rule("my_pack:pursue_withdraw")
    assert (rule.weight, rule.scenarios, rule.reading) == (
        0.9,
        ("couple",),
        "A presses, B pulls away",
    )
    assert rule.cites == ("Christensen & Heavey 1990",)
    first, second = rule.conditions
    assert isinstance(first, Event)
    assert isinstance(second, Event)
    assert first.predicates == ("demand", "question_pressed", "blame")
    (window,) = second.windows
    assert (window.kind, window.turn, window.limit, window.unit) == ("after", "T1", 3.0, "turns")
    assert isinstance(rule.absences[0].windows[0], Window)
    assert str(rule.absences[0]) == "softening T: A -> B between T1 and T2"


def test_a_pack_names_its_title_tasks_and_scenarios():
    rules = RuleSet.parse(
        'pack p "Title" answers rpp answers stp scenario couple, family\n'
        f"{GOOD}\n{GOOD.replace('h(', 'g(').replace(' when', ' scenario team when')}"
    )
    (pack,) = rules.packs
    assert (pack.name, pack.title, pack.answers) == ("p", "Title", ("rpp", "stp"))
    assert [rule.scenarios for rule in rules.rules] == [("couple", "family"), ("team",)]
    assert rules.answers("rpp") == rules.answers("stp") == ("h", "g")
    assert rules.answers("vp") == ()
    assert [r.head for r in rules.for_scenario("team").rules] == ["g"]
    assert [r.head for r in rules.for_scenario("couple").rules] == ["h"]
    assert [r.head for r in rules.for_scenario("").rules] == ["h", "g"]


def test_a_file_without_a_pack_is_called_like_the_file(tmp_path):
    path = tmp_path / "My Own-rules.rules"
    path.write_text(GOOD, encoding="utf-8")
    assert RuleSet.read(path).rules[0].id == "my_own_rules:h"


def test_spacing_line_breaks_and_comments_do_not_change_a_rules_hash():
    spread = "rule h(A,\n B)  # a remark\n when\n\tblame T:A->B"
    assert RuleSet.parse(spread).rules[0].hash == RuleSet.parse(GOOD).rules[0].hash
    other = GOOD.replace("blame", "contempt")
    assert RuleSet.parse(other).rules[0].hash != RuleSet.parse(GOOD).rules[0].hash


def test_at_least_may_stand_before_or_after_the_windows():
    before = "rule h(A) when demand T: A -> _ and count of blame S: A -> _ at least 2 up to T"
    after = "rule h(A) when demand T: A -> _ and count of blame S: A -> _ up to T at least 2"
    literals = [str(RuleSet.parse(text).rules[0].conditions[1]) for text in (before, after)]
    assert literals[0] == literals[1] == "count of blame S: A -> _ up to T at least 2"


def test_other_weights_keep_the_hash_of_the_text_and_change_that_of_the_set():
    rules = RuleSet.parse("pack p " + GOOD)
    lighter = rules.with_weights({"p:h": 0.25})
    assert lighter.rule("p:h").weight == 0.25
    assert lighter.rule("p:h").hash == rules.rule("p:h").hash
    assert lighter.hash != rules.hash
    with pytest.raises(UnknownNameError, match="Did you mean"):
        rules.with_weights({"p:hh": 0.5})
    with pytest.raises(DataError.__mro__[1], match="over 0 and up to 1"):
        rules.with_weights({"p:h": 0.0})


def test_a_shipped_pack_whose_conclusions_are_used_is_read_along(tmp_path):
    path = tmp_path / "mine.rules"
    path.write_text("rule mine(A, B) when attack T: A -> B", encoding="utf-8")
    assert {pack.name for pack in RuleSet.read(path).packs} == {"mine", "acts"}
    assert check(path.read_text(encoding="utf-8")) == []


def test_all_shipped_packs_hold_together_without_a_problem():
    rules = RuleSet.read()
    assert len(rules.rules) >= 50
    assert check(rules) == []


# --- refusing


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rule h(A) whne blame T: A -> _", "1:11 error expected `when` and a condition, got `whne`. Did you mean `when`?"),
        ("rule h(A when blame T: A -> _", "1:10 error expected `,` or `)`, got `when`"),
        ("rule (A) when blame T: A -> _", "1:6 error expected a name for what the rule concludes, got `(`"),
        ("rule when(A) when blame T: A -> _", "1:6 error expected a name for what the rule concludes (`when` is a word of the language), got `when`"),
        ("rule h(A) when blame t: A -> _", "1:22 error expected a turn variable, as in `blame T: A -> B`, got `t`. Variables begin with a capital letter: `T`"),
        ("rule h(A) when blame T: A -> _ within three turns after T", "1:39 error expected a number over 0, up to 1,000,000, got `three`. In digits: `3`"),
        ("rule h(A) when blame T: A -> _ within 1.5 turns after S", "1:39 error expected a whole number of turns, got `1.5`"),
        ("rule h(A) when blame T: A -> _ within 2 minutes after S", "1:41 error expected `turns` or `seconds`, got `minutes`"),
        ("rule h(A) weight 0 when blame T: A -> _", "1:18 error expected a weight over 0 and up to 1, got `0`"),
        ("rule h(A) weight 1.5 when blame T: A -> _", "1:18 error expected a weight over 0 and up to 1, got `1.5`"),
        ("rule h(A) when count of blame T: A -> _ up to S", "1:48 error expected `at least` and a number, which `count of` needs, got the end of the file"),
        ("rule h(A) when", "1:15 error expected a condition: an event, `count of`, `partner(A, B)`, `A != B`, got the end of the file"),
        ("hello", "1:1 error expected `pack` or `rule`, got `hello`"),
        ('rule h(A) "no end\n when blame T: A -> _', "1:11 error a text that does not end on its line; expected a second `\"`"),
        ("rule h(A) when blame T: A -> _ unless not parent(A)", "1:39 error expected a condition: an event, `count of`, `partner(A, B)`, `A != B` (`not` is a word of the language), got `not`"),
        ("rule h(A) when blame T: A -> _ $", "1:32 error `$` has no meaning in a rule; expected a name, a variable or a sign"),
        ("rule h(A) when fearOf T: A -> _", "1:16 error `fearOf` is neither a name nor a variable; expected a name in lower case (`fear_of`) or a variable that begins with a capital (`A`, `T1`)"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_its_place(text, message):
    assert one(text) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rule h(A) when blaem T: A -> _", "1:16 error unknown predicate `blaem`; did you mean `blame`?; expected a cue of the codebook, `said`, `addressed`, `to_group`, or what a rule concludes"),
        ("rule h(A) when partner T: A -> _", "1:16 error `partner` holds of people, not of a turn; expected `partner(A, B)`"),
        ("rule h(A) when blame T: A -> _ and patner(A, _)", "1:36 error unknown `patner(...)`; did you mean `partner`?; expected one of person, client, therapist, parent, child, partner, older"),
        ("rule h(A) when blame T: A -> _ and blame(A)", "1:36 error unknown `blame(...)`; it stands at turns, write `blame T: ...`; expected one of person, client, therapist, parent, child, partner, older"),
        ("rule h(A) when blame T: A", "1:16 error `blame` with 1 terms; expected `blame T: A -> B`"),
        ("rule h(A) when blame T: A, _", "1:16 error `blame` with 2 terms; expected `blame T: A -> B`"),
        ("rule h(A) when emotion T: A -> _", "1:16 error `emotion` with _ -> _; expected `emotion T: A, DETAIL`"),
        ("rule h(A) when emotion T: A, foo", "1:16 error unknown kind `foo` of `emotion`; expected one of anger, contempt, fear, guilt, hurt, hope, joy, loneliness, love, sadness, shame, surprise, tiredness, worry"),
        ("rule h(A) when said T: A -> _", "1:16 error `said` with _ -> _; expected `said T: A`"),
        ("rule h(A) when blame T: A -> _ and parent(A, A)", "1:36 error `parent` with 2 terms; expected `parent(A)`"),
        ("rule g(A) when blame T: A -> _ rule h(A) when g T: A -> _", "1:47 error `g` with 2 terms; expected 1, as its rule at <text>:1"),
        ("rule h(A) when blame T: A -> _ rule h/b(A, B) when blame T: A -> B", "1:32 error `h` with 2 terms; expected 1, as at <text>:1"),
        ("rule h(A) when blame T: A -> _ rule h(A) when demand T: A -> _", "1:32 error a second rule `text:h` (the first: <text>:1); expected an own variant, as in `rule h/second(...)`"),
        ("rule blame(A, B) when demand T: A -> B", "1:1 error `blame` is a cue or given fact; expected a name of its own to conclude"),
        ("pack p answers rppp rule h(A) when blame T: A -> _", "1:1 error unknown task `rppp` in `answers`; did you mean `rpp`?; expected one of er, itp, rpp, ssp, stp, vp"),
        ("rule h(A, C) when blame T: A -> _", "1:1 error unsafe variable `C` in the head: no event of the conditions says which person it is; expected a variable that one binds, or `_` for anybody"),
        ("rule h(_) when blame T: _ -> _", "1:1 error `_` in the head; expected a variable or a name"),
        ("rule h(T) when blame T: _ -> _", "1:1 error the turn `T` among the people of the head; expected `at T`"),
        ("rule h(A) at S when blame T: A -> _", "1:1 error unsafe variable `S` in `at`: no event of the conditions says which turn it is; expected a variable that one binds"),
        ("rule h(A) when blame T: A -> _ and S < T", "1:36 error unsafe variable `S` in a comparison: no event of the conditions says which turn it is; expected a variable that one binds"),
        ("rule h(A) when blame T: A -> _ and not parent(C)", "1:36 error unsafe variable `C` in `not`: no event of the conditions says which person it is; expected a variable that one binds, or `_` for anybody"),
        ("rule h(A) when blame T: A -> _ within 2 turns after S", "1:32 error unsafe variable `S` in a window: no event of the conditions says which turn it is; expected a variable that one binds"),
        ("rule h(A) when blame T: A -> _ after T", "1:32 error the window of `T` counts from `T`"),
        ("rule h(A) when blame A: A -> _", "1:1 error `A` is a turn and a person; expected two names"),
        ("rule h(A) when blame T: A -> _ and demand S: A -> _ after T and S < T", "1:1 error its windows contradict each other: the rule can never hold"),
        ("rule h(A) when parent(A)", "1:1 error no event among the conditions; expected one, to stand at"),
        ("rule h(A) when blame T: A -> _ unless apology S: A -> _", "1:39 error `unless` looks into an open future; expected a window that ends, as `before T`, `up to T`, `between T1 and T2` or `within 3 turns after T`"),
        ("rule h(A) when blame T: A -> _ unless apology S: A -> _ after T", "1:39 error `unless` looks into an open future; expected a window that ends, as `before T`, `up to T`, `between T1 and T2` or `within 3 turns after T`"),
        ("rule h(A) when blame T: A -> _ and max of demand S: A -> _ after T at least 0.5", "1:43 error `max of` looks into an open future; expected a window that ends, as `before T`, `up to T`, `between T1 and T2` or `within 3 turns after T`"),
        ("rule h(A) when blame T: A -> _ and count of demand S: A -> _ up to T at least 1.5", "1:36 error `count of` at least 1.5; expected a whole number of turns"),
        ("rule h(A) when blame T: A -> _ and max of demand S: A -> _ up to T at least 2", "1:36 error `max of` at least 2; it is at most 1"),
        ("rule h(A) when blame T: A -> _ at least 2", "1:16 error `at least 2`; a strength is at most 1"),
        ("rule h(A) mutual when blame T: A -> _", "1:1 error `mutual`, but the head does not begin with two different variables; expected the two people who keep the cycle going"),
        ("rule h(A) when h T: A", "1:16 error `h` rests on itself through `h`; expected `repeat at most N` among the rule's options"),
        ("rule h(A) repeat at most 2 when h T: A unless h S: A before T", "1:47 error `h` rests on itself through `h`, which is denied, counted or held against a strength here (not stratified); expected a predicate that does not rest on this rule"),
        ("rule h(A) repeat at most 2 when blame T: A -> _", "1:1 warning `repeat at most 2`, but `h` does not rest on itself"),
        ("rule h(A) when blame T: A -> B", "1:1 warning the variable `B` stands in one place only; expected `_`"),
        ("rule h(A) when blame T: A -> _ and demand S: A -> _", "1:36 warning no window ties `S` to the other turns: any turn will do, however far off, and time grows with the square of the conversation; expected `within N turns after T`"),
        ("rule h(A) when blame T: A -> _ and demand S: A -> _ before T", "1:36 warning no window ties `S` to the other turns: any turn will do, however far off, and time grows with the square of the conversation; expected `within N turns after T`"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_its_place(text, message):
    assert one(text) == message


def test_denial_in_a_ring_of_rules_is_refused():
    text = (
        "rule a(A) when blame T: A -> _ unless b S: A up to T\n"
        "rule b(A) when demand T: A -> _ and count of a S: A up to T at least 1"
    )
    assert [p.split(" rests")[0] for p in problems(text)] == ["1:39 error `a`", "2:46 error `b`"]


def test_all_problems_are_told_at_once():
    text = "rule a(A) whn x\nrule b(A) when blaem T: A -> _\nrule c(A) weight 2 when"
    assert [p.split(" ")[0] for p in problems(text)] == ["1:11", "2:16", "3:18"]
    with pytest.raises(DataError) as caught:
        RuleSet.parse(text, "my.rules")
    assert str(caught.value).startswith("my.rules:1:11: expected `when`")


@pytest.mark.parametrize(
    "tie",
    ["within 3 turns after T", "at T", "within 9 seconds before T", "between R and T",
     "before T and S >= T - 4"],
)  # fmt: skip
def test_a_tied_event_is_no_cause_for_a_warning(tie):
    text = (
        "rule h(A) when blame T: A -> _ and demand R: A -> _ within 9 turns before T"
        f" and demand S: A -> _ {tie}"
    )
    assert problems(text) == []


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("and A != A", "2:5 error `A != A` is never so: the rule can never hold"),
        ("and A = B", "1:19 error `->` from one person to the same: the rule can never hold"),
        ('and A = "Ana" and B = "Ben" and A = B and refusal S: A <-> B at T', None),
        ('and A = "Ana" and A = "Ben"', '1:1 error `"Ana"` would have to be `"Ben"`: the rule can never hold'),
        ("and B = A and partner(A, B)", None),
        ("and partner(A, A)", "2:5 error `partner(A, A)` of one person: the rule can never hold"),
        ("and client(A) and therapist(A)", "2:5 error a client is never the therapist: the rule can never hold"),
        ("and client(B) and therapist(A)", ""),
        ("and A != B", ""),
        ("and T != T", "2:5 error `T != T` is never so: the rule can never hold"),
        ("and T != T + 1", ""),
        ("and demand S: A -> B within 1 turns after T and S != T + 1", "2:49 error `S != T + 1` is never so: the rule can never hold"),
        ("and demand S: A -> B within 2 turns after T and S != T + 1", ""),
        ("and count of demand S: A -> B within 3 turns before T at least 4", "2:5 error `count of` wants 4 turns of a window that has at most 3: the rule can never hold"),
        ("and count of demand S: A -> B within 3 turns before T at least 3", ""),
        ("and count of demand S: A -> B within 3 turns up to T at least 4", ""),
        ("and count of demand T: A -> B at least 2", "2:5 error `count of` wants 2 turns of a window that has at most 1: the rule can never hold"),
        ("and max of demand S: A -> B after T before T at least 0.5", "2:5 error `max of` wants 1 turns of a window that has at most 0: the rule can never hold"),
        ("and count of demand S: A -> B within 9 seconds before T at least 40", ""),
        ("and refusal R: B -> A within 1 turns after T unless demand S: A -> B between T and R", "2:53 warning the window of this `unless` has no turn: it blocks nothing"),
        ("and refusal R: B -> A within 2 turns after T unless demand S: A -> B between T and R", ""),
        ("and parent(A) and not parent(A)", "2:19 warning the rule denies what it needs: it holds only where that is weaker than 0.5; expected something else, or another turn"),
        ("unless any of demand, blame T: A -> _", "2:8 warning the rule denies what it needs: it holds only where that is weaker than 0.5; expected something else, or another turn"),
        ("unless blame S: A -> B at T at least 0.9", "2:8 warning the rule denies what it needs: it holds only where that is weaker than 0.9; expected something else, or another turn"),
        ("unless blame T: B -> A", ""),
        ("unless blame S: A -> B before T", ""),
        ("unless any of demand, refusal T: A -> B", ""),
        ("unless demand T: A -> therpist", "2:8 warning `therpist` is read as a name; did you mean `therapist`?"),
        ("unless demand T: A -> grandma", ""),
    ],
)  # fmt: skip
def test_what_can_never_hold_or_never_block_is_told(rest, message):
    found = problems(f"rule h(A, B) when blame T: A -> B\n{rest}")
    if message is None:
        assert found
        assert all("the rule can never hold" in problem for problem in found)
    else:
        assert found == [message] * bool(message)


@pytest.mark.parametrize(
    "apart",
    ["blame T: B -> A", "said T: A and partner(A, B)", "said T: A and said S: B at T and A != B"],
)
def test_the_two_of_a_mutual_rule_must_be_two(apart):
    assert problems(f"rule h(A, B) mutual when {apart}") == []
    told = one("rule h(A, B) mutual when said T: A and said S: B within 2 turns after T")
    assert told == (
        "1:1 error `mutual`, but `A` and `B` may be one person; expected an arrow between them, or "
        "`A != B`"
    )


def test_a_scenario_that_looks_like_a_known_one_is_doubted():
    assert "did you mean `couple`" in one("rule h(A) scenario cuople when blame T: A -> _")
    assert problems("rule h(A) scenario team when blame T: A -> _") == []


@pytest.mark.parametrize("option", ["weight 0.5", "repeat at most 2", "mutual"])
def test_an_option_that_stands_twice_is_refused(option):
    told = one(f"rule h(A, B) {option} {option} when h T: A -> B")
    assert f"error a second `{option.split()[0]}` for one rule" in told


def test_a_file_without_a_rule_is_refused():
    assert "no rule in this file" in one("# to be written")
    with pytest.raises(DataError, match="no rule in this file"):
        RuleSet.parse('pack p "Title"')


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_on_any_system(end):
    text = end.join(["# a remark", GOOD, "", "rule g(A) whn x"])
    assert one(text).startswith("4:11 error expected `when`")
    assert RuleSet.parse(text.replace("whn x", "when blame T: A -> _")).answers("x") == ()
    assert len(RuleSet.parse(end.join(["# a remark", GOOD])).rules) == 1


def test_what_is_asked_for_twice_is_read_once(tmp_path):
    path = tmp_path / "mine.rules"
    path.write_text(GOOD, encoding="utf-8")
    again = tmp_path / "." / "sub" / ".." / "mine.rules"
    (tmp_path / "sub").mkdir()
    found = RuleSet.read("acts", path, "acts", str(again))
    assert [pack.name for pack in found.packs] == ["acts", "mine"]


def test_a_file_of_ones_own_called_like_a_shipped_pack_may_use_that_pack(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path("acts.rules")
    path.write_text("pack own rule mine(A, B) when attack T: A -> B", encoding="utf-8")
    assert [pack.name for pack in RuleSet.read(path).packs] == ["own", "acts"]


# --- hostile files


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("\x00\x01\x02", "1:1 error control character U+0000"),
        (GOOD + "\n\x00", "2:1 error control character U+0000"),
        ("rule h(\u202eA) when blame T: A -> _", "1:8 error control character U+202E"),
        ("rule h(A) when bl\u0430me T: A -> _", "1:18 error U+0430 (CYRILLIC SMALL LETTER A) outside of a quoted text"),
        ("a" * (MOST_CHARACTERS + 1), f"1:1 error the file has {MOST_CHARACTERS + 1} characters"),
        ("a" * MOST_CHARACTERS, f"1:1 error a word of {MOST_CHARACTERS} letters"),
        ("rule h(" + "(" * 100_000, "1:8 error expected a variable"),
        ("rule h(A) " + '"" ' * 10_000, "1:14 error expected `when`"),
        ('__import__("os").system("touch pwned")', "1:1 error `__import__` is neither a name nor a variable"),
        ("rule h(A) when blame T: A -> " + "A -> " * 50_000, "1:32 error expected `and`, `unless`"),
        ("rule h(" + "A, " * 50_000, "1:45 error more than 12 terms"),
        ("rule h(A) when blame T: A -> _" + " and blame T: A -> _" * 10_000, "1:632 error more than 30 conditions"),
        ("rule h(A) when any of " + "blame, " * 50_000, "1:448 error more than 60 names"),
        ("rule h(A) weight " + "9" * 5000 + " when blame T: A -> _", "1:18 error a number of 5000 digits"),
        ("rule h(A) repeat at most 1000000000 when h T: A", "1:26 error expected a whole number of rounds, up to 1,000"),
    ],
    ids=lambda value: repr(value[:30]),
)  # fmt: skip
def test_a_hostile_file_gets_one_clear_error(text, start):
    assert one(text).startswith(start)


def test_a_file_of_too_many_rules_is_refused():
    text = "\n".join(f"rule h/v{n}(A) when blame T: A -> _" for n in range(MOST_RULES + 5))
    pack, found = parse_pack(text, "f")
    assert len(pack.rules) == MOST_RULES
    assert [(p.line, p.message.split(";")[0]) for p in found] == [
        (MOST_RULES + 1, f"more than {MOST_RULES} rules in one file")
    ]


def test_a_file_of_nothing_but_errors_ends_after_a_hundred():
    assert len(parse_pack("rule\n" * 100_000, "f")[1]) == 100
    assert len(tokens_of("$\n" * 100_000, "f")[1]) == 100
    unknown = "\n".join(f"rule h/v{n}(A) when any of bla, blb, blc T: A" for n in range(200))
    assert len(problems(unknown)) == 100


def test_warnings_however_many_never_hide_an_error():
    doubtful = "\n".join(f"rule h/v{n}(A) when blame T: A -> B" for n in range(500))
    assert problems(f"{doubtful}\nrule g(A) when blaem T: A -> _")[-1].startswith("501:16 error")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00\xd8rule", "not utf-16"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "not utf-8 text"),
        (b"x" * 3_000_000, "longer than 1000000 characters"),
    ],
)
def test_a_file_that_is_no_text_or_too_long_is_refused(tmp_path, content, message):
    path = tmp_path / "f.rules"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        RuleSet.read(path)


def test_a_file_that_is_not_there_and_a_pack_that_is_not_shipped_are_told_apart(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        RuleSet.read(tmp_path / "none.rules")
    with pytest.raises(DataError, match="cannot be read"):
        RuleSet.read("a/" * 5000)
    with pytest.raises(UnknownNameError, match="unknown rule pack 'aaa"):
        RuleSet.read("a" * 5000)
    with pytest.raises(DataError, match="no path has such a character"):
        RuleSet.read("a/b\0.rules")
    with pytest.raises(DataError, match="is a folder"):
        RuleSet.read(tmp_path)
    with pytest.raises(
        UnknownNameError, match=r"unknown rule pack 'cuple'\. Did you mean 'couple'"
    ):
        RuleSet.read("cuple")


def test_text_in_quotes_may_be_of_any_script():
    rules = RuleSet.parse('rule h(A) "Zoë öffnet \u9580" when blame T: A -> "Zoë"')
    assert rules.rules[0].reading == "Zoë öffnet \u9580"


def test_importing_the_reasoning_imports_no_language_pipeline():
    code = "import sys, relgraph.reasoning as r; r.RuleSet.read(); print('spacy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
