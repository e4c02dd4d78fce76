"""The call cache: what was answered is found again, whatever befalls its file."""

import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from relgraph._cli import main
from relgraph.calls import FILE, SWITCH, Call, CallStore, recall
from relgraph.errors import DataError

KEY, OTHER = "0a" * 32, "0b" * 32
MESSAGES = (("system", "Read."), ("user", "Ana: “No.” \ud83d"))
REPLY = {"text": '{"ranking": ["yes"]}', "prompt_tokens": 70, "answer_tokens": 9}
CALL = Call("some-model at http://here/v1", MESSAGES, REPLY, cost_usd=0.25, asked_at=1000.0)


@pytest.fixture
def store(tmp_path: Path) -> CallStore:
    return CallStore(tmp_path / "folder" / FILE)


def test_a_kept_call_is_found_by_its_key_and_by_no_other(store: CallStore) -> None:
    store.keep(KEY, CALL)
    assert store.find(KEY) == REPLY
    assert store.find(OTHER) is None
    assert store.find("no key") is None


def test_a_call_is_recalled_with_its_messages_and_what_it_cost(store: CallStore) -> None:
    store.keep(KEY, CALL)
    assert store.recall(KEY) == CALL
    assert recall(KEY, str(store.path)) == CALL
    assert recall(OTHER, str(store.path)) is None
    assert recall(KEY, "none") is None


def test_another_process_finds_what_was_kept(store: CallStore) -> None:
    store.keep(KEY, CALL)
    code = f"from relgraph.calls import recall; print(recall({KEY!r}, {str(store.path)!r}).text)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == REPLY["text"]


def test_looking_makes_no_file(store: CallStore) -> None:
    assert store.find(KEY) is None
    assert store.info().models == {}
    assert not store.path.parent.exists()


def test_the_reply_that_came_first_stays(store: CallStore) -> None:
    store.keep(KEY, CALL)
    store.keep(KEY, Call("m", (), {"text": "later"}))
    assert store.find(KEY) == REPLY


def test_calls_tokens_and_costs_are_counted_by_model(store: CallStore) -> None:
    for key in (KEY, OTHER):
        store.keep(key, CALL)
    store.keep("0c" * 32, Call("another", (), {"text": ""}))
    found = store.info().models
    assert list(found) == ["another", CALL.model]
    assert (found[CALL.model].calls, found[CALL.model].tokens) == (2, 158)
    assert found[CALL.model].cost_usd == 0.5
    assert found["another"].tokens == 0


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files are those of POSIX")
def test_the_file_and_its_log_are_private(store: CallStore) -> None:
    store.keep(KEY, CALL)
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in store.path.parent.iterdir()}
    assert len(modes) == 3
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700


def test_a_file_that_is_no_database_is_moved_aside_and_begun_again(
    store: CallStore, capsys: pytest.CaptureFixture[str]
) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(b"not a database " * 1000)
    assert store.find(KEY) is None
    store.keep(KEY, CALL)
    assert store.find(KEY) == REPLY
    moved = store.path.with_name(f"{FILE}.damaged-1")
    assert moved.read_bytes().startswith(b"not a database")
    assert f"moved to {moved.name}" in capsys.readouterr().err


def test_pages_that_are_overwritten_move_the_file_aside(store: CallStore) -> None:
    for n in range(200):
        store.keep(f"{n:064x}", CALL)
    store.close()
    data = store.path.read_bytes()
    store.path.write_bytes(data[:4096] + os.urandom(len(data) - 4096))
    assert store.find(KEY) is None
    store.keep(KEY, CALL)
    assert store.find(KEY) == REPLY
    assert store.path.with_name(f"{FILE}.damaged-1").exists()


def test_a_damaged_reply_is_not_used_and_is_replaced(store: CallStore) -> None:
    store.keep(KEY, CALL)
    store.close()
    with sqlite3.connect(store.path) as db:
        db.execute("UPDATE calls SET reply = replace(reply, 'yes', 'not')")
    db.close()
    assert store.find(KEY) is None
    assert store.recall(KEY) is None
    store.keep(KEY, CALL)
    assert store.recall(KEY) == CALL


