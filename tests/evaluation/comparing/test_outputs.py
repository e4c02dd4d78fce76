"""A comparison as table, LaTeX and plot: labels, figures, and names of strangers."""

import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from relgraph.errors import RelgraphError
from relgraph.evaluation.comparing.comparison import Asked, compare_runs
from relgraph.evaluation.comparing.tables import show_comparison
from relgraph.report.compare import plot_comparison
from relgraph.report.latex import escaped, latex_table
from tests.evaluation.comparing.made import WriteRun, data_of, talk

HOSTILE = "\x1b[2J\\input{/etc/passwd} $x_1^2$ & 50% #1 ~ <b> -- \u202e"
DATA = data_of(*(talk(f"t{k}", "pp") for k in range(3)))
NAMES = [c.id for c in DATA.conversations]


def compared(write_run: WriteRun, **more: Any) -> dict[str, Any]:
    answers = {
        "llm": dict.fromkeys(NAMES, "aa"),
        "llm+graph": dict.fromkeys(NAMES, "pp"),
        "llm+placebo": {"t0": "pa", "t1": "ap", "t2": "pp"},
    }
    folder = write_run(DATA, answers, tokens={"llm": 120}, **more)
    return compare_runs([folder], DATA, Asked(examples=1))


def table(found: dict[str, Any], **how: Any) -> str:
    out = StringIO()
    show_comparison(found, out, width=120, **how)
    return out.getvalue()


def test_primary_and_exploratory_comparisons_are_told_apart(write_run: WriteRun) -> None:
    text = table(compared(write_run))
    primary, _, rest = text.partition("Exploratory")
    assert "fixed beforehand" in primary
    assert "Holm over the 1 of 6 that these runs have" in " ".join(primary.split())
    assert re.search(r"RPP +llm\+graph +llm\+placebo +6 +3d +100.0 +66.7 +\+33.3", primary)
    assert not re.search(r"RPP +llm\+graph +llm +6", primary)
    assert re.search(r"RPP +llm\+graph +llm +6 +3d +100.0 +0.0 +\+100.0", rest)
    assert not re.search(r"RPP +llm\+graph +llm\+placebo +6", rest)
    assert "not corrected" in " ".join(rest.split())


def test_a_table_without_primary_contrasts_says_so(write_run: WriteRun) -> None:
    text = " ".join(table(compared(write_run, context=3)).split())
    assert "None of these 6 is in the runs" in text


def test_the_power_line_is_printed_with_the_primary_contrasts(write_run: WriteRun) -> None:
    text = " ".join(table(compared(write_run)).split())
    assert "6 instances of 3 relationships show" in text
    # differences of 1, 1 and 0 of 2: s = 0.5 / sqrt(3), error s / sqrt(3) = 1 / 6;
    # t(0.975, 2) + t(0.8, 2) = 4.302653 + 1.060660
    assert "show 89.4 points with 80% power" in text


def test_too_few_relationships_for_any_small_p_value_are_said(write_run: WriteRun) -> None:
    text = " ".join(table(compared(write_run)).split())
    assert "3 relationships can give no p-value below 0.250" in text


def test_few_relationships_are_called_descriptive(write_run: WriteRun) -> None:
    assert "describe the sample only" in table(compared(write_run))


def test_tokens_stand_beside_the_figures(write_run: WriteRun) -> None:
    text = table(compared(write_run))
    assert re.search(r"RPP +llm +6 +100% +0.0 +120 +- ", text)


def test_tokens_of_both_sides_stand_with_a_primary_contrast(write_run: WriteRun) -> None:
    answers = {"llm+graph": {"t0": "pp"}, "llm+placebo": {"t0": "aa"}}
    folder = write_run(DATA, answers, tokens={"llm+graph": 700, "llm+placebo": 710})
    text = " ".join(table(compare_runs([folder], DATA, Asked())).split())
    assert "RPP llm+graph - llm+placebo: tokens of a prompt: 700 and 710." in text


def test_primary_contrasts_of_several_models_are_counted_together(write_run: WriteRun) -> None:
    answers = {"llm+graph": {"t0": "pp"}, "llm+placebo": {"t0": "aa"}}
    runs = [write_run(DATA, answers, name=n, model=n) for n in "abcdefg"]
    data = data_of(*DATA.conversations)
    found = compare_runs(runs, data, Asked())
    assert found["primary"]["present"] == 0  # one relationship: nothing can be tested
    more = {name: {"t0": of["t0"], "t1": of["t0"]} for name, of in answers.items()}
    runs = [write_run(DATA, more, name=f"{n}2", model=n) for n in "abcdefg"]
    text = " ".join(table(compare_runs(runs, data, Asked())).split())
    assert "Holm over the 7 that these runs have" in text


def test_parts_are_printed_where_details_are_asked_for(write_run: WriteRun) -> None:
    found = compared(write_run)
    assert "couple: pursue_withdraw" not in table(found)
    text = table(found, details=True)
    assert "couple: pursue_withdraw" in text
    assert "turns 2 to 2" in text
    assert "llm+graph - llm (exploratory), in parts" in text


