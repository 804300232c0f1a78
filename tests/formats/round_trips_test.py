"""What every format writes, it reads again: sentences and entities, on fixtures and on real corpora."""

import json
import random
from pathlib import Path

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from helpers.paths import FIXTURES, REAL_DATA
from hypothesis import example, given, settings, strategies as st

from nerzoo.formats.corpus import AnnotationWriter, Corpus
from nerzoo.formats.standoff import to_characters
from nerzoo.text.annotation import Document, Entity, Sentence, ordered

TYPES = ["LOC", "MISC", "ORG", "PER", "organization", "person", "place"]
PRETOKENIZED = {"splitter": {"pretokenized": True}}
# Writers that express nested entities, and the corpora that read what they write.
NESTED = {
    "columns": (
        {"type": "columns", "columns": ["word", *["tag"] * 8], "separator": "\t"},
        {"type": "columns", "tag_column": list(range(1, 9)), "separator": "\t"},
    ),
    "conllu": ({"type": "conllu", "entities": "Entity"}, "conllu"),
    "jsonl": ("jsonl", "jsonl"),
    "brat": ({"type": "brat", "pretokenized": True}, {"type": "brat", **PRETOKENIZED}),
    "doccano": ({"type": "doccano", "pretokenized": True}, {"type": "doccano", **PRETOKENIZED}),
    "label_studio": ({"type": "label_studio", "pretokenized": True}, {"type": "label_studio", **PRETOKENIZED}),
    "prodigy": ("prodigy", "prodigy"),
}
FLAT = {
    **NESTED,
    "columns": ("columns", "columns"),
    "conllu": ("conllu", "conllu"),
    "parquet": ("parquet", "parquet"),
    "spacy": ("spacy", "spacy"),
    "parquet with integers": (
        {"type": "parquet", "types": TYPES},
        "parquet",
    ),
}


def corpus(options) -> Corpus:
    return Corpus.from_params(
        Params(json.loads(json.dumps({"type": options} if isinstance(options, str) else options)))
    )


def writer(options) -> AnnotationWriter:
    return AnnotationWriter.from_params(Params({"type": options} if isinstance(options, str) else dict(options)))


def sentences(documents):
    return [(sentence.words, list(sentence.entities)) for document in documents for sentence in document.sentences]


def converted(documents, options, folder: Path):
    """Writes documents and reads them again; returns them, and what was lost."""
    output, read_as = writer(options[0]), corpus(options[1])
    output.write_all(documents, folder / "converted")
    return list(read_as.read(folder / "converted")), output.losses


def check(documents, options, folder: Path):
    again, losses = converted(documents, options, folder)
    assert sentences(again) == sentences(documents)
    assert "nested entities" not in losses
    return again, losses


@pytest.mark.parametrize("name", NESTED)
def test_nested_fixture(name, tmp_path):
    documents = list(corpus({"type": "columns", "tag_column": [1, 2]}).read(FIXTURES / "corpora/nested.tsv"))
    check(documents, NESTED[name], tmp_path)


@pytest.mark.parametrize("name", FLAT)
def test_flat_fixture(name, tmp_path):
    documents = list(corpus("columns").read(FIXTURES / "people_and_places/test.txt"))
    check(documents, FLAT[name], tmp_path)


@pytest.mark.skipif(not (REAL_DATA / "gum").exists(), reason="needs GUM, at gum in the folder DATA")
@pytest.mark.parametrize("name", NESTED)
def test_gum(name, tmp_path):
    documents = list(corpus("conllu").read(REAL_DATA / "gum/test.conllu.gz"))
    again, _ = check(documents, NESTED[name], tmp_path)
    assert len(again) == len(documents) == 20


@pytest.mark.skipif(not (REAL_DATA / "wikigold").exists(), reason="needs Wikigold, at wikigold in the folder DATA")
@pytest.mark.parametrize("name", FLAT)
def test_wikigold(name, tmp_path):
    options = {"type": "columns", "coding_scheme": "IOB1"}
    documents = list(corpus(options).read(REAL_DATA / "wikigold/wikigold.conll.txt"))
    again, _ = check(documents, FLAT[name], tmp_path)
    assert [document.id for document in again] == [document.id for document in documents]


@pytest.mark.skipif(not (REAL_DATA / "gum").exists(), reason="needs GUM, at gum in the folder DATA")
@pytest.mark.parametrize("name", ["brat", "doccano", "label_studio"])
def test_running_text_of_gum(name, tmp_path):
    """With spaCy's words and sentences in place of the treebank's, entities are the same characters."""
    options = {"type": name, "splitter": {"boundaries": "split"}}
    documents = list(corpus("conllu").read(REAL_DATA / "gum/test.conllu.gz"))
    again, losses = converted(documents, (name, options), tmp_path)
    assert losses["sentences' bounds and words"] == sum(len(document.sentences) for document in documents)
    assert [characters(document) for document in again] == [characters(document) for document in documents]


def characters(document):
    text, spans = to_characters(document, pretokenized=False)
    return text.rstrip(), sorted(span[:3] for span in spans)


def random_documents(rng):
    """Documents of words of several scripts with random entities, which may be nested."""
    words = ["Oslo", ".", "-", "été", "\U0001f600", "東京", "a|b", "x=(y)", "%2D", "#1", '"', "_"]
    documents = []
    for number in range(1, 4):
        document = Document(str(number))
        for _ in range(rng.randint(1, 3)):
            sentence = Sentence(rng.choices(words, k=rng.randint(1, 9)))
            length, found = len(sentence.words), set()
            for _ in range(rng.randint(0, 8)):
                start = rng.randrange(length)
                end = rng.randint(start + 1, length)
                crosses = any(s < start < e < end or start < s < end < e for s, e, _ in found)
                if not crosses:
                    found.add(Entity(start, end, rng.choice(["A", "B-c", "東"])))
            sentence.entities = ordered(found)
            document.sentences.append(sentence)
        documents.append(document)
    return documents


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", NESTED)
def test_random_entities(name, seed, tmp_path):
    documents = random_documents(random.Random(seed))
    again, losses = check(documents, NESTED[name], tmp_path)
    assert [document.id for document in again] == ["1", "2", "3"] and not losses


# Often what is white space, ends a line, or means something in a format.
WORD = st.text(st.sampled_from(list("aé東 \t\n\r\x0b\x1c\x85\u00a0\u2028\u200b\ufeff|=#_-")), min_size=1, max_size=3)


@pytest.mark.parametrize("name", FLAT)
@settings(max_examples=40, deadline=None)
@given(words=st.lists(WORD, min_size=1, max_size=3), start=st.integers(0, 2), id=st.none() | WORD)
@example(words=["\u00a0", "a"], start=0, id="a")
@example(words=["a", "\ta"], start=1, id="a")
@example(words=["\ufeffa"], start=0, id=None)
@example(words=["a\ra"], start=0, id="a")
def test_words_are_kept_or_refused(words, start, id, name, tmp_path_factory):
    start = min(start, len(words) - 1)
    sentence = Sentence(words, entities=[Entity(start, len(words), "PER")])
    folder = tmp_path_factory.mktemp("x")
    try:
        writer(FLAT[name][0]).write_all([Document(id, [sentence])], folder / "written")
    except ConfigurationError:
        return
    assert sentences(corpus(FLAT[name][1]).read(folder / "written")) == [(words, list(sentence.entities))]
