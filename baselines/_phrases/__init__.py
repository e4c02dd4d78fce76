"""Phrases for the open tasks, found among those of training turns and fitted to the people at hand.

An open answer is never invented here: it is an annotated phrase of a training turn, without its
people's names and without `he` and `she`. `gather` takes the phrases from conversations, `bank`
puts their embeddings beside them, `felt_of` and `views_of` choose.
"""

from relgraph.baselines._phrases.gather import gather, role_of
from relgraph.baselines._phrases.records import Felt, Held, Phrases, Role, bank, texts
from relgraph.baselines._phrases.retrieve import About, Said, SaidView, Sought, felt_of, views_of
from relgraph.baselines._phrases.stance import Stance, stance_of

__all__ = [
    "About",
    "Felt",
    "Held",
    "Phrases",
    "Role",
    "Said",
    "SaidView",
    "Sought",
    "Stance",
    "bank",
    "felt_of",
    "gather",
    "role_of",
    "stance_of",
    "texts",
    "views_of",
]
