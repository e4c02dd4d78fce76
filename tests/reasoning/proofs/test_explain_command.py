"""`relgraph explain` and `relgraph cues` from the command line, on files as people have them."""

import json
import os
import sys
from pathlib import Path

import jsonschema
import pytest

from relgraph._cli import main
from relgraph.graph.views import from_json
from relgraph.terminal import printable

SCHEMA = Path(__file__).parents[3] / "docs" / "explanation.schema.json"
TALK = """\
conversation,speaker,text,scenario,participants,supporter,addressees
one,Coach,"Ana, Ben, what brings you here?",couple,Ana;Ben,Coach,Couple
one,Ana,"Will you talk to me?",couple,Ana;Ben,Coach,Ben
one,Ben,"Later.",couple,Ana;Ben,Coach,Ana
one,Ana,"I want you to answer me. Will you talk to me?",couple,Ana;Ben,Coach,Ben
one,Ben,"I don't want to talk about it. Leave it.",couple,Ana;Ben,Coach,Ana
two,Coach,"Good morning.",couple,Ana;Ben,Coach,Couple
"""
OWN = """\
rule shut_out(A, B)  "B shuts A out"
  weight 0.9
  when   request T1: A -> B
  and    refusal T2: B -> A   within 3 turns after T1
"""
EVIL = ("\x1b[31mAna", "Ben\nturn 9  forged", "[bold]Coach\u202e")