def test_a_file_locked_by_another_stops_nothing_and_is_said_once(
    store: CallStore, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("relgraph.calls.WAIT_S", 0.05)
    store.keep(KEY, CALL)
    other = sqlite3.connect(store.path, isolation_level=None)
    store.close()
    other.execute("BEGIN IMMEDIATE")
    for key in (OTHER, "0c" * 32):
        store.keep(key, CALL)
    assert store.find(KEY) == REPLY
    other.execute("ROLLBACK")
    other.close()
    assert store.find(OTHER) is None
    assert capsys.readouterr().err.count("not kept there") == 1


def test_a_full_disk_stops_nothing_and_what_is_there_is_still_found(
    store: CallStore, capsys: pytest.CaptureFixture[str]
) -> None:
    store.keep(KEY, CALL)
    assert store._db is not None
    (pages,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    for n in range(3):
        long = Call("m", (("user", os.urandom(30_000).hex()),), REPLY)
        store.keep(f"{n:064x}", long)
    assert store.find(KEY) == REPLY
    assert store.find(f"{0:064x}") is None
    err = capsys.readouterr().err
    assert "full" in err
    assert err.count("not kept there") == 1


def test_a_folder_that_cannot_be_made_stops_nothing_and_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    store = CallStore(tmp_path / "file" / FILE)
    for key in (KEY, OTHER):
        store.keep(key, CALL)
        assert store.find(key) is None
    assert capsys.readouterr().err.count("going on without the call cache") == 1


def test_a_file_of_a_later_version_is_left_alone(
    store: CallStore, capsys: pytest.CaptureFixture[str]
) -> None:
    store.keep(KEY, CALL)
    assert store._db is not None
    store._db.execute("PRAGMA user_version = 2")
    store.close()
    assert store.find(KEY) is None
    assert "version 2" in capsys.readouterr().err
    assert not list(store.path.parent.glob("*.damaged*"))


@pytest.mark.parametrize("content", [b"a,b\n1,2\n", b"SQLite format 3\0" + b"\1" * 80])
def test_a_named_file_of_something_else_is_refused_and_left_as_it_is(
    content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(content)
    with pytest.raises(DataError, match="not a call cache"):
        CallStore.at(str(path))
    assert path.read_bytes() == content
    with pytest.raises(DataError, match="is a folder"):
        CallStore.at(str(tmp_path))


def test_a_database_of_something_else_gets_no_table(tmp_path: Path) -> None:
    path = tmp_path / "own.sqlite3"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE diary (day TEXT)")
    db.close()
    store = CallStore.at(str(path))
    assert store is not None
    store.keep(KEY, CALL)
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("diary",)]
    db.close()


def test_the_place_is_the_option_then_the_environment_then_the_users_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SWITCH, "none")
    assert CallStore.at() is None
    named = CallStore.at(str(tmp_path / "calls"))
    assert named is not None
    assert named.path == tmp_path / "calls"
    monkeypatch.setenv(SWITCH, "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    own = CallStore.at()
    assert own is not None
    assert own.path.name == FILE
    if sys.platform not in ("darwin", "win32"):
        assert own.path.parent == tmp_path / "relgraph"


def test_threads_that_share_a_store_lose_nothing(store: CallStore) -> None:
    def work(first: int) -> None:
        for n in range(first, first + 50):
            store.keep(f"{n:064x}", CALL)
            assert store.find(f"{n:064x}") == REPLY

    threads = [threading.Thread(target=work, args=(50 * k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.info().models[CALL.model].calls == 400


WRITER = """
import sys
from relgraph.calls import Call, CallStore
store = CallStore.at(sys.argv[1])
for n in range(int(sys.argv[2]), int(sys.argv[3])):
    call = Call("m", (("user", f"question {n} " * 200),), {"text": f"answer {n}"})
    store.keep(f"{n:064x}", call)
    print(n, flush=True)
"""


def writer(path: Path, first: int, end: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, str(path), str(first), str(end)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )


def test_processes_that_write_at_once_lose_nothing(store: CallStore) -> None:
    running = [writer(store.path, 60 * n, 60 * n + 100) for n in range(3)]
    ends = [process.communicate() for process in running]
    assert [err for _, err in ends] == ["", "", ""]
    assert store.info().models["m"].calls == 220
    assert all(store.find(f"{n:064x}") == {"text": f"answer {n}"} for n in range(220))


def test_all_that_a_killed_process_had_kept_is_there(store: CallStore) -> None:
    process = writer(store.path, 0, 1_000_000)
    assert process.stdout is not None
    kept = [int(process.stdout.readline()) for _ in range(300)]
    process.send_signal(signal.SIGKILL)
    kept += [int(line) for line in process.communicate()[0].split()]
    assert all(store.find(f"{n:064x}") == {"text": f"answer {n}"} for n in kept)
    store.keep(KEY, CALL)
    assert store.recall(KEY) == CALL
    with sqlite3.connect(store.path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()


def test_a_cache_cleared_by_another_process_stops_nothing(store: CallStore) -> None:
    store.keep(KEY, CALL)
    CallStore(store.path).clear()
    store.keep(OTHER, CALL)
    assert not store.path.exists()


def command(*words: str | os.PathLike[str]) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["relgraph", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
    return int(ended.value.code or 0)


def test_the_cache_command_shows_calls_by_model(
    store: CallStore, capsys: pytest.CaptureFixture[str]
) -> None:
    store.keep(KEY, CALL)
    assert command("cache", "--folder", store.path.parent) == 0
    shown = capsys.readouterr().out
    assert f"{store.path}\n1 call" in shown
    assert "1  some-model at http://here/v1, 79 tokens, 0.2500 USD" in shown
    assert command("cache", "--calls", store.path, "--json") == 0
    (of,) = json.loads(capsys.readouterr().out)["calls"]["models"].values()
    assert of == {"calls": 1, "tokens": 79, "cost_usd": 0.25}


def test_clearing_leaves_calls_unless_they_are_named(
    store: CallStore, capsys: pytest.CaptureFixture[str]
) -> None:
    store.keep(KEY, CALL)
    assert command("cache", "--folder", store.path.parent, "--clear") == 0
    assert "--kind calls deletes them" in capsys.readouterr().err
    assert store.find(KEY) == REPLY


def test_calls_are_deleted_only_when_that_is_confirmed(
    store: CallStore, capsys: pytest.CaptureFixture[str]
) -> None:
    store.keep(KEY, CALL)
    words = ("cache", "--folder", store.path.parent, "--clear", "--kind", "calls")
    assert command(*words) == 2
    assert "holds 1 call that cost 0.25 USD; delete them with --yes" in capsys.readouterr().err
    assert store.find(KEY) == REPLY
    assert command(*words, "--yes") == 0
    assert not store.path.exists()


def test_the_cache_command_means_the_cache_that_the_environment_names(
    store: CallStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    store.keep(KEY, CALL)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("RELGRAPH_CALLS", str(store.path))
    assert command("cache") == 0
    assert f"{store.path}\n1 call" in capsys.readouterr().out
    assert command("cache", "--clear", "--kind", "calls", "--yes") == 0
    assert not store.path.exists()


def test_the_cache_command_says_where_no_calls_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("RELGRAPH_CALLS", "none")
    assert command("cache") == 0
    assert "no calls are kept (RELGRAPH_CALLS=none)" in capsys.readouterr().out
