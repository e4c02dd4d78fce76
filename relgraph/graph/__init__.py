"""The temporal interaction graph of a conversation."""
