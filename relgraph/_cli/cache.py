"""`relgraph cache`: what the cache folder holds, and how to empty it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from relgraph.terminal import one_line


@click.command("cache")
@click.option("--folder", default="", help="The cache folder; the user's own when left out.")
@click.option("--info", "action", flag_value="info", default=True, help="Show it (the default).")
@click.option("--clear", "action", flag_value="clear", help="Delete it.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def cache_command(folder: str, action: str, as_json: bool) -> None:
    """Show or empty the cache of embeddings.

    It holds vectors and hashes, no text; but vectors tell about the texts they were made from, so
    empty it when you delete the conversations. It also holds models that were unpacked from
    packages; they are unpacked again when needed.
    """
    from relgraph.embed import VectorStore, clear_models, default_folder, kept_models, models_folder

    store = VectorStore(Path(folder).expanduser() if folder else default_folder())
    info, models = store.info(), kept_models(models_folder(folder))
    if action == "clear":
        store.clear()
        clear_models(models_folder(folder))
    document = {
        "path": str(info.path),
        "size_bytes": info.size_bytes,
        "vectors": dict(info.vectors),
        "models": models,
        "cleared": action == "clear",
    }
    if as_json:
        click.echo(json.dumps(document, indent=2))
        return
    click.echo(f"{'deleted ' if action == 'clear' else ''}{info.path}")
    click.echo(f"{sum(info.vectors.values())} vectors, {info.size_bytes / 1e6:.1f} MB")
    for identity, count in info.vectors.items():
        click.echo(f"  {count:>8}  {one_line(identity[:60])}")
    for name, size_bytes in models.items():
        click.echo(f"model {one_line(name)}, {size_bytes / 1e6:.1f} MB")


COMMAND = cache_command
