"""A comparison as tables for a terminal of 100 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from rich.box import SIMPLE
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from relgraph.evaluation.tables import SHORT
from relgraph.terminal import one_line, printable

WIDTH = 100
EXPLORATORY = (
    "Exploratory: all that was not fixed beforehand. Its p-values are not corrected for their "
    "number; they suggest what to test on other data, and prove nothing here."
)
FEW = "d"
Row = Mapping[str, Any]


def show_comparison(
    found: Mapping[str, Any],
    out: IO[str],
    *,
    details: bool = False,
    examples: bool = True,
    width: int = WIDTH,
) -> None:
    """Prints a comparison: primary contrasts, exploratory ones, power, what it took, copying.

    Args:
        found: as `comparison.compare_runs` gives it.
        out: where to.
        details: whether the differences by scenario, class and place follow.
        examples: whether the items to read follow.
        width: columns.
    """
    console = Console(file=out, width=width, highlight=False)
    for part in _parts(found, details=details, examples=examples):
        console.print(part)


def _parts(found: Mapping[str, Any], *, details: bool, examples: bool) -> Iterator[RenderableType]:
    yield from _heading(found)
    rows: Sequence[Row] = found["contrasts"]
    primary = [row for row in rows if row["primary"]]
    yield _bold(_primary_title(found["primary"], primary))
    if primary:
        yield _contrasts(primary, corrected=True)
        yield _dim("\n".join(_power_lines(primary)))
    rest = [row for row in rows if not row["primary"]]
    if rest:
        yield Text()
        yield _bold(EXPLORATORY)
        yield _contrasts(rest, corrected=False)
    if any(row["descriptive"] for row in rows):
        yield _dim(f"{FEW}: fewer than 10 relationships; the figures describe the sample only.")
    yield _dim("\n".join(_remarks(rows)))
    if details:
        for row in rows:
            yield from _strata(row)
    yield from _took(found["tasks"])
    yield from _copying(found["tasks"])
    for row in rows if examples else ():
        yield from _examples(row)
    yield _dim(f"Shares in percent, differences in points. Intervals: {found['intervals']}.")


def _heading(found: Mapping[str, Any]) -> Iterator[Text]:
    yield _bold(f"Comparison on {found['data']['source']}, protocol {found['protocol']}")
    for number, run in enumerate(found["runs"], start=1):
        turns = sorted({"all" if n < 0 else str(n) for n in run["context_turns"].values()})
        yield Text(
            one_line(
                f"@{number} {run['folder']}: model {run['model']}, mode {run['mode']}, "
                f"context {'/'.join(turns)} turns, seeds {run['seeds']}"
            )
        )
        if run["unfinished"]:
            yield Text(one_line(f"   NOT FINISHED, figures are provisional: {run['unfinished']}"))
    for row in found["differences"]:
        values = " | ".join(str(value) for value in row["values"])
        yield _dim(one_line(f"the runs differ in {row['name']}: {values}"))
    yield Text()


def _primary_title(primary: Mapping[str, Any], rows: Sequence[Row]) -> str:
    pairs = ", ".join(f"{a} - {b}" for a, b in primary["contrasts"])
    tasks = ", ".join(name.upper() for name in primary["tasks"])
    said = f"Primary: {pairs}, on {tasks}; fixed beforehand. "
    if not rows:
        where = "shown" if primary["present"] else "in the runs"
        return f"{said}None of these {primary['fixed']} is {where}."
    if primary["present"] > primary["fixed"]:
        return f"{said}Holm over the {primary['present']} that these runs have."
    return f"{said}Holm over the {primary['present']} of {primary['fixed']} that these runs have."


def _contrasts(rows: Sequence[Row], *, corrected: bool) -> Table:
    table = _table("task", "first", "minus second")
    for name in ("n", "rel.", "first", "second", "difference [95%]", "p"):
        table.add_column(name, justify="right")
    if corrected:
        table.add_column("p (Holm)", justify="right")
    for row in rows:
        few = FEW if row["descriptive"] else ""
        cells = [row["task"].upper(), row["first"], row["second"]]
        cells += [str(row["n"]), f"{row['relationships']}{few}"]
        cells += [value(row, row["first_value"]), value(row, row["second_value"])]
        cells += [difference_text(row), p_text(row["p"])]
        cells += [p_text(row["p_holm"])] if corrected else []
        table.add_row(*(Text(one_line(cell)) for cell in cells))
    return table


def value(row: Row, number: float | None) -> str:
    """Returns a figure as tables show it: shares in percent."""
    if number is None:
        return "-"
    return f"{100 * number:.1f}" if row["percent"] else f"{number:.2f}"


def difference_text(row: Row) -> str:
    """Returns the difference with its interval, in points where it is one of shares."""
    scale, places = (100, 1) if row["percent"] else (1, 2)
    text = f"{scale * row['difference']:+.{places}f}"
    if row["low"] is None:
        return text
    return f"{text} [{scale * row['low']:+.{places}f}, {scale * row['high']:+.{places}f}]"


def p_text(p: float | None) -> str:
    """Returns a p-value as tables show it."""
    if p is None:
        return "-"
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _power_lines(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        power = row["power"]
        where = f"Power, {row['task'].upper()} {row['first']} - {row['second']}"
        if power is None:
            yield one_line(f"{where}: not known; the relationships are too few or all alike.")
            continue
        unit = " points" if row["percent"] else ""
        scale = 100 if row["percent"] else 1
        wanted = power["needed_relationships"]
        more = "no number of relationships" if wanted is None else f"about {wanted:,} relationships"
        yield one_line(
            f"{where}: {row['n']} instances of {power['relationships']} relationships show "
            f"{scale * power['detectable']:.1f}{unit} with 80% power at 0.05 "
            f"({scale * power['detectable_of_all_tests']:.1f} at 0.05/{power['tests']}); "
            f"{more} would show the {scale * row['difference']:+.1f} seen."
        )
        if power["least_p"] * power["tests"] >= power["level"]:
            yield (
                f"  {power['relationships']} relationships can give no p-value below "
                f"{p_text(power['least_p'])}, so none is significant after Holm."
            )


def _remarks(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        left, where = row["left_out"], f"{row['task'].upper()} {row['first']} - {row['second']}"
        said = []
        if left["only_first"] or left["only_second"]:
            said.append(
                f"asked of one side only: {left['only_first']} and {left['only_second']} instances"
            )
        if left["either_failed"]:
            said.append(f"failed: {left['first_failed']} and {left['second_failed']}")
            wrong = row.get("failures_as_wrong")
            if wrong:
                shown = {**wrong, "percent": row["percent"]}
                name = SHORT.get(wrong["metric"], wrong["metric"])
                figures = f"{difference_text(shown)}, p {p_text(wrong['p'])}"
                said.append(f"with failures as wrong {name} {figures}")
        if row["primary"] and any(row["prompt_tokens"]):
            one, other = map(_tokens, row["prompt_tokens"])
            said.append(f"tokens of a prompt: {one} and {other}")
        if said:
            yield one_line(f"{where}: {'; '.join(said)}.")
    metrics = {row["task"]: row["metric"] for row in rows}
    yield "Compared on: " + ", ".join(
        f"{task.upper()} {SHORT.get(metric, metric)}" for task, metric in metrics.items()
    )
    if lower := {row["task"].upper() for row in rows if row["lower_is_better"]}:
        yield f"Lower is better: {', '.join(sorted(lower))}."


def _strata(row: Row) -> Iterator[RenderableType]:
    yield Text()
    note = "" if row["primary"] else " (exploratory)"
    yield _bold(f"{row['task'].upper()} {row['first']} - {row['second']}{note}, in parts")
    table = _table("part")
    for name in ("n", "rel.", "first", "second", "difference [95%]"):
        table.add_column(name, justify="right")
    for name in ("by_scenario", "by_class", "by_position"):
        for part in row.get(name, ()):
            shown = {**part, "percent": row["percent"]}
            few = FEW if part["descriptive"] else ""
            cells = [_part_name(part), str(part["n"]), f"{part['relationships']}{few}"]
            cells += [value(shown, part["first_value"]), value(shown, part["second_value"])]
            cells += [difference_text(shown)]
            table.add_row(*(Text(one_line(cell)) for cell in cells))
    yield table


def _part_name(part: Row) -> str:
    if "from_turn" in part:
        return f"turns {part['from_turn']} to {part['to_turn']}"
    return ": ".join(part[name] or "other" for name in ("scenario", "class") if name in part)


def _took(tasks: Mapping[str, Row]) -> Iterator[RenderableType]:
    yield Text()
    yield _bold("What each approach reached on all that it was asked, and what an answer took")
    table = _table("task", "approach")
    for name in (
        "n",
        "covered",
        "figure",
        "prompt tokens",
        "answer tokens",
        "seconds",
        "USD in all",
    ):
        table.add_column(name, justify="right")
    for name, task in tasks.items():
        for arm, of in task["arms"].items():
            cells = [name.upper(), arm, str(of["n"]), f"{100 * of['coverage']:.0f}%"]
            cells += [value(of, of["value"]), _tokens(of["prompt_tokens"])]
            cells += [_tokens(of["answer_tokens"]), f"{of['time_s']:.2f}", f"{of['cost_usd']:.4f}"]
            table.add_row(*(Text(one_line(cell)) for cell in cells))
    yield table


def _tokens(count: float) -> str:
    return f"{count:,.0f}" if count else "-"


def _copying(tasks: Mapping[str, Row]) -> Iterator[RenderableType]:
    if not any(task["copying"] for task in tasks.values()):
        return
    yield _bold(
        "Copying: how often an approach says what it was shown, against how often plain llm says "
        "so unseen (exploratory)"
    )
    table = _table("task", "approach")
    for name in ("n", "copied", "llm agrees", "lift [95%]", "wrong", "right then", "llm then"):
        table.add_column(name, justify="right")
    shown: dict[str, str] = {}
    for name, task in tasks.items():
        for row in task["copying"]:
            shown[row["approach"]] = row["source"]
            lift, wrong = {"percent": True, **row["lift"]}, row["wrong"]
            shares = (row["all"]["copied"], row["all"]["plain_agrees"])
            cells = [name.upper(), row["approach"], str(row["n"])]
            cells += [*(value(lift, share) for share in shares), difference_text(lift)]
            then = (wrong["copied"], wrong["accuracy"], wrong["plain_accuracy"])
            cells += [value(lift, share) for share in then]
            table.add_row(*(Text(one_line(cell)) for cell in cells))
    yield table
    yield _dim(
        "wrong: share copied where what is shown is wrong; right then: the approach's share right "
        "there, beside plain llm's. Shown: "
        + one_line("; ".join(f"{name} the answer of {source}" for name, source in shown.items()))
    )


def _examples(row: Row) -> Iterator[RenderableType]:
    for way, items in row.get("examples", {}).items():
        yield Text()
        yield _bold(
            f"{row['task'].upper()}: where {row['first']} is {way} than {row['second']} "
            f"({len(items)} item{'' if len(items) == 1 else 's'})"
        )
        for item in items:
            yield Text(
                one_line(
                    f"{item['conversation']} turn {item['turn']} ({item['scenario']}); "
                    f"the answer is {item['gold']}"
                )
            )
            for side in ("first", "second"):
                yield from _answer(row[side], item[side])


def _answer(name: str, answer: Row) -> Iterator[Text]:
    said = answer.get("ranking") or answer.get("emotion") or answer.get("viewpoints") or "nothing"
    shown = f"{said[0]}" if "ranking" in answer else f"{said}"
    if answer.get("probabilities"):
        shown += f" ({answer['probabilities'][0]:.2f})"
    yield Text(one_line(f"  {name} says {shown}"))
    for call in answer.get("calls", ()):
        for part in ("prompt", "reply"):
            yield _dim(f"    {part}:")
            lines = printable(str(call.get(part, ""))).splitlines()
            yield Text("\n".join(f"      {line}" for line in lines))


def _table(*names: str) -> Table:
    table = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for name in names:
        table.add_column(name, overflow="fold")
    return table


def _bold(text: str) -> Text:
    return Text(one_line(text), style="bold")


def _dim(text: str) -> Text:
    return Text(printable(text), style="dim")
