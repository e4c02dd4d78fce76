"""Approaches that need no LLM, one public file each."""
