"""`relgraph eval`, `instances` and `score`, as somebody at a terminal meets them."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click import UsageError
from click.testing import CliRunner, Result

from relgraph._cli import cli
from relgraph.corpora import write as write_corpus
from relgraph.errors import RelgraphError
from relgraph.records import Conversation

TASKS = ("--task", "rpp", "--task", "stp")


def call(*argv: object) -> Result:
    return CliRunner().invoke(cli, [str(a) for a in argv], standalone_mode=False)


def told(*argv: object) -> str:
    """The message of a call that is refused."""
    result = call(*argv)
    assert isinstance(result.exception, RelgraphError), result.output
    return str(result.exception)


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path: Path, *predictions: object) -> Path:
    text = "".join(f"{p if isinstance(p, str) else json.dumps(p)}\n" for p in predictions)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def instances(couples_file: Path, tmp_path: Path) -> list[dict[str, object]]:
    path = tmp_path / "instances.jsonl"
    assert call("instances", "--data", couples_file, *TASKS, "-o", path).exit_code == 0
    return rows(path)


def test_eval_prints_a_table_a_task_and_keeps_the_run(couples_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    result = call("eval", "--approach", "majority", "--data", couples_file, *TASKS, "--run", folder)
    assert result.return_value == 0
    assert "RPP relation pattern, protocol strict: 24 instances of 8 conversations" in result.stdout
    assert "STP support target" in result.stdout
    assert {p.name for p in folder.iterdir()} == {".lock", "items.jsonl", "run.json", "scores.json"}


@pytest.mark.parametrize("command", ["instances", "train-rules"])
def test_data_is_never_written_over(command: str, couples_file: Path) -> None:
    before = couples_file.read_bytes()
    for data in (couples_file, couples_file.parent):
        result = call(command, "--data", data, "-o", couples_file)
        assert isinstance(result.exception, UsageError)
        assert couples_file.read_bytes() == before


def test_eval_prints_what_it_keeps_as_json(couples_file: Path, tmp_path: Path) -> None:
    argv = ("eval", "--approach", "majority", "--data", couples_file, *TASKS, "--json")
    shown = json.loads(call(*argv, "--run", tmp_path / "run").stdout)
    kept = json.loads((tmp_path / "run" / "scores.json").read_text(encoding="utf-8"))
    assert shown == {"run": str(tmp_path / "run"), **kept}


def test_the_same_command_goes_on_in_the_same_folder_without_a_flag(
    couples_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    argv = ("eval", "--approach", "majority", "--data", couples_file, *TASKS)
    assert call(*argv).stdout == call(*argv).stdout
    assert len(list((tmp_path / "runs").iterdir())) == 1
    call(*argv, "--seed", 3)
    assert len(list((tmp_path / "runs").iterdir())) == 2


def test_a_task_that_no_approach_answers_is_said_and_is_no_failure(
    couples: tuple[Conversation, ...], tmp_path: Path
) -> None:
    # one relationship: what learns is left out, and last-speaker answers no emotions
    data = tmp_path / "one.jsonl"
    write_corpus(data, couples[-1:], format="jsonl")
    result = call(
        "eval", "--approach", "last-speaker", "--data", data, "--run", tmp_path / "run",
        "--task", "er", "--task", "stp", "--no-text-metrics",
    )  # fmt: skip
    assert result.return_value == 0, result.output
    assert "No approach of this run answers this task." in result.stdout


def test_copies_in_two_relationships_are_refused_with_what_to_do(
    couples: tuple[Conversation, ...], tmp_path: Path
) -> None:
    data = tmp_path / "copies.jsonl"
    copies = [replace(couples[0], id=f"c{k}", relationship=f"r{k}") for k in range(2)]
    write_corpus(data, copies, format="jsonl")
    argv = ("--data", data, "--run", tmp_path / "run", "--folds", 2)
    said = told("eval", "--approach", "majority", *argv)
    assert "put them into one relationship with --relationships" in said


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("approach", "minority"),
        ("task", "zz"),
        ("turn", "9"),
        ("conversation", "elsewhere"),
        ("relationship", "other"),
        ("fold", 7),
        ("ranking", ["Nobody"]),
        ("instance", "stranger"),
        ("probabilities", [7]),
    ],
)
def test_a_kept_answer_that_is_none_to_what_is_asked_is_asked_again(
    couples_file: Path, tmp_path: Path, field: str, value: object
) -> None:
    folder = tmp_path / "run"
    argv = ("eval", "--approach", "majority", "--data", couples_file, *TASKS, "--run", folder)
    call(*argv)
    calm = {p.name: p.read_bytes() for p in folder.iterdir()}
    kept = rows(folder / "items.jsonl")
    prediction = kept[0]["prediction"]
    assert isinstance(prediction, dict)
    (kept[0] if field in kept[0] else prediction)[field] = value
    write(folder / "items.jsonl", *kept)
    result = call(*argv)
    assert result.return_value == 0
    assert "1 answers are none to what this run asks" in result.stderr
    for name in ("items.jsonl", "scores.json"):
        assert (folder / name).read_bytes() == calm[name]


def test_eval_ends_with_1_when_an_item_failed(couples_file: Path, tmp_path: Path, plugin) -> None:
    plugin(
        "mine",
        """
        def predict(self, instances, findings):
            for i in instances:
                yield Prediction(i.id, failure="no answer")
        """,
    )
    argv = ("eval", "--approach", "mine", "--data", couples_file, *TASKS, "--run", tmp_path / "r")
    result = call(*argv)
    assert result.return_value == 1
    assert "failed: 48 items" in result.stderr
    assert (tmp_path / "r" / "scores.json").exists()


@pytest.mark.parametrize(
    ("argv", "cause"),
    [
        (("--approach", "majorty"), "unknown approach 'majorty'. Did you mean 'majority'?"),
        (("--approach", "majority", "--task", "rp"), "unknown task 'rp'. Did you mean 'rpp'?"),
        (("--approach", "majority", "--folds", "9"), "choose --folds between 2 and 6"),
    ],
)
def test_a_wrong_name_or_number_gives_one_message(
    argv: tuple[str, ...], cause: str, couples_file: Path, tmp_path: Path
) -> None:
    assert cause in told("eval", "--data", couples_file, "--run", tmp_path / "run", *argv)


def test_a_missing_file_ends_with_2_and_no_traceback(tmp_path: Path) -> None:
    code = "from relgraph._cli import main; main()"
    argv = [sys.executable, "-c", code, "eval", "--approach", "majority", "--data", "nowhere.jsonl"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: nowhere.jsonl: no such file")
    assert "Traceback" not in done.stderr


def test_instances_hold_no_answer_and_nothing_after_the_cut(
    instances: list[dict[str, object]], couples_file: Path
) -> None:
    assert len(instances) == 48
    for row in instances:
        assert "couple" not in str(row["conversation"])
        assert not {"gold", "label", "relationship", "turn"} & set(row)
        assert len(row["turns"]) in (2, 5, 8)  # before the therapist's turns 3, 6 and 9
        assert all("gold" not in t and "extra" not in t for t in row["turns"])


def test_instances_go_to_stdout_without_a_file(couples_file: Path) -> None:
    result = call("instances", "--data", couples_file, "--task", "stp", "--limit", "3")
    assert len([json.loads(line) for line in result.stdout.splitlines()]) == 3


def test_a_strangers_predictions_are_scored_beside_the_floors(
    instances: list[dict[str, object]], couples_file: Path, tmp_path: Path
) -> None:
    said = [{"instance": r["instance"], "ranking": r["options"][:1]} for r in instances]
    path = write(tmp_path / "mine.jsonl", *said)
    result = call("score", path, "--data", couples_file, *TASKS, "--json")
    assert result.return_value == 0
    scores = json.loads(result.stdout)
    assert list(scores["tasks"]["rpp"]["approaches"]) == ["majority", "random-order", "mine.jsonl"]
    mine = scores["tasks"]["rpp"]["approaches"]["mine.jsonl"]
    assert mine["metrics"]["accuracy"]["value"] == pytest.approx(1 / 3)
    assert mine["coverage"] == 1


def test_a_task_without_any_prediction_is_left_out_and_told(
    instances: list[dict[str, object]], couples_file: Path, tmp_path: Path
) -> None:
    said = [
        {"instance": r["instance"], "ranking": r["options"]}
        for r in instances
        if r["task"] == "stp"
    ]
    result = call("score", write(tmp_path / "mine.jsonl", *said), "--data", couples_file, "--json")
    assert list(json.loads(result.stdout)["tasks"]) == ["stp"]
    assert result.return_value == 0
    assert "no prediction for task rpp" in result.stderr


def test_missing_predictions_are_failures_and_the_exit_code_is_1(
    instances: list[dict[str, object]], couples_file: Path, tmp_path: Path
) -> None:
    said = [{"instance": r["instance"], "ranking": r["options"]} for r in instances[:-1]]
    path = write(tmp_path / "mine.jsonl", *said)
    result = call("score", path, "--data", couples_file, *TASKS, "--json")
    row = json.loads(result.stdout)["tasks"]["stp"]["approaches"]["mine.jsonl"]
    assert (row["failed"], row["causes"]) == (1, {"no prediction in mine.jsonl": 1})
    assert result.return_value == 1


BAD = {
    "not JSON": "{",
    "wanted a JSON object": "[1]",
    "field 'instance': got None, wanted a string": "{}",
    "unknown field 'rank'; known are because": '{"instance": "x", "rank": []}',
    "field 'ranking': got 'a', wanted a list of strings": '{"instance": "x", "ranking": "a"}',
    "field 'probabilities': got [True], wanted a list of numbers": (
        '{"instance": "x", "probabilities": [true]}'
    ),
    "field 'emotion.intensity': got '7', wanted a number": (
        '{"instance": "x", "emotion": {"phrase": "sad", "intensity": "7"}}'
    ),
    "field 'target': got None, wanted a string": (
        '{"instance": "x", "viewpoints": [{"source": "Ana"}]}'
    ),
    "field 'cost': got {'time_s': 'long'}, wanted an object of numbers": (
        '{"instance": "x", "cost": {"time_s": "long"}}'
    ),
    "field 'cost': got {'time_s': nan}": '{"instance": "x", "cost": {"time_s": NaN}}',
    "field 'cost': got {'prompt_tokens': 1.5}": (
        '{"instance": "x", "cost": {"prompt_tokens": 1.5}}'
    ),
    "field 'cost': got {'euros': 1}": '{"instance": "x", "cost": {"euros": 1}}',
    "a number beyond all bounds": f'{{"instance": "x", "probabilities": [1{"0" * 400}]}}',
    "instance 'x' is none of the 48 asked for": '{"instance": "x", "ranking": ["a"]}',
}


@pytest.mark.parametrize("cause", BAD)
def test_a_line_that_is_no_prediction_is_told_by_its_number(
    cause: str, couples_file: Path, tmp_path: Path
) -> None:
    path = write(tmp_path / "mine.jsonl", "", BAD[cause])
    message = told("score", path, "--data", couples_file, *TASKS)
    assert f"{path}:2: " in message
    assert cause in message


def test_a_second_prediction_for_an_instance_is_refused_by_both_lines(
    instances: list[dict[str, object]], couples_file: Path, tmp_path: Path
) -> None:
    one = {"instance": instances[0]["instance"], "ranking": instances[0]["options"]}
    path = write(tmp_path / "mine.jsonl", one, one)
    message = told("score", path, "--data", couples_file, *TASKS)
    assert f"{path}:2: instance {one['instance']!r} was answered in line 1" in message


def test_an_option_that_the_instance_does_not_have_is_refused(
    instances: list[dict[str, object]], couples_file: Path, tmp_path: Path
) -> None:
    path = write(
        tmp_path / "mine.jsonl", {"instance": instances[0]["instance"], "ranking": ["nobody"]}
    )
    message = told("score", path, "--data", couples_file, *TASKS)
    assert "ranks 'nobody', which is none of the options" in message


@pytest.mark.parametrize(
    ("task", "row", "cause"),
    [
        ("vp", {}, "has no viewpoints; `[]` says there are none"),
        ("vp", {"emotion": {"phrase": "sad", "intensity": 3}}, "viewpoints were asked for"),
        ("er", {}, "has neither an emotion nor a cause of failure"),
        ("er", {"emotion": {"phrase": "sad", "intensity": 11}}, "has intensity 11.0, wanted"),
        ("er", {"ranking": ["sad"]}, "has a ranking, and task er has no options"),
    ],
)
def test_an_open_answer_has_to_be_one(
    task: str, row: dict[str, object], cause: str, couples_file: Path, tmp_path: Path
) -> None:
    exported = call("instances", "--data", couples_file, "--task", task).stdout.splitlines()
    one = {"instance": json.loads(exported[0])["instance"], **row}
    path = write(tmp_path / "mine.jsonl", one)
    assert cause in told("score", path, "--data", couples_file, "--task", task)


def test_a_file_that_answers_nothing_is_refused(couples_file: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "mine.jsonl")
    assert "no prediction for any of the 48" in told("score", path, "--data", couples_file, *TASKS)


def test_a_file_is_not_taken_for_the_floor_of_its_name(
    instances: list[dict[str, object]], couples_file: Path, tmp_path: Path
) -> None:
    one = {"instance": instances[0]["instance"], "ranking": instances[0]["options"]}
    result = call("score", write(tmp_path / "majority", one), "--data", couples_file, *TASKS)
    assert isinstance(result.exception, UsageError)
    assert "name of a floor" in str(result.exception)


def test_instances_say_which_protocol_they_are_of(couples_file: Path) -> None:
    for protocol in ("strict", "paper"):
        argv = ("--data", couples_file, "--task", "stp", "--limit", "1", "--protocol", protocol)
        assert json.loads(call("instances", *argv).stdout)["protocol"] == protocol


def test_no_viewpoint_is_an_answer(couples_file: Path, tmp_path: Path) -> None:
    exported = call("instances", "--data", couples_file, "--task", "vp").stdout.splitlines()
    said = [{"instance": json.loads(line)["instance"], "viewpoints": []} for line in exported]
    path = write(tmp_path / "mine.jsonl", *said)
    argv = ("--data", couples_file, "--task", "vp", "--no-text-metrics", "--json")
    row = json.loads(call("score", path, *argv).stdout)["tasks"]["vp"]["approaches"]["mine.jsonl"]
    assert (row["coverage"], row["metrics"]["source_target_f1"]["value"]) == (1, 0)