def test_copying_has_a_line_an_approach(write_run: WriteRun) -> None:
    answers = {
        "gnn": {"t0": "pa", "t1": "aa", "t2": "  "},
        "llm": {"t0": "aa", "t1": "pp"},
        "llm+gnn": {"t0": "pa", "t1": "pa"},
    }
    text = table(compare_runs([write_run(DATA, answers)], DATA, Asked()))
    # copied 3 of 4, llm agrees in 1; gnn is wrong in 3, copied in 2, right in 1, llm in 2
    found = re.search(r"RPP +llm\+gnn +4 +75.0 +25.0 +\+50.0 \[.*\] +66.7 +33.3 +66.7", text)
    assert found, text
    assert "llm+gnn the answer of gnn" in " ".join(text.split())


def test_examples_are_printed_and_can_be_left_out(write_run: WriteRun) -> None:
    found = compared(write_run)
    assert "where llm+graph is better than llm+placebo (1 item)" in table(found)
    assert "is better than" not in table(found, examples=False)


def test_nothing_of_a_name_or_text_reaches_the_terminal_as_a_command(write_run: WriteRun) -> None:
    data = data_of(talk(HOSTILE, "pp"), talk("y", "pp"))
    folder = write_run(
        data,
        {"llm": {HOSTILE: "aa", "y": "pp"}, "llm+graph": {HOSTILE: "pp", "y": "pp"}},
        calls=("k",),
    )
    said = {"prompt": HOSTILE, "reply": HOSTILE}
    found = compare_runs([folder], data, Asked(examples=2, recall=lambda _: said))
    text = table(found, details=True)
    assert "input{/etc/passwd}" in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_prompts_keep_their_lines(write_run: WriteRun) -> None:
    folder = write_run(DATA, {"llm": {"t0": "a"}, "llm+graph": {"t0": "p"}}, calls=("k",))
    recall = lambda _: {"prompt": "one\ntwo", "reply": "B"}  # noqa: E731
    text = table(compare_runs([folder], DATA, Asked(examples=1, recall=recall)))
    assert re.search(r"prompt:\n +one\n +two\n +reply:\n +B\n", text)


def test_failures_are_told_with_the_figures_that_count_them_as_wrong(write_run: WriteRun) -> None:
    folder = write_run(DATA, {"llm": {"t0": "p!"}, "llm+graph": {"t0": "pp", "t1": "pp"}})
    text = " ".join(table(compare_runs([folder], DATA, Asked())).split())
    assert "asked of one side only: 2 and 0 instances; failed: 0 and 1" in text
    assert "with failures as wrong accuracy +50.0" in text


def test_every_sign_that_latex_obeys_is_escaped() -> None:
    text = escaped(HOSTILE)
    left = re.sub(r"\\(text[a-z]+\{\}|[{}$&#%_])", "", text)
    assert not set(left.replace("{-}", "")) & set("\\{}$&#%_^~<>\"'`|")
    assert "\x1b" not in text
    assert escaped("50% of a_b & c") == r"50\% of a\_b \& c"


def test_the_latex_table_has_the_rows_with_their_labels(write_run: WriteRun) -> None:
    text = latex_table(compared(write_run))
    assert r"RPP & llm+graph & llm+placebo & 6 & 3$^d$ & 100.0 & 66.7 & $+33.3$ [" in text
    primary, _, rest = text.partition("Exploratory (not corrected)")
    assert "Primary, fixed beforehand (Holm over the 1 of 6 in the runs)" in primary
    assert rest.count("& -- \\\\") == 2  # no corrected p
    for begun in ("table", "tabular"):
        assert text.count(f"\\begin{{{begun}}}") == text.count(f"\\end{{{begun}}}") == 1


def test_every_row_of_the_latex_table_has_ten_cells(write_run: WriteRun) -> None:
    rows = [line for line in latex_table(compared(write_run)).splitlines() if "RPP &" in line]
    assert [len(re.split(r"(?<!\\)&", row)) for row in rows] == [10, 10, 10]


def test_a_hostile_name_is_inert_in_the_latex_table(write_run: WriteRun) -> None:
    found = compared(write_run)
    found["contrasts"][0]["first"] = HOSTILE
    text = latex_table(found)
    assert "\\input{" not in text
    assert r"\textbackslash{}input\{/etc/passwd\}" in text


def test_equal_comparisons_give_equal_plots(write_run: WriteRun, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = compared(write_run)
    for name in ("a.svg", "b.svg"):
        plot_comparison(found, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    text = (tmp_path / "a.svg").read_text()
    assert "llm+graph - llm+placebo" in text
    assert "primary, fixed beforehand" in text


def test_a_plot_is_written_as_its_name_ends(write_run: WriteRun, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot_comparison(compared(write_run), tmp_path / "c.png")
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


def test_a_name_is_no_formula_in_a_plot(write_run: WriteRun, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = compared(write_run)
    found["contrasts"][0]["first"] = r"$\frac{a$"
    plot_comparison(found, tmp_path / "d.svg")
    assert "frac" in (tmp_path / "d.svg").read_text()


def test_an_ending_that_is_no_picture_is_refused(write_run: WriteRun, tmp_path: Path) -> None:
    with pytest.raises(RelgraphError, match="svg"):
        plot_comparison(compared(write_run), tmp_path / "plot.docx")
