"""Text embedders, one file each, behind one cache."""
