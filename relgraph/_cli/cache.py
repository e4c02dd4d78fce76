"""`relgraph cache`: what the cache folder holds, and how to empty it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relgraph.terminal import agreed, one_line, tell

if TYPE_CHECKING:
    from relgraph.calls import CallsInfo, CallStore

KINDS = ("vectors", "models", "calls")
MADE_AGAIN = ("vectors", "models")
"""Kinds that cost time to make again; calls cost money."""


@click.command("cache")
@click.option("--folder", default="", help="The cache folder; the user's own when left out.")
@click.option(
    "--calls",
    "calls_file",
    default="",
    metavar="FILE",
    help="A call cache that stands elsewhere, as `--calls` of other commands names it. [default: "
    "the one in --folder; without it RELGRAPH_CALLS, else in the user's cache folder]",
)
@click.option("--info", "action", flag_value="info", default=True, help="Show it (the default).")
@click.option("--clear", "action", flag_value="clear", help="Delete it: vectors and models.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    help="Delete only these; `calls`, which cost money, go only when named. May be repeated.",
)
@click.option("--yes", is_flag=True, help="Do not ask before calls are deleted.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def cache_command(
    folder: str, calls_file: str, action: str, kinds: tuple[str, ...], yes: bool, as_json: bool
) -> None:
    """Show or empty the caches: of embeddings, of models, and of calls to language models.

    Vectors hold no text, but tell about the texts they were made from. Models were unpacked from
    packages and are unpacked again when needed. Calls hold prompts, so transcripts, and the
    replies that were paid for. Empty the first and the last when you delete the conversations.
    """
    from relgraph.embed import VectorStore, clear_models, default_folder, kept_models, models_folder

    place = Path(folder).expanduser() if folder else default_folder()
    store, calls = VectorStore(place), _calls(calls_file, folder)
    info, models = store.info(), kept_models(models_folder(folder))
    kept = calls.info() if calls else None
    if calls:
        calls.close()
    clearing = action == "clear"
    gone = (kinds or MADE_AGAIN) if clearing else ()
    if "calls" in gone and calls and kept and _may_go(kept, yes=yes):
        calls.clear()
    if "vectors" in gone:
        store.clear()
    if "models" in gone:
        clear_models(models_folder(folder))
    document: dict[str, Any] = {
        "path": str(info.path),
        "size_bytes": info.size_bytes,
        "vectors": dict(info.vectors),
        "models": models,
        "calls": _described(kept),
        "cleared": clearing,
        "kinds_cleared": list(gone),
    }
    if as_json:
        click.echo(json.dumps(document, indent=2))
        return
    click.echo(f"{'deleted ' if 'vectors' in gone else ''}{info.path}")
    click.echo(f"{sum(info.vectors.values())} vectors, {info.size_bytes / 1e6:.1f} MB")
    for identity, count in info.vectors.items():
        click.echo(f"  {count:>8}  {one_line(identity[:60])}")
    for name, size_bytes in models.items():
        click.echo(f"model {one_line(name)}, {size_bytes / 1e6:.1f} MB")
    if kept:
        _show_calls(kept, deleted="calls" in gone)
    else:
        click.echo(f"no calls are kept ({'--calls none' if calls_file else 'RELGRAPH_CALLS=none'})")
    if clearing and not kinds and kept and kept.models:
        tell("note: calls are kept, since they were paid for; --clear --kind calls deletes them")


def _calls(file: str, folder: str) -> CallStore | None:
    """Returns the call cache that is meant: the one of a named folder, else as runs find it."""
    from relgraph.calls import FILE, CallStore

    if folder and not file:
        return CallStore(Path(folder).expanduser() / FILE)
    return CallStore.at(file)


def _may_go(kept: CallsInfo, *, yes: bool) -> bool:
    """Whether calls may be deleted.

    Raises:
        UsageError: nobody can be asked, and it was not said beforehand.
        Abort: they may not.
    """
    count = sum(of.calls for of in kept.models.values())
    cost_usd = sum(of.cost_usd for of in kept.models.values())
    if yes or not count:
        return True
    what = f"{_counted(count)} that cost {cost_usd:.2f} USD"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError(f"{kept.path}: holds {what}; delete them with --yes.")
    if not agreed(f"Delete {what}?"):
        raise click.Abort
    return True


def _described(kept: CallsInfo | None) -> dict[str, Any]:
    if kept is None:
        return {}
    models = {name: asdict(of) for name, of in kept.models.items()}
    return {"path": str(kept.path), "size_bytes": kept.size_bytes, "models": models}


def _show_calls(kept: CallsInfo, *, deleted: bool) -> None:
    count = sum(of.calls for of in kept.models.values())
    click.echo(f"{'deleted ' if deleted else ''}{kept.path}")
    click.echo(f"{_counted(count)}, {kept.size_bytes / 1e6:.1f} MB")
    for name, of in kept.models.items():
        tokens = f"{of.tokens:,} tokens, {of.cost_usd:.4f} USD"
        click.echo(f"  {of.calls:>8}  {one_line(name[:60])}, {tokens}")


def _counted(calls: int) -> str:
    return f"{calls} call{'s' if calls != 1 else ''}"


COMMAND = cache_command
