"""Cues: signs that can be pointed at in a turn, each with a strength and the words that gave it."""

from relgraph.cues.codebook import CODEBOOK, Entry
from relgraph.cues.find import find_all, find_cues
from relgraph.cues.records import Cue

__all__ = ["CODEBOOK", "Cue", "Entry", "find_all", "find_cues"]
