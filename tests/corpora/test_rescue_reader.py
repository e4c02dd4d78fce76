"""The RESCUE reader: file, folder, single file; odd lines are told and never fatal."""

import json
from pathlib import Path
from typing import Any

import pytest

from relgraph.corpora import read, scan
from relgraph.errors import DataError
from relgraph.records import View
from relgraph.registry import load


def row(speaker: str = "Ana", to: str = "Ben", text: str = "Hello.", **more: Any) -> dict[str, Any]:
    return {"primary_speaker": speaker, "target": [to], "dialogue_cleaned": text, **more}


def record(id: str = "ana_and_ben/01", **more: Any) -> dict[str, Any]:
    base = {"sample_id": id, "scenario": "couple", "participants": ["Ana", "Ben"]}
    return {**base, "rows": [row()], **more}


def lines(path: Path, *texts: str) -> Path:
    path.write_text("".join(f"{t}\n" for t in texts), encoding="utf-8")
    return path


def codes(path: Path, **options: Any) -> list[tuple[str, int | None]]:
    return [(d.code, d.line) for f in scan(path, **options) for d in f.defects]


def test_a_row_becomes_a_turn_and_an_annotation(tmp_path: Path) -> None:
    full = row(
        start_time=1.5,
        end_time=2.0,
        background_dialogue=[{"speaker": "Ben", "target": ["Ana"], "content": "mm"}],
        tone_of_voice="warm",
        internal_emotion=[{"person": "Ana", "emotion_description": "glad", "intensity": 7}],
        relation_cycle_state="repair_softening",
        relation_cycle_evidence_rows=[1],
    )
    conversation = read(lines(tmp_path / "a.jsonl", json.dumps(record(rows=[full]))))[0]
    turn, gold = conversation.turns[0], conversation.gold[0]
    assert (turn.index, turn.speaker, turn.addressees) == (1, "Ana", ("Ben",))
    assert (turn.start_s, turn.end_s, turn.tone) == (1.5, 2.0, "warm")
    assert (turn.background[0].speaker, turn.background[0].text) == ("Ben", "mm")
    assert (gold.emotions[0].phrase, gold.emotions[0].intensity) == ("glad", 7.0)
    assert gold.relation("relation_cycle_state") == "repair_softening"
    assert gold.relations[0].evidence_turns == (1,)
    assert gold.relation("relation_pattern") is None
    assert conversation.timing == "edited"


def test_an_empty_relation_label_is_kept_apart_from_a_missing_one(tmp_path: Path) -> None:
    rows = [row(relation_cycle_state=""), row(relation_cycle_state=None), row()]
    gold = read(lines(tmp_path / "a.jsonl", json.dumps(record(rows=rows))))[0].gold
    assert [g.relation("relation_cycle_state") for g in gold] == ["", None, None]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ('{"sample_id": "x", "rows": [', "unreadable"),
        ("[" * 5000 + "]" * 5000, "unreadable"),
        ('{"sample_id": "x", "rows": [], "a": ' + "[" * 200 + "]" * 200 + "}", "unreadable"),
        ('"a word"', "no-rows"),
        ('{"sample_id": "x", "rows": 5}', "no-rows"),
        ('{"sample_id": "x", "rows": []}', "no-turns"),
    ],
)
def test_a_line_that_holds_no_conversation_is_told_with_its_number_and_the_rest_is_read(
    tmp_path: Path, bad: str, code: str
) -> None:
    file = lines(tmp_path / "a.jsonl", json.dumps(record("a/1")), bad, json.dumps(record("a/2")))
    corpus = read(file)
    assert [c.id for c in corpus] == ["a/1", "a/2"]
    assert [(d.code, d.line) for d in corpus.errors] == [(code, 2)]


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("start_time", '"3.5"', "wrong-type"),
        ("start_time", "true", "wrong-type"),
        ("start_time", "NaN", "not-a-number"),
        ("start_time", "-Infinity", "not-a-number"),
        ("start_time", "1e999", "not-a-number"),
        ("start_time", "9" * 400, "wrong-type"),
        ("start_time", "9" * 9000, "not-a-number"),
        ("target", "5", "wrong-type"),
        ("target", '["Ben", 5]', "wrong-type"),
        ("internal_emotion", '["glad"]', "wrong-type"),
        ("internal_emotion", '{"person": "Ana"}', "wrong-type"),
        ("dialogue_cleaned", '"a \\ud800 b"', "not-text"),
        ("dialogue_cleaned", '"a \\u0000 b"', "not-text"),
        ("dialogue_cleaned", '"a \t b"', "control-character"),
        ("relation_pattern_evidence_rows", "[1.5]", "wrong-type"),
        ("relation_pattern", "7", "wrong-type"),
    ],
)
def test_a_bad_field_is_told_and_its_row_kept(
    tmp_path: Path, field: str, value: str, code: str
) -> None:
    keep = {key: v for key, v in row(tone_of_voice="calm").items() if key != field}
    bad = json.dumps(keep)[:-1] + f', "{field}": {value}}}'
    whole = json.dumps(record())[: -len(json.dumps([row()])) - 1] + f"[{bad}]}}"
    corpus = read(lines(tmp_path / "a.jsonl", whole))
    assert corpus[0].turns[0].tone == "calm"
    assert code in {d.code for d in corpus.errors}
    with pytest.raises(DataError, match=r"a\.jsonl:1"):
        read(tmp_path / "a.jsonl", strict=True)


