"""What leaves the machine is told once; sensitive data leaves it only where that is allowed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from relgraph.approach import Settings
from relgraph.errors import RelgraphError
from relgraph.llm_bridge.backends._base import Backend
from relgraph.records import Conversation, Instance
from relgraph.terminal import tell

SWITCH = "RELGRAPH_REMOTE_OK"
ON = frozenset({"1", "true", "yes", "on"})
CHANNELS = {
    "dialogue": "",
    "audio": ", tone of voice",
    "visual": ", described behaviour",
    "audiovisual": ", tone of voice, described behaviour",
}


def refuse_unallowed(
    backend: Backend, conversations: Iterable[Conversation], settings: Settings
) -> None:
    """Refuses to send conversations marked sensitive to a model elsewhere, unless that is allowed.

    Args:
        backend: the model; one on this machine may read all.
        conversations: what its prompts are made of, training conversations too.
        settings: `remote_ok` allows it, as does the environment variable `RELGRAPH_REMOTE_OK`.

    Raises:
        RelgraphError: it is not allowed; nothing has been sent.
    """
    if not backend.remote or settings.remote_ok or os.environ.get(SWITCH, "").lower() in ON:
        return
    if any(c.sensitive for c in conversations):
        raise RelgraphError(
            f"these conversations are marked sensitive, and {backend.identity} is not on this "
            "machine: nothing was sent. If they may leave it, say so with --remote-ok or "
            f"{SWITCH}=1, and think of --pseudonymize; a model here (--model local, or an "
            "endpoint at localhost) needs neither. docs/privacy.md tells what is marked and how."
        )


def before_asking(
    backend: Backend,
    instances: Sequence[Instance],
    settings: Settings,
    train: Sequence[Conversation] = (),
) -> None:
    """Tells once a process what leaves the machine; refuses what must not leave it.

    Raises:
        RelgraphError: sensitive data would leave the machine, and that is not allowed.
    """
    refuse_unallowed(backend, (*(i.conversation for i in instances), *train), settings)
    if not backend.remote:
        return
    count = len({i.conversation.id for i in instances})
    shown = f"transcripts of {count} conversation{'' if count == 1 else 's'}"
    if train:
        shown += f" and moments of {len(train)} training conversations with their answers"
    hidden = (
        "with names and places replaced (--pseudonymize)"
        if settings.pseudonymize
        else "with names and places as they are (--pseudonymize replaces them)"
    )
    _tell_once(
        backend.identity,
        f"{hidden}: speakers, addressees, words{CHANNELS[settings.view.mode]}",
        f"note: what leaves this machine for {backend.identity}: {shown}, {hidden}: "
        f"speakers, addressees, words{CHANNELS[settings.view.mode]}",
    )


_told: set[tuple[str, str]] = set()


def _tell_once(whom: str, what: str, message: str) -> None:
    """Says it once a process for each model and each kind of content."""
    if (whom, what) not in _told:
        _told.add((whom, what))
        tell(message)
