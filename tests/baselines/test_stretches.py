"""Which instances are answered together."""

from relgraph.baselines._stretches import AT_ONCE, portions
from relgraph.records import Conversation, Instance


def asked(*ids: str) -> list[Instance]:
    return [
        Instance(id=f"{k}", task="itp", conversation=Conversation(id=name, turns=()))
        for k, name in enumerate(ids)
    ]


def test_instances_are_answered_a_few_conversations_at_a_time_and_in_order() -> None:
    instances = asked(*(f"c{k // 3}" for k in range(3 * AT_ONCE + 4)))
    first, second = portions(instances)
    assert [*first, *second] == instances
    assert len(first) == 3 * AT_ONCE


def test_the_instances_of_one_conversation_stay_together() -> None:
    assert list(portions(asked(*"a" * 100))) == [asked(*"a" * 100)]
    assert list(portions([])) == []
