"""Tables: speaker and text suffice, headers have many names, no row vanishes."""

import gzip
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from relgraph.corpora import read, scan, write
from relgraph.errors import DataError
from relgraph.records import Conversation, Turn, renumber


def table(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def test_speaker_and_text_suffice(tmp_path: Path) -> None:
    corpus = read(table(tmp_path / "talk.csv", "speaker,text\nAna,Hello.\nBen,Hi.\n"))
    assert [(c.id, c.timing) for c in corpus] == [("talk", "unknown")]
    assert [(t.index, t.speaker, t.text) for t in corpus[0].turns] == [
        (1, "Ana", "Hello."),
        (2, "Ben", "Hi."),
    ]
    assert corpus.defects == ()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_told_by_the_header(tmp_path: Path, delimiter: str) -> None:
    rows = [["Speaker", "Start Time", "Utterance"], ["Ana", "1.5", "Hello"]]
    text = "\n".join(delimiter.join(row) for row in rows)
    turn = read(table(tmp_path / "t.txt", text))[0].turns[0]
    assert (turn.speaker, turn.text, turn.start_s) == ("Ana", "Hello", 1.5)


def test_times_addressees_and_further_columns_are_read(tmp_path: Path) -> None:
    text = 'speaker,text,start,end,to,mood\nAna,"Hi, you",0:01.5,01:01:02,Ben;Cy,low\n'
    turn = read(table(tmp_path / "t.csv", text))[0].turns[0]
    assert (turn.start_s, turn.end_s) == (1.5, 3662.0)
    assert (turn.addressees, turn.addressee_source) == (("Ben", "Cy"), "given")
    assert turn.extra == {"mood": "low"}


def test_several_conversations_are_told_apart_by_a_column(tmp_path: Path) -> None:
    text = "conversation,speaker,text\na,Ana,1\nb,Cy,2\na,Ben,3\n"
    corpus = read(table(tmp_path / "t.csv", text))
    assert {c.id: [t.text for t in c.turns] for c in corpus} == {"a": ["1", "3"], "b": ["2"]}


@pytest.mark.parametrize(
    ("body", "code", "line"),
    [
        ("Ana,Hello,soon\n", "wrong-type", 2),
        ("Ana,Hello\n", "wrong-width", 2),
        ("Ana,Hello,1,2,3\n", "wrong-width", 2),
        ("Ana,Hi,0\n,Hello,1\n", "no-speaker", 3),
        ('Ana,"Hello\nBen,Hi,2\n', "open-quote", 2),
        ("Ana,Hi,0\n,,\n", "empty-row", 3),
    ],
)
def test_a_bad_row_is_told_with_its_line(tmp_path: Path, body: str, code: str, line: int) -> None:
    file = table(tmp_path / "t.csv", f"speaker,text,start\n{body}")
    assert (code, line) in [(d.code, d.line) for f in scan(file) for d in f.defects]


def test_a_value_that_is_no_time_is_kept_beside_the_turn(tmp_path: Path) -> None:
    turn = read(table(tmp_path / "t.csv", "speaker,text,start\nAna,Hi,soon\n"))[0].turns[0]
    assert (turn.start_s, turn.extra) == (None, {"start_s": "soon"})


def test_a_line_number_counts_the_lines_inside_quoted_cells(tmp_path: Path) -> None:
    file = table(tmp_path / "t.csv", 'speaker,text,start\nAna,"one\ntwo",0\nBen,Hi,soon\n')
    assert [d.line for d in read(file).errors] == [4]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_marks_and_packing_do_not_matter(tmp_path: Path, encoding: str) -> None:
    content = "speaker,text\r\nZoë,Grüße\r\n".encode(encoding)
    (tmp_path / "a.csv").write_bytes(content)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(content))
    for file in ("a.csv", "a.csv.gz"):
        turn = read(tmp_path / file)[0].turns[0]
        assert (turn.speaker, turn.text) == ("Zoë", "Grüße")


def test_a_table_that_is_not_utf8_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("speaker,text\nZoë,Hi\n".encode("cp1252"))
    with pytest.raises(DataError, match="not utf-8 text"):
        read(tmp_path / "a.csv")


def test_a_table_without_a_text_column_says_which_columns_it_has(tmp_path: Path) -> None:
    file = table(tmp_path / "t.csv", "speaker,words\nAna,Hi\n")
    with pytest.raises(DataError, match=r"no column 'text'.*'words'"):
        read(file, format="csv")


