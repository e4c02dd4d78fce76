"""Fixtures for all tests: two hand-made conversations with every layer, and the benchmark."""

import os
from pathlib import Path

import pytest

from relgraph.records import (
    Annotation,
    Background,
    Conversation,
    Emotion,
    Nonverbal,
    Relation,
    Strategy,
    Turn,
    Viewpoint,
)

# No test finds what another one was answered, nor writes into the user's own call cache.
os.environ["RELGRAPH_CALLS"] = "none"
RESCUE = Path(os.environ.get("RELGRAPH_RESCUE") or Path(__file__).parents[2] / "shared" / "rescue")


def turn(
    index: int,
    speaker: str,
    to: str,
    text: str,
    *,
    start: float,
    end: float,
    background: tuple[Background, ...] = (),
    tone: str = "",
    nonverbal: tuple[Nonverbal, ...] = (),
) -> Turn:
    return Turn(
        index=index,
        speaker=speaker,
        text=text,
        addressees=tuple(to.split("+")),
        addressee_source="given",
        start_s=start,
        end_s=end,
        background=background,
        tone=tone,
        nonverbal=nonverbal,
    )


@pytest.fixture
def couple() -> Conversation:
    """Ana presses, Ben pulls away; five turns, turn 3 begins before turn 2 has ended."""
    return Conversation(
        id="ana_and_ben/01",
        scenario="couple",
        participants=("Ana", "Ben"),
        relationship="ana_and_ben",
        timing="edited",
        turns=(
            turn(1, "Therapist", "Couple", "What brings you two here?", start=0.0, end=2.0),
            turn(
                2,
                "Ana",
                "Therapist",
                "He never answers when I ask him something.",
                start=2.5,
                end=6.0,
                background=(Background("Ben", ("Ana",), "I do."),),
                tone="sharp",
                nonverbal=(
                    Nonverbal("body_posture", "Ana", "leans forward"),
                    Nonverbal("interaction_behavior", "Ana", "points at him", ("Ben",)),
                ),
            ),
            turn(3, "Ben", "Ana", "You ask the same thing ten times a day.", start=5.5, end=8.0),
            turn(4, "Therapist", "Ben", "Ben, what happens in you then?", start=9.0, end=11.0),
            turn(5, "Ben", "Therapist", "Nothing.", start=15.0, end=16.0, tone="flat"),
        ),
        gold=(
            Annotation(
                strategies=(Strategy("Therapist", ("Couple",), "join", "opens to both"),),
                relations=(Relation("relation_cycle_state", ""),),
            ),
            Annotation(
                utterance_type="accusation",
                emotions=(Emotion("Ana", "feels ignored", 7.0), Emotion("Ben", "tense", None)),
                viewpoints=(Viewpoint("Ana", "Ben", "does not care", "blaming"),),
            ),
            Annotation(utterance_type="defense", emotions=(Emotion("Ben", "feels cornered", 6.5),)),
            Annotation(
                strategies=(Strategy("Therapist", ("Ben",), "evoke", "asks what is beneath"),),
                relations=(
                    Relation(
                        "relation_cycle_state",
                        "pursue_withdraw",
                        "Ana presses and Ben pulls away",
                        (2, 3),
                    ),
                ),
            ),
            Annotation(utterance_type="withdrawal"),
        ),
    )


@pytest.fixture
def family() -> Conversation:
    """A mother, a father and their daughter; six turns, the last one spoken by all."""
    return Conversation(
        id="family_reed/01",
        scenario="family",
        participants=("Mara", "Tom", "Ida"),
        relationship="family_reed/01",
        timing="edited",
        turns=(
            turn(1, "Mara", "Tom", "You let her stay out until two.", start=0.0, end=3.0),
            turn(2, "Tom", "Mara", "She is sixteen, and you were worse.", start=3.2, end=6.0),
            turn(3, "Ida", "Mara+Tom", "Can you stop talking about me?", start=6.5, end=8.0),
            turn(4, "Therapist", "Ida", "Ida, say that again.", start=9.0, end=10.0),
            turn(5, "Ida", "Therapist", "Nobody here asks me at all.", start=11.0, end=14.0),
            turn(6, "Family", "Therapist", "We will try that at home.", start=15.0, end=18.0),
        ),
        gold=(
            Annotation(
                utterance_type="accusation",
                relations=(Relation("relation_pattern", "escalation_conflict", "row", (1, 2)),),
            ),
            Annotation(
                utterance_type="defense",
                viewpoints=(Viewpoint("Tom", "Mara", "is too strict", "mocking"),),
                relations=(Relation("relation_cycle_state", "escalation_conflict"),),
            ),
            Annotation(utterance_type="request", emotions=(Emotion("Ida", "feels unseen", 8.0),)),
            Annotation(strategies=(Strategy("Therapist", ("Ida", "Mara"), "counterbalance"),)),
            Annotation(
                utterance_type="disclosure",
                emotions=(Emotion("Ida", "feels alone", 9.0),),
                viewpoints=(Viewpoint("Ida", "Family", "does not listen", "hurt"),),
            ),
            Annotation(
                utterance_type="repair",
                emotions=(Emotion("Family", "feels hopeful", 6.0),),
                viewpoints=(Viewpoint("Family", "Family", "can change", "hopeful"),),
            ),
        ),
    )  # fmt: skip


@pytest.fixture(scope="session")
def rescue_folder() -> Path:
    """The folder of the benchmark's data; the test is skipped where it is absent."""
    if not (RESCUE / "rescue_dev.jsonl").is_file():
        pytest.skip(
            f"RESCUE-Bench is not at {RESCUE}: it may not be passed on with this package; "
            "name its folder in RELGRAPH_RESCUE"
        )
    return RESCUE
