"""What the network reads of the rules, where it is asked to."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from relgraph import registry
from relgraph.approach import Settings
from relgraph.baselines._findings import RuleReader, rule_reader
from relgraph.baselines._structure import cast
from relgraph.baselines.gnn.checkpoint import CARD
from relgraph.baselines.gnn.tensors import collate, encode
from relgraph.errors import DataError
from relgraph.records import Conversation, Instance, Turn, View

MINE = """
pack mine "One rule" scenario couple

rule quarrel(A, B) "A and B blame each other"
  when blame T1: A -> B
  and  blame T2: B -> A within 2 turns after T1
"""


def turn(index: int, speaker: str, text: str, to: str) -> Turn:
    return Turn(index, speaker, text, (to,), "given")


QUARREL = Conversation(
    id="quarrel",
    scenario="couple",
    participants=("Ana", "Ben"),
    turns=(
        turn(1, "Ana", "It is your fault that we are late.", "Ben"),
        turn(2, "Therapist", "I see.", "Ana"),
        turn(3, "Ben", "You always blame me. It is your fault.", "Ana"),
        turn(4, "Ana", "Well.", "Ben"),
    ),
)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.rules"
    file.write_text(MINE, encoding="utf-8")
    return file


@pytest.fixture
def reader(mine: Path) -> RuleReader:
    return rule_reader((str(mine),))


def slots() -> dict[str, int]:
    return {name: slot for slot, name in enumerate(cast(QUARREL))}


def test_a_conclusion_enters_at_the_turn_at_which_it_is_known(reader: RuleReader) -> None:
    found = reader.read(QUARREL, slots())
    column = len(reader.cues) + reader.heads.index("quarrel")
    assert (found.turn[:, column] > 0).tolist() == [False, False, True, False]


def test_a_person_is_told_what_they_do_apart_from_what_is_done_to_them(reader: RuleReader) -> None:
    found = reader.read(QUARREL, slots())
    does, gets = reader.heads.index("quarrel"), len(reader.heads) + reader.heads.index("quarrel")
    ana, ben = slots()["Ana"], slots()["Ben"]
    at = found.role[:, 2]
    assert at[ana, does] > 0
    assert at[ana, gets] == 0
    assert at[ben, gets] > 0
    assert at[ben, does] == 0


def test_an_edge_runs_from_what_a_conclusion_rests_on_to_where_it_is_known(
    reader: RuleReader,
) -> None:
    edges = reader.read(QUARREL, slots()).edges
    assert (0, 2) in set(zip(*edges.tolist(), strict=True))
    assert (edges[0] < edges[1]).all()


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_what_a_prefix_gives_is_the_prefix_of_what_the_whole_gives(
    reader: RuleReader, size: int
) -> None:
    whole = reader.read(QUARREL, slots())
    prefix = reader.read(replace(QUARREL, turns=QUARREL.turns[:size]), slots())
    np.testing.assert_array_equal(prefix.turn, whole.turn[:size])
    np.testing.assert_array_equal(prefix.role, whole.role[:, :size])
    early = whole.edges[:, whole.edges[1] < size]
    np.testing.assert_array_equal(prefix.edges, early)


def test_a_cut_conversation_that_starts_later_is_read_too(reader: RuleReader) -> None:
    later = replace(QUARREL, turns=QUARREL.turns[2:])
    assert reader.read(later, slots()).turn.shape == (2, reader.turn_features)


def test_conversations_with_and_without_findings_share_a_batch(reader: RuleReader) -> None:
    quiet = replace(QUARREL, turns=(turn(1, "Ana", "Hm.", "Ben"),))
    known = {
        text: np.ones(4, np.float32)
        for t in (*QUARREL.turns, *quiet.turns)
        for text in (t.text, t.text.replace("Ana", "someone").replace("Ben", "someone"))
    }
    batch = collate([encode(c, known, 4, reader=reader) for c in (QUARREL, quiet)])
    assert batch.found is not None
    assert batch.found_role is not None
    assert batch.found.shape == (2, 4, reader.turn_features)
    assert batch.found_role.shape[-1] == reader.role_features
    assert "rule" in batch.edges


def asked(conversations: tuple[Conversation, ...]) -> list[Instance]:
    tasks = [registry.load("task", name) for name in ("rpp", "itp")]
    return [x.instance for c in conversations for t in tasks for x in t.cases(c, View())]


@pytest.fixture
def trained(
    mine: Path, corpus: tuple[Conversation, ...], tmp_path: Path
) -> Callable[..., Settings]:
    def make() -> Settings:
        settings = Settings(
            embedder="hashing", epochs=1, device="cpu", rules=(str(mine),), rule_edges=True,
            cache=str(tmp_path / "cache"),
        )  # fmt: skip
        folder = tmp_path / "checkpoint"
        registry.load("approach", "gnn")(settings).train_into(folder, corpus[:3], seed=0)
        return replace(settings, checkpoint=str(folder), rule_edges=False)

    return make


def test_a_checkpoint_reads_the_rules_that_it_was_trained_with(
    trained: Callable[..., Settings], corpus: tuple[Conversation, ...], mine: Path
) -> None:
    settings = trained()
    fitted = registry.load("approach", "gnn")(settings).fit((), seed=0)
    (first,) = fitted.predict(asked(corpus[4:5])[:1], {})
    assert not first.failure
    assert fitted.ensemble.reader is not None
    mine.write_text(MINE.replace("within 2 turns", "within 3 turns"), encoding="utf-8")
    with pytest.raises(DataError, match="other rules or cues"):
        registry.load("approach", "gnn")(settings).fit((), seed=0)


@pytest.mark.parametrize(("place", "value"), [("rules", {}), ("found", 0), ("found_role", 3)])
def test_a_checkpoint_whose_inputs_are_not_those_of_its_rules_is_refused(
    place: str, value: object, trained: Callable[..., Settings]
) -> None:
    settings = trained()
    card = Path(settings.checkpoint) / CARD
    head = json.loads(card.read_text(encoding="utf-8"))
    (head if place == "rules" else head["shape"])[place] = value
    card.write_text(json.dumps(head), encoding="utf-8")
    with pytest.raises(DataError, match="features of rules"):
        registry.load("approach", "gnn")(settings).fit((), seed=0)
