"""The six tasks, one file each; see `relgraph.registry.names("task")`."""

from relgraph.tasks._base import Decision, Task, cut_before

__all__ = ["Decision", "Task", "cut_before"]
