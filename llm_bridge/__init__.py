"""From conversation graphs to LLM prompts and back."""
