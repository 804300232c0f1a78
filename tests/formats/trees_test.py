import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.formats.spans import check_tree, parse_heads


def places(heads):
    return [f"word {position}" for position in range(1, len(heads) + 1)]


@pytest.mark.parametrize("heads", [[0], [2, 0, 2], [2, 3, 0], [0, 1, 2], [0, 0, 2], [4, 4, 0, 3]])
def test_trees(heads):
    check_tree(heads, places(heads))


@pytest.mark.parametrize(
    "heads, message",
    [
        ([0, 3], "word 2: found the head 3, expected an integer from 0 to 2"),
        ([-1, 0], "word 1: found the head -1, expected an integer from 0 to 2"),
        (["x", 0], "word 1: found the head 'x'"),
        ([1.0, 0], "word 1: found the head 1.0"),
        ([True, 0], "word 1: found the head True"),
        ([2, 1], "found a sentence without a root"),
        ([0, 2, 1], "word 2: found the cycle of heads 2 -> 2"),
        ([0, 3, 4, 2], "word 2: found the cycle of heads 2 -> 3 -> 4 -> 2"),
        ([3, 0, 4, 3], "word 3: found the cycle of heads 3 -> 4 -> 3"),
    ],
)
def test_what_is_no_tree(heads, message):
    with pytest.raises(ConfigurationError, match=message):
        check_tree(heads, places(heads))


def test_parse_heads():
    assert parse_heads(["2", "0"], places("ab")) == [2, 0]
    assert parse_heads(["_", "_"], places("ab")) is None
    for cells in (["_", "0"], ["0", "1.5"], ["-1", "0"]):
        with pytest.raises(ConfigurationError, match="found the head .* expected an integer"):
            parse_heads(cells, places("ab"))
