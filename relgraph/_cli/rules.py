"""`relgraph rules`: check rule files, list the rules there are, show one of them."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import click

from relgraph._cli._options import rule_options
from relgraph.labels import PATTERNS
from relgraph.terminal import one_line, printable_json, shown, tell

if TYPE_CHECKING:
    from relgraph.errors import RelgraphError
    from relgraph.reasoning.language import Pack, Problem, Rule
    from relgraph.reasoning.ruleset import RuleSet

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")


@click.group("rules")
def rules() -> None:
    """Check, list and show rules. The language: docs/rules.md."""


@rules.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@_json
def check(files: tuple[str, ...], as_json: bool) -> None:
    """List what is wrong in rule files, as FILE:LINE:COLUMN: error: MESSAGE.

    The files are read together and beside the shipped packs, whose conclusions they may use. Ends
    with 2 when there are errors, with 0 when there are none or only warnings.
    """
    from dataclasses import asdict

    problems = _problems(files)
    if as_json:
        found = [asdict(problem) for problem in problems]
        click.echo(printable_json(json.dumps(found, indent=2, ensure_ascii=False)))
    for problem in () if as_json else problems:
        where = f"{problem.source}:{problem.line}:{problem.column}"
        click.echo(one_line(f"{where}: {problem.severity}: {problem.message}"))
    errors = sum(p.severity == "error" for p in problems)
    if not as_json:
        what = files[0] if len(files) == 1 else f"{len(files)} files"
        tell(f"{what}: {_number(errors, 'error')}, {_number(len(problems) - errors, 'warning')}")
    click.get_current_context().exit(2 if errors else 0)


@rules.command("list")
@rule_options
@click.option("--task", default="", metavar="TASK", help="Only packs that answer this task.")
@click.option("--scenario", default="", metavar="NAME", help="Only rules that apply to it.")
@_json
def list_rules(rules: tuple[str, ...], task: str, scenario: str, as_json: bool) -> None:
    """List the rules that ship with relgraph and those of your own files, by pack."""
    from relgraph.reasoning.ruleset import RuleSet

    ruleset = RuleSet.shipped(*rules)
    _demand_known(task, scenario, ruleset)
    kept = [
        (pack, [r for r in pack.rules if not scenario or scenario in (r.scenarios or (scenario,))])
        for pack in ruleset.packs
        if not task or task in pack.answers
    ]
    if as_json:
        records = [_record(rule, pack) for pack, found in kept for rule in found]
        click.echo(printable_json(json.dumps(records, indent=2, ensure_ascii=False)))
        return
    for pack, found in kept:
        if found:
            click.echo("\n".join(_pack_lines(pack, found)))
            click.echo()


@rules.command("show")
@click.argument("name")
@rule_options
@_json
def show(name: str, rules: tuple[str, ...], as_json: bool) -> None:
    """Show rules as their file has them.

    NAME is an id (`couple:pursue_withdraw/answer`), a head (`pursue_withdraw`) or a pack.
    """
    from relgraph.reasoning.ruleset import RuleSet

    ruleset = RuleSet.shipped(*rules)
    found = [r for r in ruleset.rules if name in (r.id, r.head, r.id.partition(":")[2])]
    found = found or [r for r in ruleset.rules if r.pack == name]
    if not found:
        raise _no_rule(name, ruleset)
    if as_json:
        packs = {pack.name: pack for pack in ruleset.packs}
        records = [_record(rule, packs[rule.pack]) for rule in found]
        click.echo(printable_json(json.dumps(records, indent=2, ensure_ascii=False)))
        return
    for rule in found:
        click.echo(shown(f"# {one_line(rule.source)}:{rule.line}  {rule.id}\n{rule.text}\n"))


def _no_rule(name: str, ruleset: RuleSet) -> RelgraphError:
    from relgraph.cues.codebook import CODEBOOK
    from relgraph.errors import RelgraphError, UnknownNameError

    if name in CODEBOOK:
        return RelgraphError(
            f"{name!r} is a cue, not a rule: {CODEBOOK[name].definition}. All cues: docs/cues.md."
        )
    names = dict.fromkeys(rule.id if ":" in name else rule.head for rule in ruleset.rules)
    near = get_close_matches(name, names, 5, 0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    like = f" Others like it: {', '.join(near[1:])}." if near[1:] else ""
    return UnknownNameError(f"unknown rule {name!r}.{hint}{like} `relgraph rules list` names all.")


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _problems(files: tuple[str, ...]) -> list[Problem]:
    from relgraph.reasoning.check import check_packs
    from relgraph.reasoning.parse import parse_pack
    from relgraph.reasoning.ruleset import text_of, with_needed

    problems: list[Problem] = []
    packs: dict[str, Pack] = {}
    for file in files:
        text, source = text_of(file)
        packs[source], unread = parse_pack(text, source)
        problems += unread
    together = check_packs(with_needed(list(packs.values())))
    problems += (problem for problem in together if problem.source in packs)
    return sorted(problems, key=lambda p: (p.source, p.line, p.column, p.severity))


def _demand_known(task: str, scenario: str, ruleset: RuleSet) -> None:
    from relgraph.errors import unknown_name
    from relgraph.registry import names

    scenarios = {*PATTERNS, *(s for rule in ruleset.rules for s in rule.scenarios)}
    for kind, name, known in (("task", task, names("task")), ("scenario", scenario, scenarios)):
        if name and name not in known:
            raise unknown_name(kind, name, sorted(known))


def _pack_lines(pack: Pack, rules: list[Rule]) -> list[str]:
    from relgraph.reasoning.wording import wrapped

    about = [f"answers {', '.join(pack.answers)}"] if pack.answers else []
    about += [f"scenario {', '.join(pack.scenarios)}"] if pack.scenarios else []
    tail = f" ({'; '.join(about)})" if about else ""
    lines = [wrapped("", one_line(f"{pack.name}: {pack.title or pack.source}{tail}"), hang=2)]
    for rule in rules:
        params = ", ".join(map(str, rule.params))
        name = f"{rule.id.partition(':')[2]}({params})"
        mutual = "  mutual" if rule.mutual else ""
        said = f"{name}  {rule.weight:.2f}{mutual}  {rule.reading}"
        lines.append(wrapped("", one_line(said), indent=2, hang=6))
    return lines


def _record(rule: Rule, pack: Pack) -> dict[str, Any]:
    return {
        "id": rule.id,
        "head": rule.head,
        "params": [str(term) for term in rule.params],
        "reading": rule.reading,
        "weight": rule.weight,
        "mutual": rule.mutual,
        "scenarios": list(rule.scenarios),
        "answers": list(pack.answers),
        "cites": list(rule.cites),
        "source": rule.source,
        "line": rule.line,
        "hash": rule.hash,
        "text": rule.text,
    }


COMMAND = rules
