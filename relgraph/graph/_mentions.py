"""Who is mentioned in a text: names as whole words, and `you`. Words are counted here too."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence

WORD = re.compile(r"\w+(?:[-\u2010\u2011]\w+)*")
COUNTED = re.compile(r"\w+(?:['\u2019\-\u2010\u2011]\w+)*")
SENTENCE_END = ".?!\u2026:;"
CALL = ",.?!'\u2019:"
YOU = frozenset({"you", "your", "yours", "yourself", "yourselves"})
# Names that are everyday English words: a sentence may well begin with one.
ALSO_WORDS = frozenset(
    {
        *("a", "art", "bill", "chance", "chase", "dawn", "drew", "faith", "gene", "grace", "guy"),
        *("hope", "jack", "joy", "june", "mark", "may", "miles", "pat", "ray", "rich", "rob"),
        *("rose", "sue", "summer", "will"),
    }
)
# Words of grammar are never a name: a speaker called `I`.
PRONOUNS = frozenset(
    {*("i", "you", "he", "she", "we", "they", "it", "me", "him", "her", "us", "them", "my")}
)
# "Will you" is a question, "Will is" is of Will; "Hope is" may be of hope, "Hope says" is of Hope.
VERBS = frozenset(
    {*("bill", "chase", "drew", "jack", "mark", "may", "pat", "ray", "rob", "sue", "will")}
)
ADVERBS = frozenset({"always", "also", "even", "just", "never", "often", "only", "really", "still"})
BE = frozenset(
    {
        *("is", "isn", "was", "wasn", "has", "hasn", "had", "hadn", "can", "could", "should"),
        *("will", "won", "would", "wouldn", "may", "might", "must", "and"),
    }
)
OF_SOMEBODY = re.compile(
    r"(?:does|doesn|did|didn|said|told|went|came|left|hit|"
    r"(?!this|his|hers|its|yours|ours|us|as|is|was|has|things|yes)\w+(?<!s)s|\w\w+ed)$"
)
# Thai, Lao, kana and Han are written without spaces: there a name is looked for anywhere.
UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")

_Words = tuple[str, ...]


class Names:
    """The names to look for; names may be added as people appear.

    A name counts where its words stand as whole words of the text (a possessive 's or ' may
    follow, a hyphen may not), in the spelling given or with a capital letter first, or in any case
    where the text has no capital at all. A longer name wins over a shorter one that it contains.
    A name that is also an English word does not count in lower case, nor at the start of a
    sentence unless a comma or the like follows, or a verb that is said of somebody. A pronoun is
    never a name. Text and names are compared in Unicode form NFC.
    """

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._unspaced: list[str] = []
        self._by_first: dict[str, dict[_Words, list[str]]] = defaultdict(dict)
        self._longest: dict[str, int] = defaultdict(int)

    def add(self, name: str) -> None:
        """Adds a name; a second time it changes nothing."""
        if name in self._known:
            return
        self._known.add(name)
        if UNSPACED.search(name):
            self._unspaced.append(name)
            return
        words = tuple(WORD.findall(_nfc(name)))
        if words:
            folded = tuple(w.casefold() for w in words)
            self._by_first[folded[0]].setdefault(folded, []).append(name)
            self._longest[folded[0]] = max(self._longest[folded[0]], len(folded))

    def find(self, text: str) -> tuple[dict[str, float], bool]:
        """Returns the names in `text`, each with a weight in [0, 1], and whether it says `you`.

        The weight is 1, shared evenly where several people have equal names but for their case
        and none of them is spelt as in the text.
        """
        text = _nfc(text)
        found: dict[str, float] = {}
        for _, _, names in self.spans(text):
            for name in names:
                found[name] = max(found.get(name, 0.0), 1 / len(names))
        return found, not YOU.isdisjoint(m.group().casefold() for m in WORD.finditer(text))

    def spans(self, text: str) -> list[tuple[int, int, tuple[str, ...]]]:
        """Returns where in `text` (in form NFC) which people are named: begin, end, names.

        Several names at one place are people whose names are equal but for their case.
        """
        matches = list(WORD.finditer(text))
        words = [m.group() for m in matches]
        folded = [w.casefold() for w in words]
        found: list[tuple[int, int, tuple[str, ...]]] = [
            (m.start(), m.end(), (name,))
            for name in self._unspaced
            for m in re.finditer(re.escape(_nfc(name)), text)
        ]
        no_capitals = text == text.lower()
        place = 0
        while place < len(words):
            taken = 1
            for size in range(self._longest.get(folded[place], 0), 0, -1):
                names = self._by_first[folded[place]].get(tuple(folded[place : place + size]))
                if names is None or place + size > len(words):
                    continue
                span = words[place : place + size]
                exact = [n for n in names if WORD.findall(_nfc(n)) == span]
                begin, end = matches[place].start(), matches[place + size - 1].end()
                after = folded[place + size : place + size + 2]
                if _is_word_only(folded[place : place + size], after, text, begin, end):
                    continue
                if exact or no_capitals or not span[0][0].islower():
                    found.append((begin, end, tuple(exact or names)))
                    taken = size
                    break
            place += taken
        return found


def count_words(text: str) -> int:
    """Returns the number of words: runs of letters and digits, inner ' and - not parting them.

    Scripts without spaces give one word a run.
    """
    return len(COUNTED.findall(text))


def _is_word_only(
    name: Sequence[str], after: Sequence[str], text: str, begin: int, end: int
) -> bool:
    """Returns whether what is spelt like a name is an English word: `will`, `I`, `a`.

    Args:
        name: its words in lower case.
        after: the two words that follow, in lower case.
        text: where it stands.
        begin: its place in the text.
        end: where it ends.
    """
    if len(name) > 1:
        return False
    if name[0] in PRONOUNS:
        return True
    if name[0] not in ALSO_WORDS:
        return False
    if text[begin].islower():
        return True
    before = text[:begin].rstrip()[-1:] if begin else ""
    if (before and before not in SENTENCE_END) or text[end : end + 1] in tuple(CALL):
        return False
    verb = next((w for w in after if w not in ADVERBS), "")
    return not (OF_SOMEBODY.match(verb) or (name[0] in VERBS and verb in BE))


def _nfc(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)
