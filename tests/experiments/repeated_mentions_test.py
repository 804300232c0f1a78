import json
import sys

import pytest
from allennlp.common.checks import ConfigurationError

from experiments.common import read
from experiments.repeated_mentions import NEEDED, count_mentions, main
from nerzoo.text.annotation import tags_to_entities
from nerzoo.text.matching import MatchCounts


def sentence(doc_id, text, gold, predicted):
    """Gold and predicted tags in BIO, one a word."""
    entities = [entity._asdict() for entity in tags_to_entities(predicted.split(), "BIO")]
    return {"doc_id": doc_id, "words": text.split(), "gold_tags": gold.split(), "entities": entities}


PREDICTIONS = [
    # Interfax: a first mention, found. Moscow: a first mention, missed.
    sentence("1", "Interfax of Moscow reported", "B-ORG O B-LOC O", "B-ORG O O O"),
    # Interfax: repeated, found as a place. "reported": repeated, predicted only.
    sentence("1", "INTERFAX REPORTED", "B-ORG O", "B-LOC B-ORG"),
    # Moscow: repeated, found. Moscow News: both words occurred, but not together; found.
    sentence("1", "Moscow and Moscow News", "B-LOC O B-ORG I-ORG", "B-LOC O B-ORG I-ORG"),
    # Another document: Interfax is first again. The second one of the sentence is repeated.
    sentence("2", "Interfax met Interfax", "B-ORG O B-ORG", "B-ORG O B-ORG"),
    # Inter is part of an earlier word only; found.
    sentence("2", "Inter won", "B-ORG O", "B-ORG O"),
]


def test_counts_of_first_and_repeated_mentions():
    assert count_mentions(PREDICTIONS) == {
        "first": MatchCounts(4, 4, 5, 4),
        "repeated": MatchCounts(2, 4, 3, 2),
        "all": MatchCounts(6, 8, 8, 6),
    }


def test_words_that_meet_across_sentences_do_not_repeat_a_mention():
    predictions = [
        sentence("1", "in New", "O O", "O O"),
        sentence("1", "York and", "O O", "O O"),
        sentence("1", "New York", "B-LOC I-LOC", "O O"),
    ]
    assert count_mentions(predictions)["first"].num_gold == 1


def test_measures():
    counts = MatchCounts(2, 4, 3, 2)
    assert list(counts.scores().values()) == pytest.approx([1 / 2, 2 / 3, 4 / 7])
    assert list(MatchCounts().scores().values()) == [0, 0, 0]


def write(path, predictions):
    path.write_text("".join(json.dumps(prediction) + "\n" for prediction in predictions))
    return path


def test_prints_mean_and_deviation_over_runs(tmp_path, monkeypatch, capsys):
    nothing = [{**prediction, "entities": []} for prediction in PREDICTIONS]
    paths = [str(write(tmp_path / name, run)) for name, run in (("1", PREDICTIONS), ("2", nothing))]
    monkeypatch.setattr(sys, "argv", ["repeated_mentions", *paths])
    main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["first", "5"], ["repeated", "3"], ["all", "8"]]
    assert lines[3].endswith("0.3750 +- 0.5303")


def test_a_line_without_what_is_needed_is_an_error(tmp_path):
    path = write(tmp_path / "predictions.jsonl", [PREDICTIONS[0], {"words": [], "entities": []}])
    with pytest.raises(ConfigurationError, match=r"predictions.jsonl, line 2: found no doc_id, gold_tags, expected"):
        read(path, NEEDED)
