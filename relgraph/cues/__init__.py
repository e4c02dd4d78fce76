"""Cues: signs that can be pointed at in a turn, each with a strength and the words that gave it."""

from relgraph.cues.codebook import CODEBOOK, Entry
from relgraph.cues.find import find_all, find_cues
from relgraph.cues.records import Cue
from relgraph.cues.roles import RoleSign, infer_roles

__all__ = ["CODEBOOK", "Cue", "Entry", "RoleSign", "find_all", "find_cues", "infer_roles"]