def test_of_a_key_that_stands_twice_the_last_value_counts_and_it_is_told(tmp_path: Path) -> None:
    doubled = json.dumps(record()).replace('"target"', '"primary_speaker": "Ben", "target"')
    corpus = read(lines(tmp_path / "a.jsonl", doubled))
    assert corpus[0].turns[0].speaker == "Ben"
    assert [(d.code, d.field) for d in corpus.errors] == [("duplicate-key", "primary_speaker")]


def test_half_a_character_is_read_as_the_replacement_and_written_as_it_was(tmp_path: Path) -> None:
    from relgraph.corpora import write

    file = lines(tmp_path / "a.jsonl", json.dumps(record(rows=[row(text="a \ud800 b")])))
    corpus = read(file)
    assert corpus[0].turns[0].text == "a \N{REPLACEMENT CHARACTER} b"
    write(tmp_path / "b.jsonl", corpus.conversations, format="rescue")
    assert json.loads((tmp_path / "b.jsonl").read_text())["rows"][0]["dialogue_cleaned"] == (
        "a \ud800 b"
    )


def test_bytes_that_are_no_utf8_spoil_their_line_only(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    bad = json.dumps(record("a/1", rows=[row(text="cafXX")])).encode().replace(b"XX", b"\xe9")
    file.write_bytes(bad + b"\n" + json.dumps(record("a/2")).encode())
    corpus = read(file)
    assert corpus["a/1"].turns[0].text == "caf\N{REPLACEMENT CHARACTER}"
    assert [(d.code, d.line) for d in corpus.errors] == [("not-text", 1)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_text_is_read_by_its_mark_and_with_either_line_end(
    tmp_path: Path, encoding: str, newline: str
) -> None:
    file = tmp_path / "a.jsonl"
    both = [
        json.dumps(record(f"a/{i}", rows=[row(text="Grüße")]), ensure_ascii=False) for i in "12"
    ]
    file.write_bytes(newline.join(both).encode(encoding))
    corpus = read(file)
    assert [c.turns[0].text for c in corpus] == ["Grüße", "Grüße"]
    assert corpus.errors == ()


def test_the_line_separator_of_unicode_ends_no_line(tmp_path: Path) -> None:
    text = "one\u2028two"
    raw = json.dumps(record(rows=[row(text=text)]), ensure_ascii=False)
    assert read(lines(tmp_path / "a.jsonl", raw))[0].turns[0].text == text


def test_a_row_that_is_none_is_told_and_written_again_in_its_place(tmp_path: Path) -> None:
    from relgraph.corpora import write

    rows = [row(), 5, row("Ben", "Ana")]
    corpus = read(lines(tmp_path / "a.jsonl", json.dumps(record(rows=rows))))
    assert [t.speaker for t in corpus[0].turns] == ["Ana", "Ben"]
    assert [(d.code, d.row) for d in corpus.errors] == [("unreadable-row", 2)]
    write(tmp_path / "b.jsonl", corpus.conversations, format="rescue")
    assert json.loads((tmp_path / "b.jsonl").read_text())["rows"] == rows


def test_two_conversations_of_one_id_are_both_kept_and_told(tmp_path: Path) -> None:
    corpus = read(lines(tmp_path / "a.jsonl", json.dumps(record()), json.dumps(record())))
    assert [c.id for c in corpus] == ["ana_and_ben/01", "ana_and_ben/01#2"]
    assert [(d.code, d.line) for d in corpus.errors] == [("duplicate-conversation", 2)]


def test_a_folder_gives_each_file_as_a_conversation_named_by_its_path(tmp_path: Path) -> None:
    for place in ("family_oak/003/merged.json", "ana_and_ben/01.json"):
        file = tmp_path / "data" / place
        file.parent.mkdir(parents=True)
        rows = [row(), row("Therapist", "Ana"), row("Ben", "Cy")]
        file.write_text(json.dumps({"rows": rows}, indent=2))
    corpus = read(tmp_path / "data")
    assert [(c.id, c.scenario) for c in corpus] == [
        ("ana_and_ben/01", "couple"),
        ("family_oak/003/merged", "family"),
    ]
    assert corpus[0].roster == ("Ana", "Ben", "Cy")
    assert corpus.errors == ()


def test_a_folder_without_rosters_tells_nobody_who_is_still_to_come(tmp_path: Path) -> None:
    supports = [{"provider": "Therapist", "target": ["Ana"], "strategy_type": "join"}]
    rows = [row(), {**row("Therapist", "Ana"), "support_strategy": supports}, row("Zoe", "Ben")]
    (tmp_path / "family.json").write_text(json.dumps({"rows": rows}))
    talk = read(tmp_path)[0]
    stp = load("task", "stp")
    assert stp.cases(talk, View())[0].instance.options == ("Ana", "Ben", "Family")
    seen = stp.cases(talk, View(protocol="paper"))[0].instance.options
    assert seen == ("Ana", "Ben", "Zoe", "Family")


def test_a_broken_file_in_a_folder_is_told_with_its_line_and_the_others_are_read(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"rows": [row()]}))
    (tmp_path / "b.json").write_text('{"rows": [\n{"primary_speaker": }\n]}')
    (tmp_path / "c.json").write_text('{"other": 1}')
    corpus = read(tmp_path)
    assert [c.id for c in corpus] == ["a"]
    assert [(Path(d.file).name, d.line, d.code) for d in corpus.errors] == [
        ("b.json", 2, "unreadable"),
        ("c.json", None, "no-rows"),
    ]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_single_file_of_rows_is_one_conversation(tmp_path: Path, indent: int | None) -> None:
    (tmp_path / "one.json").write_text(json.dumps({"rows": [row(), row()]}, indent=indent))
    corpus = read(tmp_path / "one.json")
    assert [(c.id, len(c.turns)) for c in corpus] == [("one", 2)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\n\n", "of no known format"),
        (b"just words\n", "of no known format"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00", "of no known format"),
        (b"\x1f\x8bbroken", "of no known format"),
    ],
)
def test_a_file_of_no_known_format_gets_one_clear_message(
    tmp_path: Path, content: bytes, said: str
) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(DataError, match=said):
        read(tmp_path / "x")


