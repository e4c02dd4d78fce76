"""Approaches that ask an LLM, one file each; in their names `__` reads `+`."""
