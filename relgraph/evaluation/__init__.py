"""Metrics, intervals, the runner and its store."""
