"""Files of each format of corpora and threads, read with the options of the case."""

import pytest
from helpers.hostile import cases, check, files

from nerzoo.configuration.check import from_options
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.threads import ThreadCorpus


@pytest.mark.parametrize("case", cases("corpora"))
def test_corpora(case, record_property):
    def read():
        corpus = from_options(Corpus, {"type": case["format"], **case["options"]})
        with files(case["input"]) as path:
            documents = list(corpus.read(str(path)))
        return [[part.words, list(map(list, part.entities))] for document in documents for part in document.sentences]

    found = check(case, read, record_property)
    assert found == case.get("sentences")


@pytest.mark.parametrize("case", cases("threads"))
def test_threads(case, record_property):
    def read():
        corpus = from_options(ThreadCorpus, {"type": case["format"], **case["options"]})
        with files(case["input"]) as path:
            threads = list(corpus.read(str(path / case["read"] if "read" in case else path)))
        return [[post.id, list(map(list, post.links or []))] for thread in threads for post in thread.posts]

    found = check(case, read, record_property)
    assert found == case.get("posts")
