"""Scripts of `mock`: rules, one a line of JSON, that say what is answered to which prompt."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from relgraph.errors import DataError
from relgraph.files import open_text

REPLIES = ("says", "option", "label", "probabilities", "copies", "field", "fail", "stop")
STRICT = ConfigDict(strict=True, extra="forbid", frozen=True)
M = TypeVar("M", bound=BaseModel)


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"not a regular expression ({error})") from None
    return text


def _place(place: int) -> int:
    if place == 0:
        raise ValueError("options are counted from 1, or from -1 at the end")
    return place


class Setup(BaseModel):
    """What a script says of the model that it plays.

    Attributes:
        answers: form of answers to closed questions where the settings leave it to the model.
        concurrency: prompts at a time.
        remote: whether it plays a model elsewhere; nothing is ever sent.
    """

    model_config = STRICT
    answers: Literal["json", "letter"] = "json"
    concurrency: Annotated[int, Field(ge=1)] = 1
    remote: bool = False


class Rule(BaseModel):
    """What is answered, and to which prompts; a condition that is left out is met by all.

    Attributes:
        task: this task.
        contains: the prompt's user text holds this.
        matches: this regular expression is found in it.
        sample: which of several answers to one prompt, from 0.
        call: the how manyth time that this prompt and sample are asked, from 1.
        share: so many of all prompts and samples, drawn by their hash.
        free: True for the question without a conversation by which letters are calibrated; it
            meets no other rule.
        says: the text of the answer, as it stands.
        option: the option in this place, from 1, or from -1 at the end; the others as they stand.
        label: this label before the others.
        probabilities: of options, by label or letter; one that is left out has none.
        copies: the option that the summary names first behind this text, which may be empty.
        field: the label that `map` has for a field of the item (`paper` protocol).
        map: what the field begins with, and the label.
        fail: no answer, for this cause; with `says` for what came in its place.
        stop: the run ends with this message.
        finish: why the answer ended.
        prompt_tokens: of the prompt; else its words are counted.
        answer_tokens: of the answer; else its words are counted.
        retries: tries after the first that it took.
        wait_s: seconds before the answer.
    """

    model_config = STRICT
    task: str = ""
    contains: str = ""
    matches: Annotated[str, AfterValidator(_pattern)] = ""
    sample: Annotated[int, Field(ge=0)] | None = None
    call: Annotated[int, Field(ge=1)] | None = None
    share: Annotated[float, Field(gt=0, le=1)] = 1.0
    free: bool = False
    says: str | None = None
    option: Annotated[int, AfterValidator(_place)] | None = None
    label: str | None = None
    probabilities: dict[str, Annotated[float, Field(ge=0, le=1)]] | None = None
    copies: str | None = None
    field: str | None = None
    map: dict[str, str] | None = None
    fail: Annotated[str, Field(min_length=1)] | None = None
    stop: Annotated[str, Field(min_length=1)] | None = None
    finish: str = "stop"
    prompt_tokens: Annotated[int, Field(ge=0)] | None = None
    answer_tokens: Annotated[int, Field(ge=0)] | None = None
    retries: Annotated[int, Field(ge=0)] = 0
    wait_s: Annotated[float, Field(ge=0)] = 0.0

    @model_validator(mode="after")
    def _one_reply(self) -> Rule:
        given = [k for k in REPLIES if getattr(self, k) is not None]
        if len(given) != 1 and given != ["says", "fail"]:
            got = " and ".join(given) or "none"
            raise ValueError(f"wanted one reply of {', '.join(REPLIES)}; got {got}")
        if (self.field is None) != (self.map is None):
            raise ValueError("field and map go together")
        return self


FIELDS = (
    Rule(field="candidate_type", map={"actual_therapist_entry": "yes", "continue_listening": "no"}),
    Rule(field="boundary_type", map={"client_to_therapist": "yes", "client_to_client": "no"}),
    Rule(field="candidate_id", map={"pos": "yes", "neg": "no"}),
    Rule(option=1),
)
"""`mock:fields`: reads nothing of a prompt but the fields that the published ones show."""


def read_script(file: Path) -> tuple[Setup, tuple[Rule, ...]]:
    """Returns what a script plays, and its rules in order.

    Each line is one JSON object: a rule or, in the first place, `{"setup": {...}}`. Empty lines
    and those that begin with `#` are left aside.

    Raises:
        DataError: a line is none of these, with file and line; or there is no rule.
    """
    setup, rules = Setup(), list[Rule]()
    first = True
    with open_text(file) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            where = f"{file}, line {number}"
            found = _object(line, where)
            if first and "setup" in found:
                setup = _read(Setup, found["setup"] if len(found) == 1 else found, where)
            else:
                rules.append(_read(Rule, found, where))
            first = False
    if not rules:
        raise DataError(
            f'{file}: no rule in it; wanted: lines like {{"task": "rpp", "option": 1}}.'
        )
    return setup, tuple(rules)


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise DataError(f"{where}: not JSON ({error}). Wanted: one object a line.") from None
    if not isinstance(found, dict):
        raise DataError(f"{where}: wanted one JSON object a line, got {line.strip()[:60]}.")
    return found


def _read(model: type[M], found: Any, where: str) -> M:
    try:
        return model.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        at = ".".join(str(part) for part in first["loc"])
        said = str(first["msg"]).removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            said = f"unknown; known: {', '.join(model.model_fields)}"
        raise DataError(f"{where}: {at}{': ' if at else ''}{said}. See docs/backends.md.") from None
