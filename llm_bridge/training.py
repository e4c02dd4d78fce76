"""What blocks that learn may know: the training conversations of the instance's fold."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from relgraph.approach import Findings, Settings
from relgraph.llm_bridge.blocks._base import Training
from relgraph.llm_bridge.privacy import Disguise
from relgraph.records import Conversation, fingerprint
from relgraph.registry import load, names


def training_of(
    train: Sequence[Conversation],
    findings: Findings,
    settings: Settings,
    disguise: Disguise | None = None,
) -> Training:
    """Returns the training conversations with their cases and what was found of these.

    Args:
        train: with their gold.
        findings: what the needed approaches said; those of other instances do no harm.
        settings: what is shown of a conversation.
        disguise: what cases go through before anything of them is shown.
    """
    if not train:
        return Training()
    view = settings.view
    tasks = [load("task", name) for name in names("task")]
    cases = {t.name: tuple(case for c in train for case in t.cases(c, view)) for t in tasks}
    said = "".join(f"{c.id}\x1f{fingerprint(c)}\x1f{c.gold!r}\x1e" for c in train)
    key = sha256(f"{view}\x1e{said}".encode("utf-8", "surrogatepass")).hexdigest()
    return Training(tuple(train), cases, findings, key, disguise or Disguise())
