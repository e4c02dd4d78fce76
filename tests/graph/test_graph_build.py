"""Building: which edges a conversation gives, and that they come from the past alone."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relgraph.errors import DataError
from relgraph.graph import EDGE_TYPES, Claim, Edge, Node, build_graph
from relgraph.graph.build import OVERLAP_TURNS
from relgraph.records import Background, Conversation, Turn


def turn(index: int, speaker: str, text: str = "", to: str = "", **fields) -> Turn:
    addressees = tuple(to.split(";")) if to else ()
    source = "given" if to else "none"
    return Turn(index, speaker, text, addressees, **{"addressee_source": source} | fields)


def couple(*turns: Turn, **fields) -> Conversation:
    wanted = {"scenario": "couple", "participants": ("Nadia", "Tom")} | fields
    return Conversation(id="c", turns=turns, **wanted)


def ends(edges: tuple[Edge, ...]) -> list[tuple[str, str]]:
    return [(str(edge.source), str(edge.target)) for edge in edges]


def test_a_turn_is_said_by_its_speaker_and_addressed_to_people_or_the_group() -> None:
    graph = build_graph(couple(turn(1, "Nadia", to="Tom"), turn(2, "Therapist", to="Tom;Couple")))
    assert ends(graph.of("said")) == [("speaker:Nadia", "turn:1"), ("speaker:Therapist", "turn:2")]
    assert ends(graph.of("addressed")) == [
        ("turn:1", "speaker:Tom"),
        ("turn:2", "speaker:Tom"),
        ("turn:2", "group:Couple"),
    ]


def test_every_edge_between_turns_runs_from_the_earlier_to_the_later_row() -> None:
    graph = build_graph(
        couple(turn(1, "Nadia", to="Tom"), turn(2, "Tom", to="Nadia"), turn(3, "Nadia", to="Tom"))
    )
    assert ends(graph.of("next")) == [("turn:1", "turn:2"), ("turn:2", "turn:3")]
    assert ends(graph.of("same_speaker_before")) == [("turn:1", "turn:3")]
    assert ends(graph.of("replies_to")) == [("turn:1", "turn:2"), ("turn:2", "turn:3")]


def test_a_reply_goes_to_the_last_turn_of_each_addressee_but_never_to_ones_own() -> None:
    graph = build_graph(
        couple(turn(1, "Nadia"), turn(2, "Tom"), turn(3, "Tom"), turn(4, "Nadia", to="Tom;Nadia"))
    )
    assert ends(graph.of("replies_to")) == [("turn:3", "turn:4")]


def test_gaps_are_start_less_end_and_missing_where_a_time_is() -> None:
    graph = build_graph(
        couple(
            turn(1, "Tom", start_s=0.0, end_s=2.0),
            turn(2, "Nadia", start_s=3.5, end_s=None),
            turn(3, "Tom", start_s=5.0, end_s=6.0),
        )
    )
    assert [edge.seconds for edge in graph.of("next")] == [1.5, None]
    assert [edge.seconds for edge in graph.of("same_speaker_before")] == [3.0]
    assert [edge.time_s for edge in graph.of("said")] == [0.0, 3.5, 5.0]


def test_overlaps_hold_the_seconds_that_two_turns_share() -> None:
    graph = build_graph(
        couple(
            turn(1, "Tom", start_s=0.0, end_s=10.0),
            turn(2, "Nadia", start_s=8.0, end_s=9.0),
            turn(3, "Therapist", start_s=9.5, end_s=12.0),
            turn(4, "Tom", start_s=12.0, end_s=13.0),
        )
    )
    found = [(str(e.source), str(e.target), e.seconds) for e in graph.of("overlaps")]
    assert found == [("turn:1", "turn:2", 1.0), ("turn:1", "turn:3", 0.5)]


def test_reversed_and_infinite_times_give_no_overlap() -> None:
    graph = build_graph(
        couple(
            turn(1, "Tom", start_s=5.0, end_s=1.0),
            turn(2, "Nadia", start_s=float("nan"), end_s=float("inf")),
            turn(3, "Tom", start_s=0.0, end_s=9.0),
        )
    )
    assert graph.of("overlaps") == ()
    assert (graph.turns[1].start_s, graph.turns[1].end_s) == (None, None)
    assert graph.turns[0].duration_s is None


def test_overlaps_look_back_a_fixed_number_of_rows() -> None:
    turns = [turn(i, "Tom", start_s=0.0, end_s=1.0) for i in range(1, OVERLAP_TURNS + 3)]
    last = build_graph(couple(*turns)).of("overlaps")
    assert sum(edge.turn == OVERLAP_TURNS + 2 for edge in last) == OVERLAP_TURNS


def test_an_inferred_addressee_weighs_as_much_as_it_is_sure() -> None:
    given = turn(1, "Tom", "Do you see?", to="Nadia")
    inferred = replace(given, index=2, addressee_source="inferred", addressee_confidence=0.4)
    graph = build_graph(couple(given, inferred))
    assert [(e.weight, e.label) for e in graph.of("addressed")] == [
        (1.0, "given"),
        (0.4, "inferred"),
    ]
    assert [e.weight for e in graph.of("mentions")] == [1.0, 0.4]


def test_names_and_you_are_mentions() -> None:
    graph = build_graph(couple(turn(1, "Tom", "Nadia, you never call Therapist back.", to="Nadia")))
    assert [(str(e.target), e.label) for e in graph.of("mentions")] == [
        ("speaker:Nadia", "name"),
        ("speaker:Therapist", "name"),
        ("speaker:Nadia", "you"),
    ]


def test_you_without_an_addressee_mentions_nobody() -> None:
    assert build_graph(couple(turn(1, "Tom", "You never know."))).of("mentions") == ()


def test_a_turn_without_a_name_or_you_mentions_nobody() -> None:
    assert build_graph(couple(turn(1, "Tom", "It is late.", to="Nadia"))).of("mentions") == ()


def test_background_talk_runs_from_its_speaker_to_the_turn_and_on_to_whom_it_is_said() -> None:
    remark = Background("Nadia", ("Tom",), "no")
    graph = build_graph(couple(turn(1, "Tom", to="Therapist", background=(remark,))))
    assert ends(graph.of("remarked")) == [("speaker:Nadia", "turn:1")]
    assert ends(graph.of("remarked_to")) == [("turn:1", "speaker:Tom")]
    assert ends(graph.of("said")) == [("speaker:Tom", "turn:1")]


def test_the_roster_comes_first_and_others_are_marked_as_they_appear() -> None:
    graph = build_graph(couple(turn(3, "Therapist", to="Tom"), turn(4, "Neighbour")))
    assert [(s.name, s.role, s.since) for s in graph.speakers] == [
        ("Nadia", "participant", 0),
        ("Tom", "participant", 0),
        ("Therapist", "supporter", 3),
        ("Neighbour", "other", 4),
    ]


def test_without_a_roster_whoever_appears_is_a_participant() -> None:
    graph = build_graph(couple(turn(1, "Ana", to="Ben"), participants=()))
    assert [(s.name, s.role) for s in graph.speakers] == [
        ("Ana", "participant"),
        ("Ben", "participant"),
    ]


def test_the_group_may_speak() -> None:
    graph = build_graph(couple(turn(1, "Couple", to="Therapist")))
    assert ends(graph.of("said")) == [("group:Couple", "turn:1")]


def test_a_person_on_the_roster_called_like_the_group_is_a_person() -> None:
    graph = build_graph(
        couple(turn(1, "Ana", to="Group"), scenario="team", participants=("Ana", "Group"))
    )
    assert ends(graph.of("addressed")) == [("turn:1", "speaker:Group")]


def test_names_equal_but_for_their_case_are_two_people() -> None:
    graph = build_graph(couple(turn(1, "tom", to="Tom")))
    assert ends(graph.of("said")) == [("speaker:tom", "turn:1")]
    assert [s.name for s in graph.speakers] == ["Nadia", "Tom", "tom"]


def test_an_unknown_speaker_says_a_turn_that_nobody_is_joined_to() -> None:
    graph = build_graph(couple(turn(1, "", "Hm."), turn(2, "", "Hm."), turn(3, "Tom", to="Nadia")))
    assert [e.turn for e in graph.of("said")] == [3]
    assert graph.of("same_speaker_before") == ()
    assert len(graph.turns) == 3


def test_an_empty_conversation_has_its_roster_and_group_only() -> None:
    graph = build_graph(couple())
    assert [str(node) for node in graph.nodes] == ["group:Couple", "speaker:Nadia", "speaker:Tom"]
    assert graph.edges == ()


def test_a_cut_conversation_keeps_its_turn_numbers() -> None:
    graph = build_graph(couple(turn(7, "Tom"), turn(8, "Nadia", to="Tom")))
    assert ends(graph.of("next", "replies_to")) == [("turn:7", "turn:8"), ("turn:7", "turn:8")]


def test_indices_that_do_not_rise_are_refused_with_their_place() -> None:
    with pytest.raises(DataError, match=r"conversation 'c': turn 4 comes after turn 4"):
        build_graph(couple(turn(4, "Tom"), turn(4, "Tom")))


def test_text_can_be_left_out_and_words_stay_counted() -> None:
    graph = build_graph(couple(turn(1, "Tom", "I can't, well-meant or not.")), text=False)
    assert (graph.turns[0].text, graph.turns[0].words) == ("", 5)


def test_claims_become_weighted_edges_between_people_at_their_turn() -> None:
    claim = Claim("act", "Tom", "Couple", 2, "withdraw", 0.7, "rules")
    graph = build_graph(couple(turn(1, "Nadia"), turn(2, "Tom", start_s=4.0)), claims=[claim])
    assert graph.of("act", "stance") == (
        Edge(
            "act",
            Node("speaker", "Tom"),
            Node("group", "Couple"),
            turn=2,
            time_s=4.0,
            weight=0.7,
            label="withdraw",
            by="rules",
        ),
    )


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        (Claim("act", "Tom", "Nadia", 9, "press"), "turn 9, which the conversation does not have"),
        (Claim("act", "Tom", "Nadia", 1, "press", 1.5), "weight 1.5; wanted: 0 to 1"),
        (Claim("stance", "Tom", "", 1, "press"), "needs both a source and a target"),
    ],
)
def test_a_claim_that_fits_nowhere_is_refused(claim: Claim, message: str) -> None:
    with pytest.raises(DataError, match=message):
        build_graph(couple(turn(1, "Tom")), claims=[claim])


NAMES = st.sampled_from(("Nadia", "Tom", "tom", "Therapist", "Couple", "Will", "", "José", "李伟"))
TIMES = st.none() | st.floats(-5, 60)
TEXTS = st.lists(
    st.sampled_from(("Tom", "Nadia's", "you", "will", "José", "Jose\u0301", "李伟你好", ".", "no"))
).map(" ".join)


@st.composite
def conversations(draw: st.DrawFn) -> Conversation:
    turns = []
    for index in range(1, draw(st.integers(0, 8)) + 1):
        addressees = tuple(draw(st.lists(NAMES, max_size=2)))
        background = [Background(n, addressees, "mm") for n in draw(st.lists(NAMES, max_size=1))]
        turns.append(
            Turn(
                index,
                draw(NAMES),
                draw(TEXTS),
                addressees,
                "inferred",
                draw(st.floats(0, 1)),
                draw(TIMES),
                draw(TIMES),
                tuple(background),
            )
        )
    roster = draw(st.sampled_from(((), ("Nadia", "Tom"), ("Tom", "Couple", "José"))))
    return couple(*turns, participants=roster)


@settings(deadline=None)
@given(conversations(), st.integers(0, 8))
def test_the_graph_of_a_prefix_is_the_prefix_of_the_graph(whole: Conversation, cut: int) -> None:
    prefix = replace(whole, turns=whole.turns[:cut])
    assert build_graph(prefix) == build_graph(whole).until(cut)


@settings(deadline=None)
@given(conversations())
def test_every_edge_joins_nodes_of_the_graph_by_a_known_type(conversation: Conversation) -> None:
    graph = build_graph(conversation)
    nodes = set(graph.nodes)
    assert len(nodes) == len(graph.nodes)
    for edge in graph.edges:
        assert {edge.source, edge.target} <= nodes
        assert (edge.source.kind, edge.kind, edge.target.kind) in EDGE_TYPES
        assert 0 <= edge.weight <= 1
        if edge.source.kind == edge.target.kind == "turn":
            assert edge.source.key < edge.target.key == edge.turn
    assert [e.turn for e in graph.edges] == sorted(e.turn for e in graph.edges)


@settings(deadline=None)
@given(conversations())
def test_building_changes_nothing_and_gives_the_same_twice(conversation: Conversation) -> None:
    before = repr(conversation)
    assert build_graph(conversation) == build_graph(conversation)
    assert repr(conversation) == before
