"""A backend that answers in letters, asked through the approach."""

import pytest

from relgraph.approach import Settings
from relgraph.errors import UnknownNameError
from relgraph.llm_bridge.asking import Asking, Model, open_model
from relgraph.llm_bridge.backends._base import Reply
from relgraph.llm_bridge.prompts import AnswerForm, Prompt
from relgraph.records import Conversation, Instance, Turn

CAUSE = "engine: out of memory (asked without a conversation, to calibrate)"


class Letters:
    """Likes letters in their order; a prompt without a conversation fails as often as told."""

    name = identity = "letters"
    answers: AnswerForm = "letter"
    concurrency = 1
    keeps_prefix = False
    remote = False
    notice = ""

    def __init__(self, failing: int) -> None:
        self.failing = failing

    def check(self) -> None:
        pass

    def close(self) -> None:
        pass

    def count_tokens(self, text: str) -> int:
        return len(text)

    def ask(self, prompt: Prompt, *, sample: int = 0) -> Reply:
        del sample
        if "nothing has been said yet" in prompt.user and self.failing:
            self.failing -= 1
            return Reply(failure="engine: out of memory")
        return Reply(letters={o.letter: -1.0 - k for k, o in enumerate(prompt.options)})


def asked(failing: int) -> list[str]:
    turns = (Turn(1, "Ana", "You never come home."),)
    cases = [
        Instance(f"i{k}", "itp", Conversation(f"c{k}", turns), options=("yes", "no"))
        for k in range(2)
    ]
    model = Model(Letters(failing))
    return [p.failure for p in Asking(Settings(), model).predict(cases)]


def test_what_fails_without_a_conversation_fails_the_item_with_its_own_cause() -> None:
    assert asked(failing=9) == [CAUSE, CAUSE]


def test_a_calibration_that_failed_is_asked_again_for_the_next_item() -> None:
    assert asked(failing=1) == [CAUSE, ""]


def test_a_model_without_its_backend_is_told_how_models_are_named() -> None:
    with pytest.raises(UnknownNameError, match="as openai:gpt-9"):
        open_model(Settings(model="gpt-9", calls="none"))
