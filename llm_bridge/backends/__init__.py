"""Ways to reach an LLM, one file each."""
