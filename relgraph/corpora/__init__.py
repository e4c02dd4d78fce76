"""Readers of conversations, one file each, and the shipped sample."""
