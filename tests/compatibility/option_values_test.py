import inspect
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Set, Tuple, Union

import pytest
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import TokenIndexer
from allennlp.data.token_indexers import SingleIdTokenIndexer

from nerzoo.compatibility.option_values import check_value


def parameter(annotation, default=inspect.Parameter.empty):
    return inspect.Parameter("x", inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


@pytest.mark.parametrize(
    "value, annotation",
    [
        (1, int),
        (1, float),
        (True, bool),
        ("a", str),
        (Path("a"), str),
        (None, Optional[int]),
        ([1, 2], List[int]),
        ([1, "a"], Tuple[int, str]),
        ([1, 2, 3], Tuple[int, ...]),
        (["a"], Set[str]),
        (["a"], Union[str, Iterable[str]]),
        ({"a": 1}, Dict[str, int]),
        (Params({"a": 1}), Dict[str, int]),
        ("single_id", TokenIndexer),
        ("some.class.Path", TokenIndexer),
        ({"type": "single_id"}, Lazy[TokenIndexer]),
        ({}, TokenIndexer),
        (SingleIdTokenIndexer(), TokenIndexer),
        ({"lowercase_tokens": True}, SingleIdTokenIndexer),
        (object(), Any),
        (5, "a string, as `from __future__ import annotations` leaves it"),
    ],
)
def test_values_that_fit(value, annotation):
    check_value("a.x", value, parameter(annotation))


def test_null_as_the_default():
    check_value("a.x", None, parameter(int, default=None))


@pytest.mark.parametrize(
    "value, annotation, message",
    [
        (True, int, "found a.x = True, expected an integer"),
        (1, bool, "found a.x = 1, expected true or false"),
        (float("nan"), float, "found a.x = nan, expected a number"),
        (float("inf"), Optional[float], "found a.x = inf, expected a number"),
        (None, int, "found a.x = null, expected an integer"),
        (5, str, "found a.x = 5, expected a string"),
        ("ab", List[str], "found a.x = 'ab', expected a list"),
        ([1, "b"], List[int], "found a.x.1 = 'b', expected an integer"),
        ([1], Tuple[int, str], r"found a.x = \[1\], expected a list of 2"),
        ([], Dict[str, int], r"found a.x = \[\], expected an object"),
        ({"k": "v"}, Dict[str, int], "found a.x.k = 'v', expected an integer"),
        ("v", Union[int, List[int]], "found a.x = 'v', expected an integer or a list"),
        (["v"], Union[int, List[int]], "found a.x.0 = 'v', expected an integer"),
        (5, TokenIndexer, "found a.x = 5, expected an object, or the name of a type, for TokenIndexer"),
        ("singel_id", TokenIndexer, "found a.x = 'singel_id', expected 'single_id'"),
        ({"type": "qq"}, TokenIndexer, "found a.x.type = 'qq', expected one of .*single_id"),
        (Params({"type": None}), Lazy[TokenIndexer], "found a.x.type = null, expected one of"),
    ],
)
def test_values_that_do_not(value, annotation, message):
    with pytest.raises(ConfigurationError, match=message):
        check_value("a.x", value, parameter(annotation))
