"""A bank's phrase said of the people at hand: placeholders become their names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from relgraph.records import GROUPS, SUPPORTER


def filled(text: str, names: Mapping[str, str]) -> str:
    """Returns the phrase with names for placeholders; what a name itself holds stays as it is.

    Args:
        text: a phrase of the bank.
        names: placeholder -> what to say there; at least one.
    """
    places = "|".join(map(re.escape, names))
    return re.sub(places, lambda found: names[found.group()], text)


def said_as(name: str) -> str:
    """Returns a name as it stands in a phrase: everybody at once is `the family`."""
    return f"the {name.lower()}" if name in GROUPS or name == SUPPORTER else name
