"""Runs whose answers are written out, letter by letter."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from relgraph.evaluation.runner import Data
from relgraph.evaluation.store import Answer, Key, Store
from tests.evaluation.comparing.made import TASKS, Said, WriteRun, cases_in, prediction, what_of


@pytest.fixture
def write_run(tmp_path: Path) -> WriteRun:
    """Writes a finished run: approach -> conversation -> an answer a turn; None leaves one out."""

    def write(
        data: Data,
        answers: Mapping[str, Said | Mapping[str, Said]],
        *,
        name: str = "run",
        tokens: Mapping[str, int] | None = None,
        calls: tuple[str, ...] = (),
        finished: bool = True,
        **more: Any,
    ) -> Path:
        folder = tmp_path / name
        by_task = {a: of if set(of) <= set(TASKS) else {"rpp": of} for a, of in answers.items()}
        tasks = list(dict.fromkeys(t for of in by_task.values() for t in of))
        with Store(folder) as store:
            store.begin(what_of(data, list(answers), tasks, **more), {"versions": {}})
            order = []
            for approach, of in by_task.items():
                for task, said in of.items():
                    for case in cases_in(data, task).values():
                        spoken = said.get(case.conversation_id, "")  # type: ignore[union-attr]
                        place = (case.turn - 2) // 2
                        if place >= len(spoken) or spoken[place] == " ":
                            continue
                        used = (tokens or {}).get(approach, 0)
                        told = prediction(case, spoken[place], tokens=used, calls=calls)
                        key = Key(
                            approach, task, case.conversation_id, case.turn, case.relationship, -1
                        )
                        store.add(Answer(key, told))
                        order.append((approach, case.instance.id))
            if finished:
                store.finish(order, {"tasks": {}})
        return folder

    return write
