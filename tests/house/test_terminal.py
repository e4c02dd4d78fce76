"""Nothing that stands in a file of a stranger steers a terminal, and no failure is a traceback."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from relgraph.errors import RunError, unknown_name
from relgraph.files import whole, write_text
from relgraph.terminal import one_line, printable, printable_json

ROOT = Path(__file__).parents[2]
FULL = Path("/dev/full")
SOURCES = sorted(
    path for part in ("relgraph", "baselines", "llm_bridge") for path in (ROOT / part).rglob("*.py")
)
PROGRAM = "from relgraph._cli import main; main()"
CLEAR = "\x1b[2J"
SUPPORT = {"provider": "Therapist", "targets": ["Ana"], "type": "evoke", "content": ""}
EVIL = f"{CLEAR}[/]\u202e"


def relgraph(*argv: object, cwd: Path, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, argv)],
        capture_output="stdout" not in more,
        text=True,
        cwd=cwd,
        **more,  # type: ignore[call-overload]
    )


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """Two couples whose names, ids, scenario and texts hold what a terminal or rich obeys."""

    def conversation(number: int) -> dict[str, object]:
        names = (f"Ana{EVIL}", f"Ben{number}\n[red]")
        turns = [
            {
                "speaker": ("Therapist", *names)[k % 3],
                "addressees": [names[0] if k % 3 == 0 else "Therapist"],
                "text": f"{EVIL} said {k}",
                "start_s": k,
                "end_s": k + 2,
            }
            for k in range(7)
        ]
        return {
            "id": f"{EVIL}\n{number}",
            "scenario": f"team{EVIL}",
            "participants": names,
            "relationship": f"{EVIL}{number}",
            "timing": "recorded",
            "turns": turns,
        }

    path = tmp_path / "evil.jsonl"
    path.write_text("".join(f"{json.dumps(conversation(k))}\n" for k in (1, 2)), encoding="utf-8")
    return path


def test_what_a_terminal_obeys_is_written_as_its_code() -> None:
    assert (
        printable("a\x1b[31m\x9b\r\u202e\ud800\tb\nc")
        == r"a\x1b[31m\x9b\x0d\u202e\ud800" + "\tb\nc"
    )
    assert one_line("a\tb\nc") == r"a\x09b\x0ac"


def test_what_people_write_stays_as_it_is() -> None:
    text = "Ñandú e\u0301 עברית 👩\u200d👧 [red] \\x1b"
    assert one_line(text) == text


def test_json_that_a_terminal_can_show_has_the_same_value() -> None:
    value = {"a\x7f\x9b": "\u202e\ud800\x1b\u2028 é"}
    shown = printable_json(json.dumps(value, ensure_ascii=False))
    assert printable(shown) == shown
    assert json.loads(shown) == value


def test_a_known_name_cannot_forge_a_line_of_a_message() -> None:
    assert "\n" not in str(unknown_name("conversation", "x", ["a\nerror: forged"]))


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_all_messages_go_to_stderr_through_one_door(path: Path) -> None:
    if path.name not in ("terminal.py", "progress.py"):
        assert not re.search(r"stderr\.write|err=True|file=sys\.stderr", path.read_text("utf-8"))


@pytest.mark.parametrize(
    "argv",
    [
        ("data", "validate"),
        ("data", "validate", "--json"),
        ("data", "stats"),
        ("data", "stats", "--json"),
        ("data", "addressees"),
        ("graph",),
        ("graph", "--conversation", f"{EVIL}\n1"),
        ("graph", "--conversation", f"{EVIL}\n1", "--measures", "--trust-times"),
        ("graph", "--conversation", f"{EVIL}\n1", "--measures", "--trust-times", "--json"),
        ("prompt", "--conversation", "x", "--turn", "1", "--task", "stp"),
    ],
    ids=" ".join,
)
def test_no_command_prints_what_a_terminal_obeys(evil: Path, argv: tuple[str, ...]) -> None:
    done = relgraph(*argv, "evil.jsonl", cwd=evil.parent)
    for said in (done.stdout, done.stderr):
        assert printable(said) == said
        assert "Traceback" not in said


def test_eval_prints_names_of_scenarios_as_they_are(tmp_path: Path) -> None:
    lines = []
    for k in (1, 2):
        turns = [
            {
                "speaker": ("Therapist", "Ana")[i % 2],
                "addressees": [("Ana", "Therapist")[i % 2]],
                "text": f"Well {k}.",
                **({} if i % 2 else {"gold": {"strategies": [SUPPORT]}}),
            }
            for i in range(6)
        ]
        about = {"id": f"{k}", "scenario": f"team{EVIL}", "participants": ["Ana", "Ben"]}
        lines.append(json.dumps(about | {"turns": turns, "relationship": f"r{k}"}))
    (tmp_path / "evil.jsonl").write_text("\n".join(lines), encoding="utf-8")
    argv = ("--approach", "majority", "--data", "evil.jsonl", "--folds", "2", "--no-text-metrics")
    done = relgraph("eval", *argv, cwd=tmp_path)
    assert "Traceback" not in done.stderr
    assert printable(done.stdout) == done.stdout
    assert "[/]" in done.stdout


@pytest.mark.parametrize(
    "argv",
    [
        ("data", "convert", "sample", "--to", "jsonl", "-o", "file/x.jsonl"),
        ("graph", "sample", "-o", "file/x.json", "--conversation"),
        ("instances", "--data", "sample", "-o", "file/x.jsonl"),
        ("eval", "--approach", "majority", "--data", "sample", "--run", "file/run"),
    ],
    ids=lambda argv: argv[0],
)
def test_a_place_that_cannot_be_written_is_one_message(
    tmp_path: Path, argv: tuple[str, ...]
) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    if argv[0] == "graph":
        argv = (*argv, "winsome_and_clifton/01_the_savings_book")
    done = relgraph(*argv, cwd=tmp_path)
    assert done.returncode == 1
    assert "error: " in done.stderr
    assert "file" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not FULL.is_char_device(), reason="this system has no /dev/full")
def test_a_full_disk_behind_stdout_is_one_message(tmp_path: Path) -> None:
    with FULL.open("w") as full:
        done = relgraph(
            "data", "stats", "sample", cwd=tmp_path, stdout=full, stderr=subprocess.PIPE
        )
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


def test_a_reader_that_leaves_early_is_no_error_message(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as gone:
        done = relgraph(
            "data", "stats", "sample", cwd=tmp_path, stdout=gone, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("closed", ["sys.stdout", "sys.stderr"])
def test_a_closed_output_is_no_failure(tmp_path: Path, closed: str) -> None:
    # what Python sets where the shell said >&- or 2>&-
    program = f"import sys; {closed} = None; {PROGRAM}"
    for argv, code in ((("data", "stats", "sample"), 0), (("data", "stats", "absent"), 2)):
        done = subprocess.run([sys.executable, "-c", program, *argv], cwd=tmp_path, check=False)
        assert done.returncode == code


def test_letters_that_the_output_cannot_hold_are_written_as_codes(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("speaker,text\nZoë,Hi\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = relgraph("graph", "t.csv", "--measures", cwd=tmp_path, env=environment)
    assert done.returncode == 0
    assert r"Zo\xeb" in done.stdout


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "said\n")
    assert pipe.is_fifo()
    assert os.read(reader, 100) == b"said\n"
    os.close(reader)


def test_a_link_stays_a_link_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old", encoding="utf-8")
    (tmp_path / "link").symlink_to("real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text(encoding="utf-8") == "new"


def test_a_failed_write_names_the_place_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(RunError, match="folder: cannot be written"):
        write_text(tmp_path / "folder", "x")
    with pytest.raises(RunError, match="No space left"):
        _break_off(tmp_path / "x")
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


def _break_off(path: Path) -> None:
    with whole(path) as part:
        part.write_text("half", encoding="utf-8")
        raise OSError(28, "No space left on device")
