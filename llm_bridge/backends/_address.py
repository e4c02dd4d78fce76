"""Addresses of endpoints: how they are shown, and whether they are this machine's own."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit, urlunsplit

from relgraph.errors import RelgraphError


def require_address(url: str) -> None:
    """Makes sure that what was given as `--base-url` is an address.

    Raises:
        RelgraphError: it is not.
    """
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname)
        good = good and (parts.port is None or parts.port > 0)
    except ValueError:
        raise RelgraphError(
            "--base-url: not an address; wanted one like http://localhost:8000/v1."
        ) from None
    if not good:
        raise RelgraphError(
            f"--base-url {without_login(url)}: wanted an address like http://localhost:8000/v1."
        )


def without_login(url: str) -> str:
    """Returns the address without user name, password and query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def on_this_machine(url: str) -> bool:
    """Returns whether an address is this machine's own, so that nothing leaves it."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
