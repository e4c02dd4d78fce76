"""Names that nobody has: first names for the people of a roster, others for all else."""

from __future__ import annotations

from collections.abc import Container
from hashlib import sha256
from random import Random

FIRST_NAMES = (
    "Arvel Aurin Baelin Belmar Brisen Caddel Calian Corvin Darel Davin Delmar Dorrin Edrin Elian "
    "Elmery Emric Errol Fallon Farrin Fenner Ferris Galen Garrin Gelsey Halden Harlin Hollin "
    "Idris Ilian Irvel Jarrin Jessen Jorin Kaelin Kellin Kerrin Kestin Lamar Landry Larkin Lerrin "
    "Linnel Lorin Maelin Maren Merrin Mirel Morlan Nalin Narel Nevin Norrin Oakel Olian Orrin "
    "Ostin Palin Parrin Perrin Quillan Quinby Ralin Remel Renley Rillan Rowin Sabel Sarrin Selwin "
    "Sorrin Taelin Tamrin Tarell Tavin Terrin Torrel Ulrin Urian Valin Varrel Verrin Veslin "
    "Wallin Warrin Wendel Wilmer Yarin Yorrel Zaelin Zerrin Zoran"
)
FIRST = tuple(FIRST_NAMES.split())
PARTS = (
    "B Br C D Dr F G Gr H K L M N P R S St T Tr V W",
    "al ar el er il ol or ul und",
    "by dale ford gate holm hurst mere sted thorp vale wick worth brook mark",
)
ONSETS, MIDDLES, ENDINGS = (part.split() for part in PARTS)
RESERVE = 45
"""The first so many of the drawn order go to the roster; the others stand in where one is taken."""


def first_name(place: int, taken: Container[str], *, draw: str) -> str:
    """Returns the invented first name of the person in a place of the roster.

    It depends on the draw and the place alone, unless a text holds that very name.

    Args:
        place: of the word among all words of names in the roster, from 0.
        taken: words, in lower case, that it may not be.
        draw: conversation and seed.
    """
    order = list(FIRST)
    Random(draw).shuffle(order)
    for at in range(place, len(order), RESERVE) if place < RESERVE else ():
        if order[at].lower() not in taken:
            return order[at]
    return other_name(f"first {place}", taken, draw=draw)


def other_name(word: str, taken: Container[str], *, draw: str) -> str:
    """Returns an invented name that may be a person's or a place's.

    It depends on the word and the draw alone, unless it is taken.
    """
    attempt = 0
    while True:
        mark = f"{draw}\x1f{word}\x1f{attempt}".encode("utf-8", "surrogatepass")
        a, b, c, d = sha256(mark).digest()[:4]
        name = f"{ONSETS[a % len(ONSETS)]}{MIDDLES[b % len(MIDDLES)]}{ENDINGS[c % len(ENDINGS)]}"
        if attempt > len(ONSETS):
            name += f"{MIDDLES[d % len(MIDDLES)]}{ENDINGS[(a + d) % len(ENDINGS)]}"
        if name.lower() not in taken:
            return name
        attempt += 1


def digits(text: str, *, draw: str) -> str:
    """Returns the text with other digits in the places of its digits."""
    drawn = Random(f"{draw}\x1f{text}")
    while True:
        given = "".join(str(drawn.randrange(10)) if c.isdigit() else c for c in text)
        if given != text:
            return given
