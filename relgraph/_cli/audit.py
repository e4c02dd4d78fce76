"""`relgraph audit`: which fields of a prompt give its answer away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from relgraph._cli._evaluating import read_data, request
from relgraph._cli._options import data_options, task_option, view_options
from relgraph.terminal import one_line, printable_json, tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@click.command("audit")
@task_option
@data_options
@view_options
@click.option(
    "--items",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="Show the first N instances of each task with their fields; --json has all.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole report as JSON.")
def audit_command(**options: Any) -> None:
    """Show which fields of a prompt give the answer away, and what reading them alone would score.

    The reader knows the fields beside the transcript and nothing of the conversation: what each
    value means he learns from other relationships. Under `--protocol strict` there should be
    nothing for him to read; under `--protocol paper` the published fields are there.
    """
    import json

    from relgraph.evaluation.leaks import audit
    from relgraph.evaluation.plan import select

    data, _ = read_data(options)
    cases = select(data.conversations, request(options))
    report = {"protocol": options["protocol"], "data": data.source, **audit(cases)}
    if options["as_json"]:
        text = json.dumps(report, ensure_ascii=False, indent=2, allow_nan=False)
        click.echo(printable_json(text))
        return
    if not report["tasks"]:
        tell(f"note: {data.source} has no instance of these tasks")
    for line in _lines(report, most=options["items"]):
        click.echo(one_line(line))


def _lines(report: Mapping[str, Any], *, most: int) -> Iterator[str]:
    yield f"Protocol: {report['protocol']}"
    for name, task in report["tasks"].items():
        yield ""
        if task.get("open"):
            yield f"{name}: {task['n']} instances; an open answer, which no field can name"
            continue
        reader = task["reader"]
        yield (
            f"{name}: {task['n']} instances; a reader of the fields alone scores "
            f"{_percent(reader['value'])}{_ends(reader)}, without them {_percent(task['floor'])}"
        )
        if not task["fields"]:
            yield "  no field beside the transcript"
        for field, of in task["fields"].items():
            said = of.get("read", 0)
            right = f", right in {of.get('right', 0)} of them" if said else ""
            yield f"  {field}: on {of['shown']} instances; says something on {said}{right}"
        for item in task["items"][:most]:
            yield from _item(item)


def _item(item: Mapping[str, Any]) -> Iterator[str]:
    mark = "right" if item["right"] else "wrong"
    by = f"by {item['by']}" if item["by"] else "for want of a field"
    yield (
        f"    {item['conversation']} turn {item['turn']}: reads {item['read']} {by}; "
        f"the answer is {item['gold']} ({mark})"
    )
    for shown in item["fields"]:
        said = f" -> {shown['answer']}" if shown["answer"] else ""
        yield f"      {shown['field']}: {shown['value']}{said}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _ends(reader: Mapping[str, float | None]) -> str:
    low, high = reader["low"], reader["high"]
    return "" if low is None or high is None else f" [{_percent(low)}, {_percent(high)}]"


COMMAND = audit_command
