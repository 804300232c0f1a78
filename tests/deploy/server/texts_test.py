import pytest

from nerzoo.deploy.server import batcher
from nerzoo.deploy.server.batcher import check_texts
from nerzoo.deploy.server.requests import Refusal


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