@pytest.mark.parametrize(
    ("header", "meant"),
    [("adressee", "addressee"), ("start_sec", "start_s"), ("End-Time", "end_time")],
)
def test_a_column_named_nearly_like_a_known_one_is_told_and_kept(
    tmp_path: Path, header: str, meant: str
) -> None:
    corpus = read(table(tmp_path / "t.csv", f"speaker,text,{header}\nAna,Hi,7\nBen,Hm,8\n"))
    (defect,) = corpus.defects
    assert (defect.severity, defect.code, defect.line) == ("warning", "odd-column", 1)
    assert (defect.field, defect.hint.count(repr(meant))) == (header, 1)
    assert [t.extra for t in corpus[0].turns] == [{header: "7"}, {header: "8"}]


@pytest.mark.parametrize("header", ["addressee,adressee", "mood,two"])
def test_a_column_is_not_told_where_the_one_it_resembles_is_there_or_none_is_near(
    tmp_path: Path, header: str
) -> None:
    text = f"speaker,text,{header}\nAna,Hi,Ben,Cy\n"
    assert read(table(tmp_path / "t.csv", text)).defects == ()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("names", [["", "speaker", "words"], ["person", "text"], ["a", "b (s)"]])
def test_a_table_without_a_needed_column_is_told_alike_with_and_without_the_format(
    tmp_path: Path, delimiter: str, names: list[str]
) -> None:
    file = table(tmp_path / "t.txt", delimiter.join(names) + "\n")
    with pytest.raises(DataError, match=r"no column .* Got the columns") as told:
        read(file)
    with pytest.raises(DataError) as asked:
        read(file, format="csv")
    assert str(told.value) == str(asked.value)


@pytest.mark.parametrize(
    "line",
    [
        '{"a": 1, "b": 2}',
        '["a", "b"]',
        "Ana: Hello, Ben",
        "Once, there was a house.",
        "a, " + "b" * 41,
        "a,",
        "a,b\x01",
    ],
)
def test_what_looks_like_no_table_is_of_no_known_format(tmp_path: Path, line: str) -> None:
    with pytest.raises(DataError, match="of no known format"):
        read(table(tmp_path / "t.txt", line + "\n"))


def test_writing_says_what_a_table_cannot_hold(tmp_path: Path, couple: Conversation) -> None:
    lost = write(tmp_path / "t.csv", [couple], format="csv")
    assert lost == ("5 annotations (gold)", "1 background remarks", "2 nonverbal descriptions")
    back = read(tmp_path / "t.csv")[0]
    assert (back.id, back.scenario, back.participants) == (
        "ana_and_ben/01",
        "couple",
        ("Ana", "Ben"),
    )
    assert [(t.text, t.start_s, t.addressees) for t in back.turns] == [
        (t.text, t.start_s, t.addressees) for t in couple.turns
    ]


words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
people = words.map(str.strip).filter(bool)


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(people, words, st.lists(people, max_size=2)), min_size=1, max_size=4))
def test_speakers_texts_and_addressees_come_back_from_a_table(
    tmp_path: Path, said: list[tuple[str, str, list[str]]]
) -> None:
    turns = (
        Turn(1, who, text, tuple(to), "given" if to else "none", tone="x") for who, text, to in said
    )
    write(tmp_path / "t.csv", [Conversation("a", renumber(turns))], format="csv")
    back = read(tmp_path / "t.csv", format="csv")[0]
    assert [(t.speaker, t.text, list(t.addressees)) for t in back.turns] == said


def test_from_pandas_reads_a_frame() -> None:
    frame = pd.DataFrame(
        {
            "speaker": ["Ana", "Ben", 3],
            "text": ["Hello.", None, "Hi."],
            "start_s": [0.0, float("nan"), 2],
            "addressees": ["Ben", None, ["Ana", "Ben"]],
            "when": pd.to_datetime(["2024-01-01", None, None]),
        }
    )
    conversation = Conversation.from_pandas(
        frame, id="f", scenario="team", participants=["Ana", "Ben"]
    )
    assert [t.speaker for t in conversation.turns] == ["Ana", "Ben", "3"]
    assert [t.start_s for t in conversation.turns] == [0.0, None, 2.0]
    assert conversation.turns[2].addressees == ("Ana", "Ben")
    assert conversation.turns[0].extra == {"when": "2024-01-01 00:00:00"}
    assert (conversation.scenario, conversation.participants) == ("team", ("Ana", "Ben"))


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"speaker": ["Ana"]}, "no column 'text'"),
        ({"speaker": [], "text": []}, "has no row"),
        ({"speaker": ["Ana"], "text": ["Hi"], "start": ["soon"]}, "row 1, start_s: not a time"),
        ({"speaker": ["Ana", None], "text": ["Hi", "Yes"]}, "row 2, speaker: a turn without"),
    ],
)
def test_from_pandas_says_what_is_wrong(columns: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        Conversation.from_pandas(pd.DataFrame(columns))
