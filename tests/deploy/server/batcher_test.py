import asyncio
from xml.etree import ElementTree

import pytest
from helpers.drawings import SENTENCE, THREAD, WEIGHTS

from nerzoo.deploy.server import batcher
from nerzoo.deploy.server.batcher import MAX_WORDS, Batcher, check_texts, drawings
from nerzoo.deploy.server.requests import Limits, Refusal

# It has five tokens but four words: the limit of words does not refuse as many of these.
ITEM = {"sentence": "Mara lived in Calder."}


def test_the_limit_of_tokens_holds_for_all_items_of_a_request_together(tagger):
    # More items than are read at a time.
    items = [ITEM] * (batcher._FEW + 8)
    num_tokens = 5 * len(items)
    assert len(asyncio.run(Batcher(tagger, Limits(tokens=num_tokens)).read(items))) == len(items)
    message = f"found {num_tokens} tokens in the first {len(items)} items, expected at most {num_tokens - 1} in a"
    with pytest.raises(Refusal, match=message):
        asyncio.run(Batcher(tagger, Limits(tokens=num_tokens - 1)).read(items))


def test_ordinary_requests_pass():
    check_texts(
        [{"sentence": "word " * 1000}, {"words": ["word"] * 1000}, {"sentences": [{"sentence": "a" * 3000}]}], 2001
    )
    check_texts([None, 3, [1.5]], 1)


@pytest.mark.parametrize(
    "item", [{"sentence": "a b c"}, {"words": ["a", "b", "c"]}, {"sentences": [{"sentence": "a b c"}]}]
)
def test_more_words_than_tokens_may_be(item):
    with pytest.raises(Refusal, match="^found 3 words, expected at most 2 tokens in a request$") as raised:
        check_texts([item], 2)
    assert raised.value.status == 422


def test_words_that_take_long(monkeypatch):
    with pytest.raises(Refusal, match="16000000 squared and summed, expected at most 10000000"):
        check_texts([{"sentence": "(" * 4000}], 10_000)
    monkeypatch.setattr(batcher, "MAX_SQUARES", 12)
    with pytest.raises(Refusal, match="13 squared"):
        check_texts([{"sentence": "(( )))"}], 10_000)


def test_deep_nesting_is_no_recursion():
    value = "a"
    for _ in range(100_000):
        value = [value]
    check_texts(value, 1)


def test_all_but_entities_is_drawn():
    (arcs, matrix) = drawings({**SENTENCE, "attention": WEIGHTS})
    assert arcs["title"].startswith("Attention of") and matrix["title"].startswith("Attention, row")
    for each in (arcs, matrix):
        assert ElementTree.fromstring(each["svg"]).tag.endswith("svg") and each["description"]


def test_sentences_of_a_document_are_drawn():
    part = {**SENTENCE, "attention": WEIGHTS}
    assert len(drawings({"sentences": [part, {"words": []}, part]})) == 4


def test_threads_are_drawn():
    assert drawings(THREAD)[0]["title"].startswith("Links")


def test_long_sentences_and_those_without_words_are_not():
    words = ["a"] * (MAX_WORDS + 1)
    assert drawings({"words": words, "gate": [0.5] * len(words)}) == []
    assert drawings({"words": []}) == []
    assert drawings({"posts": [{}] * (MAX_WORDS + 1)}) == []


def test_what_is_no_sentence_is_not():
    assert drawings({"perplexity": 3.5}) == []
