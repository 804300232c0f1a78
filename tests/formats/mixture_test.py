"""Two corpora with one set of labels."""

import copy
import json

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.formats.corpus import Corpus

TWEETS = "@ B-ORG\nlindow B-ORG\nby O\nMara B-PER\n\n"
CONTRACTS = ["the Bank of Varda", "Mara met the French in Lindow", "the bank"]
ENTITIES = [
    [(3, 4, "GPE"), (1, 2, "ORG")],
    [(0, 1, "PER"), (3, 4, "LOC"), (5, 6, "GPE"), (1, 2, "MISC")],
    [(1, 2, "ORG")],
]
PARTS = {
    "tweets": {"corpus": "columns", "files": "*.txt", "ignored": ["@"], "ignored_after": "@"},
    "contracts": {
        "corpus": "jsonl",
        "files": {"train": "contracts.jsonl"},
        "labels": {"PER": "PER", "LOC": "LOC", "GPE": "LOC", "ORG": "ORG"},
        "ignored": "ignored.txt",
    },
}


@pytest.fixture
def folder(tmp_path):
    for part in ("train", "dev"):
        (tmp_path / f"{part}.txt").write_text(TWEETS)
    lines = [
        {
            "words": text.split(),
            "entities": [dict(zip(("start", "end", "label"), entity, strict=True)) for entity in entities],
            "doc_id": "a",
        }
        for text, entities in zip(CONTRACTS, ENTITIES, strict=True)
    ]
    (tmp_path / "contracts.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (tmp_path / "ignored.txt").write_text("french\nBank\n")
    return tmp_path


def read(path, **options):
    return list(Corpus.from_params(Params({"type": "mixture", "parts": copy.deepcopy(PARTS), **options})).read(path))


def entities(document):
    return [[tuple(entity) for entity in sentence.entities] for sentence in document.sentences]


def test_labels_are_mapped_and_others_left_out(folder):
    tweets, contracts = read(folder / "train")
    assert (tweets.id, contracts.id) == ("tweets", "contracts:a")
    assert [" ".join(sentence.words) for sentence in contracts.sentences] == CONTRACTS
    assert entities(contracts) == [[(3, 4, "LOC")], [(0, 1, "PER"), (5, 6, "LOC")], []]
    assert entities(tweets) == [[(3, 4, "PER")]]


def test_a_partial_mixture_says_which_types_were_looked_for(folder, monkeypatch):
    assert all(
        sentence.annotated_types is None for document in read(folder / "train") for sentence in document.sentences
    )
    labels = {"tweets": {"PER": "person"}, "contracts": {"PER": "person", "LOC": "place", "GPE": "place"}}
    for name, mapping in labels.items():
        monkeypatch.setitem(PARTS, name, {**PARTS[name], "labels": mapping})
    tweets, contracts = read(folder / "train", partial=True)
    assert [sentence.annotated_types for sentence in tweets.sentences] == [["person"]]
    assert [sentence.annotated_types for sentence in contracts.sentences] == [["person", "place"]] * 3
    monkeypatch.delitem(PARTS["tweets"], "labels")
    with pytest.raises(ConfigurationError, match="found the corpus tweets without labels, expected them"):
        read(folder / "train", partial=True)


def test_two_labels_that_become_one_on_a_span_are_one_entity(folder):
    path = folder / "contracts.jsonl"
    entities_ = [{"start": 2, "end": 3, "label": label} for label in ("GPE", "LOC", "ORG")]
    path.write_text(json.dumps({"words": ["Mara", "in", "Lindow"], "entities": entities_}))
    _, contracts = read(folder / "train")
    assert entities(contracts) == [[(2, 3, "LOC"), (2, 3, "ORG")]]


def test_words_as_characters(folder, monkeypatch):
    monkeypatch.setitem(PARTS, "contracts", {**PARTS["contracts"], "characters": True})
    tweets, contracts = read(folder / "train")
    assert contracts.sentences[0].words == list("theBankofVarda")
    assert entities(contracts)[0] == [(9, 14, "LOC")] and contracts.sentences[0].text == CONTRACTS[0]
    assert entities(tweets) == [[(3, 4, "PER")]]


def test_a_corpus_without_the_part_is_left_out(folder):
    assert [document.id for document in read(folder / "dev")] == ["tweets"]


def test_counts_what_it_leaves_out(folder, caplog):
    caplog.set_level("INFO")
    read(folder / "train")
    assert "train: left out or adapted: 6 entities that are none here" in caplog.text


def test_a_file_that_is_not_there(folder):
    with pytest.raises(ConfigurationError, match="test.txt: found no such file|test.txt"):
        read(folder / "test")


def test_a_part_that_no_corpus_has(folder, monkeypatch):
    monkeypatch.delitem(PARTS, "tweets")
    with pytest.raises(ConfigurationError, match="dev: found no corpus with the part 'dev', expected the folder of"):
        read(folder / "dev")
