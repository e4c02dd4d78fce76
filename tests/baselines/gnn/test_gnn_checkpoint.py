"""A checkpoint answers as the network it was made of, and is refused where it does not fit."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from relgraph import registry
from relgraph.baselines.gnn.course import Course
from relgraph.baselines.gnn.lessons import lessons
from relgraph.baselines.gnn.losses import balance
from relgraph.baselines.gnn.model import Shape
from relgraph.baselines.gnn.recipe import Recipe
from relgraph.corpora import write
from relgraph.errors import DataError, RelgraphError
from relgraph.records import View, fingerprint

CLI = Path(__file__).parents[3] / "cli.py"


@pytest.fixture(scope="session")
def trained(corpus, settings, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("checkpoints") / "gnn"
    registry.load("approach", "gnn")(settings).train_into(folder, corpus[:6], seed=3)
    return folder


@pytest.fixture
def copy(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "copy"))


def load(folder: Path, settings):
    named = replace(settings, checkpoint=str(folder))
    return registry.load("approach", "gnn")(named).fit((), seed=0)


def change_card(folder: Path, **fields) -> None:
    card = json.loads((folder / "card.json").read_text())
    (folder / "card.json").write_text(json.dumps(card | fields))


def test_a_loaded_checkpoint_answers_as_the_trained_network(
    instances_of, trained, corpus, settings
) -> None:
    made = registry.load("approach", "gnn")(settings).fit(corpus[:6], seed=3)
    loaded = load(trained, settings)
    asked = instances_of(corpus[-1])
    assert list(loaded.predict(asked, {})) == list(made.predict(asked, {}))


def test_with_a_checkpoint_nothing_is_learnt(trained, settings) -> None:
    named = replace(settings, checkpoint=str(trained))
    assert registry.load("approach", "gnn")(named).learns is False
    assert registry.load("approach", "gnn")(settings).learns is True


def test_a_checkpoint_names_what_it_was_trained_on(trained, corpus, settings) -> None:
    loaded = load(trained, settings)
    assert loaded.trained_on == {fingerprint(c) for c in corpus[:6]}
    assert loaded.trained_relationships == {"oak", "elm", "ash", "fir", "bay"}
    card = json.loads((trained / "card.json").read_text())
    assert [c["id"] for c in card["conversations"]] == [c.id for c in corpus[:6]]
    assert "sensitive" in card["note"]
    assert card["versions"]["torch"]


def test_no_name_and_no_words_of_the_training_people_are_in_the_bank(trained) -> None:
    phrases = (trained / "phrases.json").read_text()
    assert "[target] does not listen" in phrases
    for name in ("Ines", "Tarik", "Oma", "Lotte"):
        assert name not in phrases


def test_a_missing_checkpoint_says_how_to_make_one(settings, tmp_path) -> None:
    with pytest.raises(DataError, match=r"is no checkpoint: it has no card\.json") as caught:
        load(tmp_path / "none", settings)
    assert "relgraph train-gnn" in str(caught.value)


@pytest.mark.parametrize("name", ["model.safetensors", "phrases.json"])
def test_a_missing_file_is_named(copy, settings, name) -> None:
    (copy / name).unlink()
    with pytest.raises(DataError, match=f"{name}: damaged checkpoint: it is missing"):
        load(copy, settings)


@pytest.mark.parametrize("name", ["model.safetensors", "phrases.json"])
def test_a_changed_byte_is_noticed(copy, settings, name) -> None:
    data = bytearray((copy / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / name).write_bytes(data)
    with pytest.raises(DataError, match="SHA-256 is not the card's"):
        load(copy, settings)


def test_a_garbled_card_is_one_message(copy, settings) -> None:
    (copy / "card.json").write_text('{"format": "relgraph-gnn", ')
    with pytest.raises(DataError, match=r"card\.json: damaged checkpoint: no JSON text"):
        load(copy, settings)


def test_another_format_version_is_refused(copy, settings) -> None:
    change_card(copy, version=99)
    with pytest.raises(DataError, match="version 99, wanted 'relgraph-gnn' version 2"):
        load(copy, settings)


def test_other_label_sets_are_refused_with_the_difference(copy, settings) -> None:
    labels = json.loads((copy / "card.json").read_text())["labels"]
    labels["patterns"]["couple"][0] = "chase_and_flee"
    change_card(copy, labels=labels)
    with pytest.raises(DataError, match="other labels") as caught:
        load(copy, settings)
    assert "has couple.chase_and_flee; lacks couple.pursue_withdraw" in str(caught.value)


def test_other_features_are_refused(copy, settings) -> None:
    inputs = json.loads((copy / "card.json").read_text())["inputs"]
    inputs["cut"].pop()
    change_card(copy, inputs=inputs)
    with pytest.raises(DataError, match="other inputs"):
        load(copy, settings)


def test_another_embedder_is_refused_with_the_one_to_give(trained, settings) -> None:
    with pytest.raises(DataError, match="Give --embedder hashing:48"):
        load(trained, replace(settings, embedder="hashing:32"))


def test_a_mode_that_training_did_not_see_is_refused(trained, settings) -> None:
    with pytest.raises(DataError, match="Give --mode dialogue"):
        load(trained, replace(settings, view=View(mode="audiovisual")))


def test_weights_of_another_shape_are_refused(copy, settings) -> None:
    tensors = load_file(copy / "model.safetensors")
    tensors.pop(next(name for name in tensors if name.startswith("member.0.")))
    save_file(tensors, copy / "model.safetensors")
    from hashlib import sha256

    files = json.loads((copy / "card.json").read_text())["files"]
    files["model.safetensors"] = sha256((copy / "model.safetensors").read_bytes()).hexdigest()
    change_card(copy, files=files)
    with pytest.raises(DataError, match="card and files do not fit together"):
        load(copy, settings)


def test_a_folder_with_something_else_in_it_is_not_replaced(corpus, settings, tmp_path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(RelgraphError, match=r"holds 'thesis\.txt'"):
        registry.load("approach", "gnn")(settings).train_into(tmp_path, corpus[:2], seed=0)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_training_again_replaces_the_checkpoint_and_leaves_nothing_else(
    copy, corpus, settings
) -> None:
    registry.load("approach", "gnn")(settings).train_into(copy, corpus[:2], seed=0)
    assert sorted(p.name for p in copy.parent.iterdir()) == ["copy"]
    assert load(copy, settings).trained_relationships == {"oak"}


def test_killed_and_resumed_it_makes_the_checkpoint_of_an_undisturbed_training(
    corpus, settings, tmp_path
) -> None:
    approach = registry.load("approach", "gnn")(replace(settings, epochs=4))
    approach.train_into(tmp_path / "calm", corpus[:6], seed=3)
    killed, state = tmp_path / "killed", tmp_path / "killed.training"
    data = tmp_path / "talk.jsonl"
    write(data, corpus[:6], format="jsonl")
    command = [
        sys.executable, str(CLI), "train-gnn", "--data", str(data), "-o", str(killed),
        "--embedder", settings.embedder, "--epochs", "4", "--seed", "3", "--device", "cpu",
        "--recipe", settings.recipe,
    ]  # fmt: skip
    quiet = {**os.environ, "OMP_NUM_THREADS": "1", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=quiet) as process:
        for line in process.stderr or ():
            if line.startswith("member 2/2  epoch 2/4"):
                process.send_signal(signal.SIGKILL)
                break
    assert process.returncode == -signal.SIGKILL
    assert state.exists()
    assert not killed.exists()

    with pytest.raises(RelgraphError, match="another training: seed was '3', now '5'"):
        approach.train_into(killed, corpus[:6], seed=5, resume=True)
    epochs = []
    approach.train_into(killed, corpus[:6], seed=3, resume=True, report=epochs.append)
    assert epochs[0].member == 1
    assert epochs[0].epoch >= 3
    assert not state.exists()
    for name in ("model.safetensors", "phrases.json", "card.json"):
        assert (killed / name).read_bytes() == (tmp_path / "calm" / name).read_bytes()


def test_a_damaged_training_state_is_one_message(corpus, settings, tmp_path) -> None:
    (tmp_path / "gnn.training").write_bytes(b"no tensors")
    with pytest.raises(DataError, match="damaged training state"):
        registry.load("approach", "gnn")(settings).train_into(
            tmp_path / "gnn", corpus[:2], seed=0, resume=True
        )


def test_a_member_put_back_to_a_kept_state_stands_where_it_stood(fitted, corpus, settings) -> None:
    view, words = settings.view, fitted.words
    learn = [x for c in corpus[:4] for x in lessons(c, view, words.known, words.dim)]
    options = {
        "learn": learn,
        "counted": balance(learn, Recipe()),
        "shape": Shape(dim=words.dim),
        "recipe": Recipe(epochs=3, hidden=16),
        "seed": 1,
        "device": torch.device("cpu"),
    }
    course, other = Course(0, **options), Course(0, **options)
    for _ in course.run(1):
        kept = course.state([])
    other.restore(kept)
    again = other.state([])
    assert again.numbers == kept.numbers
    assert again.tensors.keys() == kept.tensors.keys()
    assert all(torch.equal(t, again.tensors[name]) for name, t in kept.tensors.items())
