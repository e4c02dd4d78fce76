"""Prompts: fixed words first, then the transcript, then the summary, then the question.

Two instances of one conversation so share the longest possible beginning, and an engine that keeps
what it has read reads only what is new. Options get their letters at the very end, in an order
drawn for each instance.
"""

from relgraph.llm_bridge.prompts.records import AnswerForm, Layout, Option, Prompt
from relgraph.llm_bridge.prompts.render import LETTERS, content_free, render

__all__ = [
    "LETTERS",
    "AnswerForm",
    "Layout",
    "Option",
    "Prompt",
    "content_free",
    "render",
]
