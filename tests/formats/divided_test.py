import json

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.formats.corpus import Corpus
from nerzoo.formats.divided import DividedCorpus
from nerzoo.formats.jsonl import JsonlCorpus


def words(path):
    documents = list(DividedCorpus(JsonlCorpus()).read(path))
    return [sentence.words[0] for document in documents for sentence in document.sentences]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a#b.jsonl"


def write(path, documents):
    lines = [{"words": [f"{n}"], "doc_id": doc} if doc else {"words": [f"{n}"]} for n, doc in enumerate(documents)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize("documents", [[None] * 25, ["one"] * 20 + ["two"] * 5])
def test_sentences_are_divided(path, documents):
    write(path, documents)
    train, dev = words(f"{path}#train"), words(f"{path}#dev")
    assert len(dev) == 2 and sorted(train + dev) == sorted(words(path)) and train == sorted(train, key=int)
    assert words(f"{path}#dev") == dev


def test_documents_are_divided(path):
    write(path, [f"d{number // 3}" for number in range(33)])
    train, dev = words(f"{path}#train"), words(f"{path}#dev")
    assert len(dev) == 3 and int(dev[0]) % 3 == 0 and int(dev[2]) == int(dev[0]) + 2 and len(train) == 30


def test_too_few_sentences(path):
    write(path, [None] * 9)
    with pytest.raises(ConfigurationError, match="a#b.jsonl: found 9 sentences to divide, expected at least ten"):
        words(f"{path}#dev")


def test_is_registered():
    assert Corpus.by_name("divided") is DividedCorpus
