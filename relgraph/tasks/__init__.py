"""The six tasks, one file each; see `relgraph.registry.names("task")`."""

from relgraph.tasks._base import Answer, Decision, Task, cut_before

__all__ = ["Answer", "Decision", "Task", "cut_before"]
