"""What a word stands under: a negation, an `if`, somebody else's words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

PLACEHOLDER = "Alex"
"""What the names of people are replaced by before parsing."""
SINGLE_QUOTED = re.compile(r"(?<![\w'])'(?=[A-Z])[^\n]*?[.?!,]'(?!\w)")
SAYING = frozenset(
    (
        "say",
        "tell",
        "claim",
        "call",
        "yell",
        "scream",
        "shout",
        "ask",
        "insist",
        "complain",
        "accuse",
        "mention",
        "reply",
        "text",
    )
)
# "I don't think you're lazy" denies that you are: the negation goes down into what is thought.
LOWERED = frozenset(
    (
        "think",
        "believe",
        "say",
        "mean",
        "feel",
        "want",
        "suppose",
        "claim",
        "like",
        "tell",
        "call",
        "be",
    )
)
PERSONS = frozenset(("i", "you", "he", "she", "we", "they", PLACEHOLDER.lower()))
NEGATIVE = frozenset(
    ("no", "nothing", "nobody", "none", "neither", "nor", "hardly", "without", "cannot")
)
OWN_CLAUSE = frozenset(("ccomp", "advcl", "relcl", "acl", "parataxis", "csubj"))


def quoted(words: Sequence[Any]) -> list[bool]:
    """Returns for each word whether it stands between double quotation marks."""
    single = (
        [(m.start(), m.end()) for m in SINGLE_QUOTED.finditer(words[0].doc.text)] if words else []
    )
    inside, found = False, []
    quoting = -1
    for k, t in enumerate(words):
        if quoting == t.sent.start or any(begin <= t.idx < end for begin, end in single):
            found.append(True)
            continue
        if _is_quoting(words, k):
            quoting = t.sent.start
        if t.text in {'"', "\u201c", "\u201d", "``", "''"}:
            inside = t.text == "\u201c" or (t.text != "\u201d" and not inside)
            found.append(False)
            continue
        found.append(inside)
    return found


def _is_quoting(words: Sequence[Any], k: int) -> bool:
    """Returns whether somebody's words follow: `she said, ...`, `I was like, ...`."""
    after = words[k + 1].lower_ if k + 1 < len(words) else ""
    if words[k].lemma_.lower() in SAYING and words[k].pos_ == "VERB":
        return after in {",", ":"} and words[k].tag_ not in {"VB", "VBG"}
    if words[k].lower_ != "like" or k < 2 or words[k - 1].lemma_.lower() not in {"be", "go"}:
        return False
    who = words[k - 2].lower_
    return who in PERSONS and (after == "," or after in PERSONS or after in {"oh", "no", "ok"})


class Scopes:
    """Looks up the tree: what a word stands under."""

    def __init__(self, words: Sequence[Any], heads: list[int], children: list[list[int]]) -> None:
        self.words, self.heads, self.children = words, heads, children
        self._denied = [self._denies(k) for k in range(len(words))]
        self._known: dict[int, bool] = {}

    def _denies(self, k: int) -> bool:
        for c in self.children[k]:
            word = self.words[c]
            if word.dep_ == "neg" or (word.lower_ in NEGATIVE and word.dep_ != "intj" and c < k):
                # "your fault, not mine": what follows is denied, not what stands before
                if c > k and self.words[c - 1].text in {",", ";", "-", "\u2013", "\u2014"}:
                    continue
                after = self.words[c + 1].lower_ if c + 1 < len(self.words) else ""
                if after not in {"only", "just"}:
                    return True
        return False

    def _up(self, k: int) -> list[int]:
        """Returns the word and what it hangs on, up to the root."""
        chain = [k]
        while self.heads[chain[-1]] != chain[-1] and len(chain) < 64:
            chain.append(self.heads[chain[-1]])
        return chain

    def _own_subject(self, k: int) -> bool:
        return any(self.words[c].dep_ in {"nsubj", "nsubjpass", "expl"} for c in self.children[k])

    def negated(self, k: int) -> bool:
        """Whether word `k` stands in the scope of a negation."""
        if self.words[k].dep_ == "neg":
            return False
        for low in self._up(k):
            if self._denied[low]:
                return True
            head, dep = self.heads[low], self.words[low].dep_
            if head == low:
                return False
            if dep == "ccomp" and self.words[head].lemma_.lower() in LOWERED:
                continue
            if dep in OWN_CLAUSE or (dep == "conj" and self._own_subject(low)):
                return False
        return False

    def reported(self, k: int) -> bool:
        """Whether word `k` is what somebody is said to have said."""
        for low in self._up(k):
            head, dep = self.heads[low], self.words[low].dep_
            if dep in {"ccomp", "xcomp"} and self.words[head].lemma_.lower() in SAYING:
                speaker = {
                    self.words[c].lower_
                    for c in self.children[head]
                    if "subj" in self.words[c].dep_
                }
                own = "i" in speaker and self.words[head].tag_ not in {"VBD", "VBN"}
                if not own:
                    return True
        return False

    def supposed(self, k: int) -> bool:
        """Whether word `k` stands under an `if`, `unless` or `whether`."""
        return any(
            self.words[c].lower_ in {"if", "unless", "whether"} and self.words[c].dep_ == "mark"
            for up in self._up(k)
            for c in self.children[up]
        )
