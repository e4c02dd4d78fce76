"""Data marked sensitive stays marked, whatever format it goes through."""

from dataclasses import replace
from pathlib import Path

import pytest

from relgraph.corpora import read, write
from relgraph.records import Conversation, View
from relgraph.registry import load

ROW = '{"primary_speaker": "Ana", "dialogue_cleaned": "Hi.", "row_index": 1}'


def test_what_is_in_the_form_of_rescue_is_sensitive_until_it_says_that_it_is_not(
    tmp_path: Path,
) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(
        f'{{"sample_id": "a", "rows": [{ROW}]}}\n'
        f'{{"sample_id": "b", "sensitive": false, "rows": [{ROW}]}}\n'
    )
    assert [c.sensitive for c in read(file)] == [True, False]


def test_the_shipped_corpus_is_not_sensitive() -> None:
    assert not any(c.sensitive for c in read("sample"))


@pytest.mark.parametrize("format", ["jsonl", "rescue"])
@pytest.mark.parametrize("marked", [True, False])
def test_the_mark_survives_writing(
    couple: Conversation, tmp_path: Path, format: str, marked: bool
) -> None:
    file = tmp_path / "a.jsonl"
    write(file, [replace(couple, sensitive=marked)], format=format)
    assert read(file)[0].sensitive is marked


def test_a_table_that_cannot_hold_the_mark_says_so(couple: Conversation, tmp_path: Path) -> None:
    lost = write(tmp_path / "a.csv", [replace(couple, sensitive=True)], format="csv")
    assert "1 conversations marked sensitive, now not" in lost


def test_a_file_called_sensitive_beside_the_data_marks_all_of_it(
    couple: Conversation, tmp_path: Path
) -> None:
    write(tmp_path / "a.csv", [couple], format="csv")
    assert not read(tmp_path / "a.csv")[0].sensitive
    (tmp_path / "SENSITIVE").touch()
    assert read(tmp_path / "a.csv")[0].sensitive


def test_what_is_neither_true_nor_false_counts_as_true_and_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"id": "a", "sensitive": "no", "turns": [{"speaker": "Ana", "text": "Hi"}]}')
    corpus = read(file)
    assert corpus[0].sensitive
    assert [d.field for d in corpus.errors] == ["sensitive"]


def test_the_mark_is_no_content(couple: Conversation, tmp_path: Path) -> None:
    digests = set()
    for marked in (True, False):
        write(tmp_path / "a.jsonl", [replace(couple, sensitive=marked)], format="jsonl")
        digests.add(read(tmp_path / "a.jsonl").digest)
    assert len(digests) == 1


def test_an_instance_keeps_the_mark(couple: Conversation) -> None:
    cases = load("task", "rpp").cases(replace(couple, sensitive=True), View())
    assert [case.instance.conversation.sensitive for case in cases] == [True]