def test_a_missing_file_gets_one_clear_message(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file or folder"):
        read(tmp_path / "x.jsonl")


def test_a_folder_without_conversations_is_of_no_known_format(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="of no known format"):
        read(tmp_path)


def test_a_packed_file_cut_short_gets_one_clear_message(tmp_path: Path) -> None:
    import gzip

    packed = gzip.compress("".join(json.dumps(record(f"a/{i}")) + "\n" for i in range(99)).encode())
    (tmp_path / "a.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(DataError, match="damaged gzip file"):
        read(tmp_path / "a.jsonl.gz", format="rescue")


@pytest.mark.rescue
def test_the_benchmark_comes_back_equal_as_json_and_without_errors(
    rescue_folder: Path, tmp_path: Path
) -> None:
    from relgraph.corpora import write

    file = rescue_folder / "rescue_dev.jsonl"
    corpus = read(file)
    assert corpus.errors == ()
    write(tmp_path / "own.jsonl", corpus.conversations, format="jsonl")
    write(tmp_path / "b.jsonl", read(tmp_path / "own.jsonl").conversations, format="rescue")
    with file.open() as one, (tmp_path / "b.jsonl").open() as other:
        assert [json.loads(line) for line in other] == [json.loads(line) for line in one]


@pytest.mark.rescue
def test_the_benchmark_reads_alike_from_a_folder(rescue_folder: Path, tmp_path: Path) -> None:
    corpus = read(rescue_folder / "rescue_dev.jsonl")
    with (rescue_folder / "rescue_dev.jsonl").open() as stream:
        for raw in map(json.loads, stream):
            place = tmp_path / "all" / f"{raw['sample_id']}.json"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(json.dumps({"rows": raw["rows"]}))
    found = read(tmp_path / "all")
    assert {c.id: (c.turns, c.gold, c.scenario, set(c.roster)) for c in found} == {
        c.id: (c.turns, c.gold, c.scenario, set(c.roster)) for c in corpus
    }
    assert {c.id: c.relationship for c in found} == {c.id: c.relationship for c in corpus}
