"""Writes how often the trained reader of `rules+weights` tells the type of a client turn rightly.

    python docs/measure_types.py FILE [--out docs/cue_figures/types.json]

The reader is trained on four of five folds by relationship (seed 0) and asked about the fifth;
the most probable type counts as its answer.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from sklearn.metrics import precision_recall_fscore_support

from relgraph.approach import Settings
from relgraph.baselines._symbolic import types
from relgraph.baselines._words import Words
from relgraph.corpora import read
from relgraph.cues import find_all
from relgraph.cues.codebook import TYPES
from relgraph.embed import load_embedder
from relgraph.files import write_json
from relgraph.splits import folds

FOLDS, SEED = 5, 0
OUT = Path(__file__).parent / "cue_figures" / "types.json"


def measured(source: str) -> dict[str, dict[str, float]]:
    """Returns type -> precision, recall, F1 and how many turns there are of it."""
    conversations = read(source).conversations
    words = Words(load_embedder(Settings()))
    words.learn(text for c in conversations for text in types.texts_of(c))
    lessons = {
        c.id: types.Lesson(c, types.inputs_of(c, cues, words.known, words.dim))
        for c, cues in zip(conversations, find_all(conversations), strict=True)
    }
    gold, told = [], []
    for fold in folds(conversations, count=FOLDS, seed=SEED):
        reader = types.fit([lessons[c.id] for c in fold.train])
        for conversation in fold.test:
            best = np.argmax(reader.chances(lessons[conversation.id].inputs), axis=1)
            for turn, k in zip(conversation.turns, best, strict=True):
                own = conversation.annotation(turn.index).utterance_type
                if turn.speaker != conversation.supporter and own in TYPES:
                    gold.append(own)
                    told.append(TYPES[k])
    figures = precision_recall_fscore_support(gold, told, labels=list(TYPES), zero_division=0)
    names = ("precision", "recall", "f1", "turns")
    rows = zip(*figures, strict=True)
    return {
        name: {key: round(float(value), 4) for key, value in zip(names, row, strict=True)}
        for name, row in zip(TYPES, rows, strict=True)
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args()
    write_json(asked.out, measured(asked.file))
