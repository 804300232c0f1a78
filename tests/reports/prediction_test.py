import pytest
from allennlp.common.checks import ConfigurationError
from helpers.drawings import SENTENCE, THREAD, prediction

from nerzoo.reports.drawn_prediction import read_predictions


@pytest.mark.parametrize(
    "attention, kind",
    [
        ([[0.0, 1.0], [1.0, 0.0]], "relative_attention"),
        ([0.5, 0.5], "global_attention"),
        ([[{"position": 0, "word": "a", "weight": 1.0}], []], "memory"),
    ],
)
def test_attention_is_called_by_what_it_is(tmp_path, attention, kind):
    found = prediction(tmp_path / "p.jsonl", {"words": ["a", "b"], "attention": attention})
    assert found.values[kind] == attention
    assert "attention" not in found.values


def test_words_before(tmp_path):
    documents = ["d", "d", None, None, "d"]
    prediction(tmp_path / "p.jsonl", *({"doc_id": id, "words": [str(n)]} for n, id in enumerate(documents)))
    before = [found.before for found in read_predictions(str(tmp_path / "p.jsonl"))]
    assert before == [[], [["0"]], [], [["2"]], []]


def test_whose_attention_is_drawn(tmp_path):
    assert prediction(tmp_path / "p.jsonl").targets == [0, 3]
    assert prediction(tmp_path / "p.jsonl", entities=[]).targets == [0, 1, 2, 3]


def test_threads_and_sentences_without_words(tmp_path):
    assert prediction(tmp_path / "p.jsonl", THREAD).words == []
    assert prediction(tmp_path / "p.jsonl", THREAD).entities == []
    assert prediction(tmp_path / "p.jsonl", {"words": [], "tags": []}).words == []


def test_blank_lines_are_no_sentences(tmp_path):
    (tmp_path / "p.jsonl").write_text('{"words": ["a"]}\n\n{"words": ["b"]}\n')
    assert [found.words for found in read_predictions(str(tmp_path / "p.jsonl"))] == [["a"], ["b"]]


@pytest.mark.parametrize(
    "values, expected",
    [
        ({"gate": [0.1]}, "found the gate of 1 words, expected one for each of 4 words"),
        ({"backward_tags": 3}, "found the backward_tags of no words, expected one for each of 4"),
        ({"relative_attention": [[1.0]] * 4}, r"found weights \[1.0\] of a word, expected one for each of 4 words"),
        ({"attention": [[]] * 3}, "found the memory of 3 words, expected one for each of 4 words"),
        ({"words": "Mara"}, "found the words 'Mara', expected a list"),
    ],
)
def test_what_does_not_fit_the_words(tmp_path, values, expected):
    with pytest.raises(ConfigurationError, match=f"p.jsonl:1: {expected}"):
        prediction(tmp_path / "p.jsonl", {**SENTENCE, **values})
