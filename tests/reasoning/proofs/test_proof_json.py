"""Explanations as JSON, and as edges of a graph."""

import json
from pathlib import Path

import jsonschema

from relgraph.cues import Cue
from relgraph.graph import build_graph
from relgraph.graph.views import from_json
from relgraph.reasoning.edges import claims_of, evidence_of, graph_record
from relgraph.reasoning.proof_json import explanation_record
from relgraph.reasoning.sections import sections

SCHEMA = Path(__file__).parents[3] / "docs" / "explanation.schema.json"
FEAR = Cue("fear_of", 5, "Ben", "Ana", 0.9, "Fine")


def record(talk, reasoning):
    return explanation_record(talk, reasoning, sections(reasoning, everything=True))


def test_an_explanation_is_as_its_schema_says(reasoned, talk) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for reasoning in (reasoned(), reasoned(FEAR)):
        made = json.loads(json.dumps(record(talk, reasoning)))
        jsonschema.Draft202012Validator(schema).validate(made)


def test_a_conclusion_leads_by_numbers_down_to_the_words(reasoned, talk) -> None:
    made = record(talk, reasoned())
    facts, firings = made["facts"], made["firings"]
    (chase,) = (f for f in facts if f["predicate"] == "chase")
    assert (chase["turn"], chase["args"], chase["known_at"]) == (5, ["Ana", "Ben"], 5)
    (firing,) = (firings[n] for n in chase["firings"])
    assert firing["rule"] == "talk:chase"
    assert firing["reading"] == "Ana presses again, Ben pulls away"
    assert firing["cites"] == ["Somebody 1999"]
    assert firing["bindings"] == {"A": "Ana", "B": "Ben", "T1": 3, "T2": 5}
    press, answer = (facts[n] for n in firing["evidence"])
    assert (answer["words"], answer["by"], answer["firings"]) == (
        "1 word after a question",
        "turns",
        [],
    )
    (below,) = (firings[n] for n in press["firings"])
    assert [facts[n]["words"] for n in below["evidence"]] == ["answer me"]
    counted = firing["checked"][0]
    assert [facts[n]["turn"] for n in counted["facts"]] == [1, 3]
    assert counted["value"] == 2


def test_what_was_blocked_or_lacking_or_open_is_in_it_too(reasoned, talk) -> None:
    made = record(talk, reasoned(FEAR))
    facts = made["facts"]
    assert [(b["head"], facts[b["by"]]["predicate"]) for b in made["blocked"]] == [
        ("chase", "fear_of"),
        ("calm", "demand"),
    ]
    assert [(m["head"], m["rule"]) for m in made["nearest"]] == [
        ("chase", "talk:chase"),
        ("calm", "talk:calm"),
        ("alone", "talk:alone"),
        ("gone", None),
    ]
    assert [made["firings"][n]["known_at"] for n in made["unconfirmed"]] == [7]


def test_every_fact_and_firing_stands_in_the_tables_once(reasoned, talk) -> None:
    made = record(talk, reasoned())
    for table in (made["facts"], made["firings"]):
        texts = [json.dumps(entry, sort_keys=True) for entry in table]
        assert len(set(texts)) == len(texts)


def test_conclusions_between_people_become_acts_at_the_turn_they_are_known(reasoned) -> None:
    late = (
        "rule left(A, B) when demand T: A -> B unless said T1: A at least 1 within 2 turns after T"
    )
    reasoning = reasoned(rules=late.replace("said T1: A ", "blame T1: A -> B "))
    found = {(c.label, c.source, c.target, c.turn, c.by): c.weight for c in claims_of(reasoning)}
    # known two turns later, when the window has closed
    assert found["left", "Ana", "Ben", 3, "rules"] == 0.8
    assert round(found["chase", "Ana", "Ben", 5, "rules"], 9) == 0.432


def test_a_conclusion_of_a_pack_about_viewpoints_is_a_stance(reasoned, talk) -> None:
    from relgraph.reasoning import RuleSet, reason

    rules = RuleSet.parse(
        "pack seen answers vp rule wants(A, B, X) when demand T: A -> B and topic T: A, X"
    )
    cues = (Cue("demand", 1, "Ana", "Ben", 0.8, "tell"), Cue("topic", 1, "Ana", "", 1, "", "money"))
    (claim,) = claims_of(reason(talk, rules, cues=cues, roles=()))
    assert (claim.kind, claim.label, claim.source, claim.target) == (
        "stance",
        "wants money",
        "Ana",
        "Ben",
    )


def test_a_conclusion_about_one_person_is_no_edge(reasoned) -> None:
    reasoning = reasoned(rules="rule pressed(B) when demand T: A -> B")
    assert "pressed" in {f.atom.predicate for f in reasoning.conclusions}
    assert "pressed" not in {claim.label for claim in claims_of(reasoning)}


def test_evidence_leads_from_the_turns_that_were_read_to_the_turn_of_the_conclusion(
    reasoned,
) -> None:
    reasoning = reasoned()
    chase = tuple(f for f in reasoning.conclusions if f.atom.predicate == "chase")
    found = evidence_of(reasoning, chase)
    assert [(e["from"], e["to"], e["rule"]) for e in found] == [
        (1, 5, "talk:chase"),
        (3, 5, "talk:chase"),
        (5, 5, "talk:chase"),
    ]


def test_the_graph_is_that_of_the_conversation_with_acts_by_the_rules(reasoned, talk) -> None:
    reasoning = reasoned()
    made = graph_record(talk, reasoning, reasoning.conclusions)
    graph = from_json(json.dumps(made))
    assert [(e.label, e.turn, e.by) for e in graph.of("act")] == [
        ("press", 1, "rules"),
        ("press", 3, "rules"),
        ("chase", 5, "rules"),
    ]
    assert len(graph.edges) - 3 == len(build_graph(talk).edges)
    assert {e["conclusion"] for e in made["evidence"]} == {"press", "chase"}
