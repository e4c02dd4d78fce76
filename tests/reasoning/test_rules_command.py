"""`relgraph rules` from the command line."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from relgraph._cli import main
from relgraph.reasoning.ruleset import RuleSet
from relgraph.terminal import printable

PRESSED = """\
pack talk "How talk goes"
  answers rpp
  scenario couple

rule pressed(A, B)  "A presses B"   # a comment
  weight 0.8
  cite "Somebody 1999"
  when   demand T: A -> B
"""
EVIL = "\x1b[2J\u202e"


def run(capsys: pytest.CaptureFixture[str], *words: str | os.PathLike[str]) -> tuple[int, str, str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["relgraph", "rules", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


@pytest.fixture
def pressed(tmp_path: Path) -> Path:
    path = tmp_path / "talk.rules"
    path.write_text(PRESSED, encoding="utf-8")
    return path


def test_a_file_without_a_fault_is_told_and_ends_with_0(pressed: Path, capsys) -> None:
    assert run(capsys, "check", pressed) == (0, "", f"{pressed}: 0 errors, 0 warnings\n")


def test_every_fault_is_a_line_with_its_place_and_the_end_is_2(pressed: Path, capsys) -> None:
    pressed.write_text(PRESSED.replace("demand T", "dmand T") + "rule x(\n", encoding="utf-8")
    code, out, err = run(capsys, "check", pressed)
    assert code == 2
    first, second = out.splitlines()
    assert first.startswith(f"{pressed}:8:10: error: unknown predicate `dmand`")
    assert "did you mean `demand`?" in first
    assert re.match(rf"{re.escape(str(pressed))}:\d+:\d+: error: expected ", second)
    assert err == f"{pressed}: 2 errors, 0 warnings\n"


def test_a_doubt_is_a_warning_and_no_failure(pressed: Path, capsys) -> None:
    pressed.write_text(PRESSED.replace("pressed(A, B)", "pressed(A)"), encoding="utf-8")
    code, out, _ = run(capsys, "check", pressed)
    assert code == 0
    assert out.startswith(f"{pressed}:5:1: warning: ")


def test_faults_as_json_name_file_line_and_column(pressed: Path, capsys) -> None:
    pressed.write_text(PRESSED.replace("demand T", "dmand T"), encoding="utf-8")
    code, out, _ = run(capsys, "check", pressed, "--json")
    (fault,) = json.loads(out)
    assert code == 2
    assert (fault["severity"], fault["source"], fault["line"], fault["column"]) == (
        "error",
        str(pressed),
        8,
        10,
    )


def test_files_may_use_what_the_others_and_the_shipped_packs_conclude(
    pressed: Path, tmp_path: Path, capsys
) -> None:
    other = tmp_path / "other.rules"
    other.write_text(
        "rule tired(A, B) when pressed T: A -> B and withdraw T2: B -> A within 2 turns after T",
        encoding="utf-8",
    )
    assert run(capsys, "check", pressed, other)[0] == 0
    assert "unknown predicate `pressed`" in run(capsys, "check", other)[1]


def test_a_file_that_is_not_there_is_one_message(tmp_path: Path, capsys) -> None:
    code, out, err = run(capsys, "check", tmp_path / "absent.rules")
    assert (code, out) == (2, "")
    assert "absent.rules: no such file" in err


def test_the_text_of_a_hostile_file_cannot_steer_a_terminal(pressed: Path, capsys) -> None:
    pressed.write_text(f'rule {EVIL}x(A) "{EVIL}" when nope{EVIL} T: A -> B\n', encoding="utf-8")
    forged = pressed.with_name("a\nb\x1b[31m.rules")
    pressed.rename(forged)
    code, out, err = run(capsys, "check", forged)
    assert code == 2
    assert printable(out) == out
    assert printable(err) == err
    assert len(out.splitlines()) == len(json.loads(run(capsys, "check", forged, "--json")[1]))


def test_the_list_has_every_shipped_rule_and_keeps_to_80_columns(capsys) -> None:
    _, out, _ = run(capsys, "list")
    listed = re.findall(r"^  (\w+(?:/\w+)?)\(", out, re.MULTILINE)
    assert listed == [r.id.partition(":")[2] for r in RuleSet.shipped().rules]
    assert max(map(len, out.splitlines())) <= 80


def test_the_list_narrows_to_a_task_and_to_a_scenario(pressed: Path, capsys) -> None:
    _, out, _ = run(capsys, "list", "--task", "rpp", "--rules", pressed, "--json")
    answering = {p.name for p in RuleSet.shipped().packs if "rpp" in p.answers}
    assert {"couple", "family"} <= answering
    assert {r["id"].partition(":")[0] for r in json.loads(out)} == answering | {"talk"}
    _, out, _ = run(capsys, "list", "--task", "rpp", "--scenario", "family", "--json")
    found = {r["id"].partition(":")[0] for r in json.loads(out)}
    assert "family" in found
    assert "couple" not in found


def test_an_unknown_task_is_one_message_with_what_may_be_meant(capsys) -> None:
    code, _, err = run(capsys, "list", "--task", "rrp")
    assert code == 2
    assert err.startswith("error: unknown task 'rrp'. Did you mean 'rpp'?")


def test_a_rule_is_shown_as_its_file_has_it(pressed: Path, capsys) -> None:
    code, out, _ = run(capsys, "show", "talk:pressed", "--rules", pressed)
    assert code == 0
    assert out == f"# {pressed}:5  talk:pressed\n{PRESSED.partition('couple')[2].strip()}\n\n"


def test_a_pack_shows_all_its_rules(pressed: Path, capsys) -> None:
    _, out, _ = run(capsys, "show", "couple", "--json")
    assert [r["id"] for r in json.loads(out)] == [
        r.id for r in RuleSet.read("couple").packs[0].rules
    ]
    _, out, _ = run(capsys, "show", "talk", "--rules", pressed)
    assert out.startswith(f"# {pressed}:5  talk:pressed\nrule pressed(A, B)")


def test_a_cue_is_no_rule_and_told_with_its_meaning(capsys) -> None:
    code, _, err = run(capsys, "show", "demand")
    assert code == 2
    assert err.startswith("error: 'demand' is a cue, not a rule: ")
    assert "docs/cues.md" in err


def test_an_unknown_rule_is_told_with_some_that_are_like_it(capsys) -> None:
    _, _, err = run(capsys, "show", "withdraw_attack")
    assert "withdraw_withdraw" in err
    assert "`relgraph rules list` names all" in err
    assert len(err) < 400


def test_a_head_shows_all_its_variants(capsys) -> None:
    _, out, _ = run(capsys, "show", "attack_attack", "--json")
    ids = [record["id"] for record in json.loads(out)]
    assert len(ids) > 1
    assert ids == [r.id for r in RuleSet.shipped().rules if r.head == "attack_attack"]


def test_an_unknown_rule_is_one_message_with_what_may_be_meant(capsys) -> None:
    code, _, err = run(capsys, "show", "pursue_withdrw")
    assert code == 2
    assert err.startswith("error: unknown rule 'pursue_withdrw'. Did you mean 'pursue_withdraw'?")


def test_a_file_of_ones_own_called_like_a_shipped_pack_is_read_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "couple").write_text(
        "pack mine rule h(A, B) when blame T: A -> B", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    found = RuleSet.shipped("couple")
    assert [r.id for r in found.rules if r.head == "h"] == ["mine:h"]
    assert len(found.rules) == len(RuleSet.shipped().rules) + 1
