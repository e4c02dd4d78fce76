"""Models kept in the cache folder: made once, whole or not at all, made anew when damaged."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from relgraph._cli import cli
from relgraph.embed import VectorStore, clear_models, kept_models, models_folder
from relgraph.errors import RunError
from relgraph.kept import keep


class Maker:
    """Makes a model of one file, `it`, and keeps how often it did."""

    def __init__(self) -> None:
        self.times = 0

    def make(self, folder: Path) -> None:
        self.times += 1
        (folder / "it").write_text("whole")

    def keep(self, folder: Path) -> None:
        keep(folder, find_fault, self.make, notice="making it")


def find_fault(folder: Path) -> str:
    place = folder / "it"
    if not place.exists():
        return "it is missing"
    return "" if place.read_text() == "whole" else "it is damaged"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return models_folder(str(tmp_path / "cache")) / "model"


def test_a_model_is_made_once_and_then_kept(model: Path, capsys) -> None:
    maker = Maker()
    for _ in range(3):
        maker.keep(model)
    assert maker.times == 1
    assert (model / "it").read_text() == "whole"
    assert capsys.readouterr().err == "making it\n"
    assert not list(model.parent.glob(".part*"))


def test_the_cache_folder_is_made_for_its_user_alone(model: Path) -> None:
    Maker().keep(model)
    assert model.parents[1].stat().st_mode & 0o777 == 0o700


def test_a_damaged_model_is_made_anew_with_a_message(model: Path, capsys) -> None:
    maker = Maker()
    maker.keep(model)
    (model / "it").write_text("hole")
    (model / "stray").touch()
    capsys.readouterr()
    maker.keep(model)
    assert [place.name for place in model.iterdir()] == ["it"]
    assert (model / "it").read_text() == "whole"
    assert capsys.readouterr().err == "it is damaged; it is made anew\nmaking it\n"
    assert not list(model.parent.glob(".part*"))


def test_a_model_that_cannot_be_made_leaves_nothing(model: Path) -> None:
    def half(folder: Path) -> None:
        (folder / "it").write_text("wh")
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        keep(model, find_fault, half, notice="making it")
    assert kept_models(model.parent) == {}


WORKER = """
import sys, time
from pathlib import Path
from relgraph.kept import keep
def make(folder):
    with Path(sys.argv[2]).open("a") as log:
        log.write("begun\\n")
    time.sleep(float(sys.argv[3]))
    (folder / "it").write_text("whole")
def find_fault(folder):
    return "" if (folder / "it").exists() else "it is missing"
keep(Path(sys.argv[1]), find_fault, make, notice="making it")
"""


def worker(model: Path, log: Path, sleep_s: float) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", WORKER, str(model), str(log), str(sleep_s)])


def test_of_several_processes_one_makes_it_and_the_others_wait(model: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    workers = [worker(model, log, 0.5) for _ in range(3)]
    assert [process.wait(60) for process in workers] == [0, 0, 0]
    assert log.read_text() == "begun\n"
    assert list(kept_models(model.parent)) == ["model"]


def test_what_a_killed_process_left_is_deleted_by_the_next(model: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    killed = worker(model, log, 60)
    while not log.exists() and killed.poll() is None:
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait(60)
    (left,) = kept_models(model.parent)
    assert left.startswith(".part")
    Maker().keep(model)
    assert list(kept_models(model.parent)) == ["model"]


def test_a_cache_folder_that_cannot_be_written_is_named_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    model = models_folder(str(tmp_path / "file")) / "model"
    with pytest.raises(RunError, match=r"file/models/model: .*XDG_CACHE_HOME"):
        Maker().keep(model)


def test_models_are_kept_in_the_users_cache_folder_unless_another_is_named(monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere/cache")
    monkeypatch.setattr(sys, "platform", "linux")
    assert models_folder() == Path("/somewhere/cache/relgraph/models")
    assert models_folder("/elsewhere") == Path("/elsewhere/models")


def test_clearing_deletes_models_and_leaves_vectors(model: Path) -> None:
    Maker().keep(model)
    store = VectorStore(model.parents[1])
    store.path.write_bytes(b"vectors")
    clear_models(model.parent)
    assert kept_models(model.parent) == {}
    assert store.path.exists()


def test_the_cache_command_lists_and_clears_models(model: Path) -> None:
    Maker().keep(model)
    (model / "more").write_bytes(b"0" * 1_999_995)
    words = ["cache", "--folder", str(model.parents[1])]
    assert "model model, 2.0 MB" in CliRunner().invoke(cli, words).output
    cleared = CliRunner().invoke(cli, [*words, "--clear", "--json"])
    assert json.loads(cleared.output)["models"] == {"model": 2_000_000}
    assert kept_models(model.parent) == {}
