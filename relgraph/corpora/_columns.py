"""The columns of a table: which headers name them, and which are likely slips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from relgraph.corpora._base import Notes, shown
from relgraph.errors import DataError

ALIASES: Mapping[str, tuple[str, ...]] = {
    "speaker": ("speaker", "primary_speaker", "speaker_name", "speaker_id", "who", "name"),
    "text": (
        "text", "utterance", "dialogue_cleaned", "dialogue", "content", "transcript", "message",
    ),
    "start_s": ("start_s", "start", "start_time", "begin", "onset", "from_s"),
    "end_s": ("end_s", "end", "end_time", "stop", "offset", "to_s"),
    "addressees": ("addressees", "addressee", "target", "targets", "listener", "to"),
    "conversation": (
        "conversation", "conversation_id", "sample_id", "dialogue_id", "session", "session_id",
    ),
    "tone": ("tone", "tone_of_voice"),
    "scenario": ("scenario",),
    "participants": ("participants",),
    "supporter": ("supporter",),
    "relationship": ("relationship",),
}  # fmt: skip
"""Column -> the headers it goes by, the first that is there counting; case and spaces are free."""
TIMES = ("start_s", "end_s")
NEAR = 0.82
"""Likeness above which a header is taken for a slip; `two` for `to` stays below."""


def columns_of(header: Sequence[str]) -> dict[str, int]:
    """Returns the position of each column that the header names."""
    places: dict[str, int] = {}
    for i, name in enumerate(header):
        places.setdefault(_simple(name), i)
    found = {
        column: next((places[a] for a in aliases if a in places), None)
        for column, aliases in ALIASES.items()
    }
    return {column: place for column, place in found.items() if place is not None}


def require(columns: Mapping[str, int], header: Sequence[str], where: str) -> None:
    """Raises DataError unless there are a speaker and a text column."""
    for column in ("speaker", "text"):
        if column not in columns:
            raise DataError(
                f"{where}: no column {column!r}. Got the columns "
                f"{', '.join(map(shown, header)) or '(none)'}; wanted one of "
                f"{', '.join(ALIASES[column])}."
            )


def note_slips(columns: Mapping[str, int], header: Sequence[str], notes: Notes) -> None:
    """Notes each unknown header that nearly names a column which is not there."""
    taken = set(columns.values())
    missing = {a: column for column in ALIASES if column not in columns for a in ALIASES[column]}
    for i, name in enumerate(header):
        near = get_close_matches(_simple(name), missing, n=1, cutoff=NEAR)
        if i in taken or not near:
            continue
        # a near name may still be another thing (`start_ms`), so nothing is renamed unasked
        unit = " (times are seconds or clock times)" if missing[near[0]] in TIMES else ""
        notes.warning(
            "odd-column",
            "an unknown column with nearly the name of a known one; kept in `extra`, not read",
            field=name,
            hint=f"Did you mean {near[0]!r}? Then rename it{unit}.",
        )


def _simple(name: str) -> str:
    return name.strip().casefold().replace(" ", "_")