def run(capsys: pytest.CaptureFixture[str], *words: str | os.PathLike[str]) -> tuple[int, str, str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["relgraph", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.csv"
    path.write_text(TALK, encoding="utf-8")
    return path


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "my.rules"
    path.write_text(OWN, encoding="utf-8")
    return path


def test_a_task_shows_its_conclusions_with_their_proofs(talk: Path, capsys) -> None:
    code, out, err = run(capsys, "explain", talk, "--conversation", "one", "--task", "rpp")
    assert (code, err) == (0, "")
    assert "pursue_withdraw turn 5: Ana presses or blames, and Ben pulls back" in out
    assert "  turn 5  Ben -> Ana  refusal " in out.replace("    turn", "  turn")
    assert "not concluded, and what came nearest:\n" in out
    assert max(map(len, out.splitlines())) <= 80


def test_every_proof_that_is_shown_can_be_checked_anew(talk: Path, capsys) -> None:
    code, _, err = run(capsys, "explain", talk, "--conversation", "one", "--verify")
    assert code == 0
    assert err.startswith("proofs of ")
    assert err.endswith("checked anew: all accepted\n")


def test_turn_shows_only_what_could_be_known_then(talk: Path, capsys) -> None:
    start = ["explain", talk, "--conversation", "one", "--task", "rpp", "--turn"]
    _, early, _ = run(capsys, *start, 3)
    _, late, _ = run(capsys, *start, 5)
    assert "one, couple: what is known after turn 3\n" in early
    assert "turn 5" not in early
    assert "turn 5" in late
    talk.write_text(TALK.partition('one,Ana,"I want')[0], encoding="utf-8")
    _, cut, _ = run(capsys, "explain", talk, "--task", "rpp")
    assert cut == early


def test_a_turn_that_there_is_not_is_one_message(talk: Path, capsys) -> None:
    code, _, err = run(capsys, "explain", talk, "--conversation", "one", "--turn", 9)
    assert code == 2
    assert "got --turn 9, but it has 5 turns. Name a turn from 0 to 5." in err


def test_rules_of_ones_own_come_first(talk: Path, own: Path, capsys) -> None:
    code, out, _ = run(capsys, "explain", talk, "--conversation", "one", "--rules", own)
    assert code == 0
    assert out.splitlines()[3:6] == ["my", "--", "shut_out turn 5: Ben shuts Ana out"]
    _, without, _ = run(capsys, "explain", talk, "--conversation", "one")
    assert "shut_out" not in without


def test_where_nothing_is_concluded_it_says_what_was_looked_for(talk: Path, capsys) -> None:
    code, out, _ = run(capsys, "explain", talk, "--conversation", "two", "--task", "rpp")
    assert code == 0
    assert "not concluded, and what came nearest:\n" in out
    assert "nothing spoke for pursue_withdraw" in out


def test_json_is_as_its_schema_says(talk: Path, capsys) -> None:
    start = ["explain", talk, "--conversation", "one", "--format", "json"]
    for more in ((), ("--all",), ("--task", "rpp", "--turn", "4"), ("--turn", "0")):
        code, out, _ = run(capsys, *start, *more)
        assert code == 0
        schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator(schema).validate(json.loads(out))


def test_the_graph_has_what_was_concluded_as_acts(talk: Path, capsys) -> None:
    start = ["explain", talk, "--conversation", "one", "--format", "graph", "--task", "rpp"]
    _, out, _ = run(capsys, *start)
    acts = [(e.label, e.source.key, e.target.key, e.by) for e in from_json(out).of("act")]
    assert ("pursue_withdraw", "Ana", "Ben", "rules") in acts
    assert {(e["from"], e["to"]) for e in json.loads(out)["evidence"]} >= {(5, 5)}


def test_it_writes_to_a_file(talk: Path, tmp_path: Path, capsys) -> None:
    _, out, _ = run(capsys, "explain", talk, "--conversation", "one")
    code, nothing, _ = run(
        capsys, "explain", talk, "--conversation", "one", "-o", tmp_path / "why.txt"
    )
    assert (code, nothing) == (0, "")
    assert (tmp_path / "why.txt").read_text(encoding="utf-8") == out


def test_it_never_writes_over_a_file_that_it_reads(talk: Path, own: Path, capsys) -> None:
    one = ("explain", talk, "--conversation", "one", "--rules", own)
    for path, before in ((talk, TALK), (own, OWN)):
        code, _, err = run(capsys, *one, "-o", path)
        assert code == 2
        assert "is a file to be read" in err
        assert path.read_text(encoding="utf-8") == before


def test_unknown_names_are_one_message_with_what_may_be_meant(talk: Path, capsys) -> None:
    code, _, err = run(capsys, "explain", talk, "--conversation", "onee")
    assert code == 2
    assert "Did you mean 'one'?" in err
    code, _, err = run(capsys, "explain", talk, "--conversation", "one", "--task", "rrp")
    assert code == 2
    assert "Did you mean 'rpp'?" in err


def test_a_faulty_rule_file_is_one_message_with_its_place(talk: Path, own: Path, capsys) -> None:
    own.write_text(OWN.replace("refusal", "refusl"), encoding="utf-8")
    code, out, err = run(capsys, "explain", talk, "--conversation", "one", "--rules", own)
    assert (code, out) == (2, "")
    assert "my.rules:4:10: " in err
    assert "Traceback" not in err


def test_a_table_that_lacks_everything_says_so_and_goes_on(tmp_path: Path, capsys) -> None:
    bare = tmp_path / "bare.csv"
    bare.write_text("speaker,text\nAna,Will you talk to me?\nBen,Leave it.\n", encoding="utf-8")
    for command in ("explain", "cues"):
        code, out, err = run(capsys, command, bare)
        assert code == 0
        assert out
        assert "--addressee inferred guesses it" in err
        assert "has no scenario" in err
        assert "a column or field `supporter`" in err
    _, _, err = run(capsys, "explain", bare, "--addressee", "inferred")
    assert "--addressee" not in err


@pytest.mark.parametrize("command", ["explain", "cues"])
def test_talk_that_is_not_english_says_why_little_is_found(
    command: str, tmp_path: Path, capsys
) -> None:
    path = tmp_path / "talk.csv"
    said = "Du redest nie mit mir, und wenn du redest, dann nur \u00fcber deine Arbeit!"
    path.write_text(f'speaker,text\nAna,"{said}"\nUwe,"{said}"\n', encoding="utf-8")
    assert "cues are found in English only" in run(capsys, command, path)[2]


def test_where_no_pack_is_left_to_show_it_says_so(talk: Path, capsys) -> None:
    one = ("explain", talk, "--conversation", "one")
    assert "no pack of rules answers er" in run(capsys, *one, "--task", "er")[2]
    only = run(capsys, *one, "--task", "vp", "--pack", "couple")[2]
    assert "none of the packs couple answers vp" in only


def test_cues_are_listed_with_who_how_strong_and_the_words(talk: Path, capsys) -> None:
    code, out, err = run(capsys, "cues", talk, "--conversation", "one")
    assert (code, err) == (0, "")
    (line,) = (line for line in out.splitlines() if "refusal" in line)
    assert line.startswith("turn 5  Ben -> Ana  refusal 0.")
    assert "I don't want to talk" in line
    assert max(map(len, out.splitlines())) <= 80


def test_cues_as_json_have_every_field(talk: Path, capsys) -> None:
    _, out, _ = run(capsys, "cues", talk, "--conversation", "one", "--json", "--turn", "3")
    found = json.loads(out)
    assert {cue["turn"] for cue in found} <= {1, 2, 3}
    assert set(found[0]) == {
        "name", "turn", "source", "target", "strength", "words", "detail", "by",
    }  # fmt: skip


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A couple whose names, id and words hold what a terminal or a line-reader obeys."""
    first, second, coach = EVIL
    said = (
        (first, second, "Will you talk to me?\x1b[2J"),
        (second, first, "I don't want\nto talk\u2028 about it."),
        (first, second, "You never talk to me! Answer me."),
        (coach, first, "Hold on."),
    )
    turns = [{"speaker": who, "addressees": [to], "text": text} for who, to, text in said]
    about = {"id": "x\x1b[2J\n", "scenario": "couple", "participants": [first, second]}
    path = tmp_path / "evil.jsonl"
    record = about | {"supporter": coach, "turns": turns}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "argv",
    [
        ("explain",),
        ("explain", "--all"),
        ("explain", "--format", "json"),
        ("explain", "--format", "graph"),
        ("explain", "--verify", "--task", "rpp"),
        ("cues",),
        ("cues", "--json"),
    ],
    ids=" ".join,
)
def test_nothing_in_a_file_steers_a_terminal_or_forges_a_line(
    evil: Path, argv: tuple[str, ...], capsys
) -> None:
    code, out, err = run(capsys, *argv, evil)
    assert code == 0
    for said in (out, err):
        assert printable(said) == said
    assert "\nturn 9" not in out
    if "json" not in argv and "graph" not in argv and "--json" not in argv:
        assert r"Ben\x0aturn 9" in out.replace("\n    ", " ").replace("\n      ", " ")


def test_a_pack_can_be_shown_alone(talk: Path, own: Path, capsys) -> None:
    start = ["explain", talk, "--conversation", "one", "--rules", own]
    _, out, _ = run(capsys, *start, "--pack", "my")
    assert "shut_out" in out
    assert "pursue_withdraw" not in out
    _, acts, _ = run(capsys, *start, "--pack", "acts")
    assert "withdraw turn 5" in acts
    code, _, err = run(capsys, *start, "--pack", "mine")
    assert code == 2
    assert err.startswith("error: unknown pack 'mine'.")
