"""The run folder survives being cut off at any byte, and one process at a time works in it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from relgraph.errors import DataError, RelgraphError
from relgraph.evaluation.store import Answer, Key, Store
from relgraph.records import Cost, Emotion, Prediction, Viewpoint

WHAT = {"approaches": ["mine"], "settings": {"seed": 0}}


def key(turn: int, *, task: str = "rpp", conversation: str = "c") -> Key:
    return Key("mine", task, conversation, turn, "couple", -1)


def answer(turn: int, *, task: str = "rpp", **said: object) -> Answer:
    said = said or {"ranking": ("é", "b"), "probabilities": (0.7, 0.1 + 0.2)}
    return Answer(key(turn, task=task), Prediction(f"{task}{turn}", **said))  # type: ignore[arg-type]


def filled(folder: Path, *answers: Answer) -> Path:
    with Store(folder) as store:
        store.begin(WHAT, {})
        for one in answers:
            store.add(one)
    return folder / "items.jsonl"


@pytest.mark.parametrize(
    "said",
    [
        {"ranking": ("a",), "probabilities": (0.1 + 0.2,), "because": ("turn 3",)},
        {"emotion": Emotion("Ana", "tired — und müde", 6.5), "cost": Cost(10, 3, 0.25, 0.001)},
        {"viewpoints": (Viewpoint("Ana", "Ben", "he hides", "hurt"),)},
        {"viewpoints": ()},
        {"failure": "cut off", "raw": 'half a pair \ud83d and "quotes"\n'},
    ],
    ids=["ranking", "emotion", "viewpoints", "no viewpoint", "failure"],
)
def test_an_answer_reads_back_as_it_was(tmp_path: Path, said: dict[str, object]) -> None:
    wanted = answer(1, **said)
    filled(tmp_path, wanted)
    with Store(tmp_path) as store:
        assert list(store.answers.values()) == [wanted]


def test_a_log_cut_off_at_any_byte_keeps_its_whole_lines_and_goes_on(tmp_path: Path) -> None:
    answers = [answer(turn) for turn in (1, 2)]
    data = filled(tmp_path, *answers).read_bytes()
    first = data.index(b"\n") + 1
    for end in range(len(data) + 1):
        (tmp_path / "items.jsonl").write_bytes(data[:end])
        whole = sum(end >= stop - 1 for stop in (first, len(data)))
        with Store(tmp_path) as store:
            assert list(store.answers.values()) == answers[:whole], end
            for one in answers[whole:]:
                store.add(one)
        assert (tmp_path / "items.jsonl").read_bytes() == data, end


def test_a_damaged_line_in_the_middle_is_told_and_its_item_is_open_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = filled(tmp_path, answer(1), answer(2))
    path.write_bytes(b"\0\0\xff\0\n" + path.read_bytes().splitlines(keepends=True)[1])
    with Store(tmp_path) as store:
        assert [k for _, k in store.answers] == ["rpp2"]
    assert "items.jsonl:1 is damaged" in capsys.readouterr().err


def test_a_later_answer_counts_and_the_earlier_one_is_kept_apart(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.begin(WHAT, {})
        store.add(answer(1, failure="busy"))
        store.add(answer(1))
        store.finish([("mine", "rpp1")], {})
    (line,) = (tmp_path / "items.jsonl").read_text(encoding="utf-8").splitlines()
    (before,) = (tmp_path / "attempts.jsonl").read_text(encoding="utf-8").splitlines()
    assert "failure" not in json.loads(line)["prediction"]
    assert json.loads(before)["prediction"]["failure"] == "busy"


def test_restarting_a_unit_leaves_the_other_units_alone(tmp_path: Path) -> None:
    filled(tmp_path, answer(1), answer(2), answer(1, task="stp"))
    with Store(tmp_path) as store:
        store.restart("mine", "c", "rpp")
        assert [name for _, name in store.answers] == ["stp1"]
    with Store(tmp_path) as store:
        assert [name for _, name in store.answers] == ["stp1"]


def test_finishing_orders_the_items_and_finishing_again_changes_nothing(tmp_path: Path) -> None:
    filled(tmp_path, answer(2), answer(1, failure="busy"), answer(1))
    names = ("items.jsonl", "scores.json", "attempts.jsonl")
    contents = []
    for _ in range(2):
        with Store(tmp_path) as store:
            store.finish([("mine", "rpp1"), ("mine", "rpp2")], {"n": 2})
        contents.append([(tmp_path / name).read_bytes() for name in names])
    assert contents[0] == contents[1]
    assert [json.loads(line)["turn"] for line in contents[0][0].splitlines()] == [1, 2]


def test_killed_between_the_files_of_finishing_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    log = filled(tmp_path, answer(1, failure="busy"), answer(1)).read_bytes()
    with Store(tmp_path) as store:
        store.finish([("mine", "rpp1")], {})
    attempts = (tmp_path / "attempts.jsonl").read_bytes()
    (tmp_path / "items.jsonl").write_bytes(log)  # attempts were written, items not yet
    with Store(tmp_path) as store:
        store.finish([("mine", "rpp1")], {})
    assert (tmp_path / "attempts.jsonl").read_bytes() == attempts


def test_another_run_is_refused_with_the_difference(tmp_path: Path) -> None:
    filled(tmp_path)
    with (
        Store(tmp_path) as store,
        pytest.raises(RelgraphError, match=r"settings.seed: the run has 0, asked for is 7"),
    ):
        store.begin({"approaches": ["mine"], "settings": {"seed": 7}}, {})


def test_an_approach_that_changed_is_refused_with_the_difference(tmp_path: Path) -> None:
    filled(tmp_path)
    with Store(tmp_path) as store:
        store.note("mine", {"prompt_hash": "a1"})
        store.note("mine", {"prompt_hash": "a1"})
        with pytest.raises(RelgraphError, match='prompt_hash: the run has "a1", asked for is "b2"'):
            store.note("mine", {"prompt_hash": "b2"})


def test_other_versions_of_packages_are_told_and_not_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for version in ("1.0", "2.0"):
        with Store(tmp_path) as store:
            store.begin(WHAT, {"versions": {"numpy": version}})
    assert "began with numpy 1.0, now 2.0" in capsys.readouterr().err


@pytest.mark.parametrize("versions", [None, [1], 3])
def test_versions_that_are_none_are_no_failure(tmp_path: Path, versions: object) -> None:
    filled(tmp_path)
    run = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    (tmp_path / "run.json").write_text(json.dumps(run | {"versions": versions}), encoding="utf-8")
    with Store(tmp_path) as store:
        store.begin(WHAT, {"versions": {"numpy": "2.0"}})


@pytest.mark.parametrize("name", ["thesis.docx", "scores.json"])
def test_a_folder_of_something_else_is_left_as_it_is(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine", encoding="utf-8")
    with pytest.raises(DataError, match=f"holds '{name}' and no run.json"):
        Store(tmp_path).__enter__()
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_a_log_that_ends_in_endless_brackets_loses_only_these(tmp_path: Path) -> None:
    items = filled(tmp_path, answer(1))
    with items.open("a", encoding="utf-8") as file:
        file.write("[" * 100_000)
    with Store(tmp_path) as store:
        assert list(store.answers.values()) == [answer(1)]


def test_attempts_that_are_no_text_are_kept_and_added_to(tmp_path: Path) -> None:
    filled(tmp_path, answer(1, failure="x"))
    (tmp_path / "attempts.jsonl").write_bytes(b"old \xff\n")
    with Store(tmp_path) as store:
        store.begin(WHAT, {})
        store.add(answer(1))
        store.finish([("mine", "rpp1")], {})
    assert (tmp_path / "attempts.jsonl").read_text(encoding="utf-8").startswith("old \ufffd\n{")


def test_items_without_a_run_are_not_touched(tmp_path: Path) -> None:
    filled(tmp_path, answer(1))
    (tmp_path / "run.json").unlink()
    with Store(tmp_path) as store, pytest.raises(DataError, match=r"no run.json"):
        store.begin(WHAT, {})


@pytest.mark.parametrize("text", ["", "{", "[]", '{"approaches": 3}', "\0", "[" * 100_000])
def test_a_garbled_run_file_gives_one_clear_message(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text, encoding="utf-8")
    with Store(tmp_path) as store, pytest.raises(DataError, match=r"run.json.*another --run"):
        store.begin(WHAT, {})


def test_a_second_process_is_refused_and_a_killed_one_leaves_no_lock(tmp_path: Path) -> None:
    hold = (
        "import sys, time\nfrom pathlib import Path\n"
        "from relgraph.evaluation.store import Store\n"
        "with Store(Path(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    argv = [sys.executable, "-c", hold, str(tmp_path)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(RelgraphError, match="another process works in this run folder"):
            Store(tmp_path).__enter__()
        other.kill()
    with Store(tmp_path) as store:
        assert store.answers == {}


def test_a_run_of_another_relgraph_is_told_that_its_calls_are_not_lost(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.begin({**WHAT, "code_sha256": "1"}, {})
    with Store(tmp_path) as store, pytest.raises(RelgraphError) as refused:
        store.begin({**WHAT, "code_sha256": "2"}, {})
    assert "relgraph has changed since" in str(refused.value)
    assert "call cache" in str(refused.value)
    with Store(tmp_path) as store, pytest.raises(RelgraphError) as refused:
        store.begin({**WHAT, "code_sha256": "1", "limit": 3}, {})
    assert "relgraph has changed" not in str(refused.value)
