import logging

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, Token, TokenIndexer, Vocabulary
from allennlp.data.fields import TextField
from allennlp.nn.util import get_text_field_mask

from nerzoo.data.token_indexers.gazetteer import GAZETTEER_NAMESPACE, GazetteerIndexer

LIST = """LOC New York
ORG New  York Times
LOC York

PER York
MISC a very long phrase indeed
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "gazetteer.txt"
    path.write_text(LIST)
    return path


@pytest.fixture
def indexer(path):
    return TokenIndexer.from_params(Params({"type": "gazetteer", "path": str(path), "max_length": 3}))


def batch_of(indexer, *sentences):
    fields = [TextField([Token(word) for word in words], {"gazetteer": indexer}) for words in sentences]
    batch = Batch([Instance({"tokens": field}) for field in fields])
    vocab = Vocabulary.from_instances(batch.instances)
    batch.index_instances(vocab)
    return batch.as_tensor_dict()["tokens"], vocab


def test_types_are_in_the_vocabulary_found_or_not(indexer):
    _, vocab = batch_of(indexer, ["Paris"])
    assert vocab.get_token_to_index_vocabulary(GAZETTEER_NAMESPACE) == {"LOC": 0, "MISC": 1, "ORG": 2, "PER": 3}


def test_spans_of_a_sentence(indexer):
    tokens, _ = batch_of(indexer, ["New", "York", "Times", "York"], ["new", "York"])
    location, organization, person = 1, 4, 8
    assert tokens["gazetteer"]["matches"].tolist() == [
        [
            [1, 1 + location, 1 + organization],
            [1 + location + person, 1, 1],
            [1, 1, 1],
            [1 + location + person, 1, 1],
        ],
        [[1, 1, 1], [1 + location + person, 1, 1], [0, 0, 0], [0, 0, 0]],
    ]


def test_mask_of_a_sentence_without_a_match(indexer):
    tokens, _ = batch_of(indexer, ["a"], ["b", "c"])
    assert get_text_field_mask(tokens).tolist() == [[True, False], [True, True]]


def test_long_phrases_are_counted(path, caplog):
    with caplog.at_level(logging.INFO):
        GazetteerIndexer(path, max_length=3)
    assert f"{path}: 1 phrases have more than 3 words" in caplog.text


def test_empty_text_field(indexer):
    field = TextField([], {"gazetteer": indexer})
    _, vocab = batch_of(indexer, ["York"])
    field.index(vocab)
    assert field.as_tensor(field.get_padding_lengths())["gazetteer"]["matches"].shape == (0, 3)


@pytest.mark.parametrize(
    "content, message",
    [
        ("LOC Oslo\n\nLOC\n", r"list.txt:3: found 'LOC', expected a type and a phrase"),
        ("", r"list.txt: found 0 types of phrases, expected a gazetteer of 1 to 62"),
        ("\n", r"list.txt: found 0 types of phrases, expected a gazetteer of 1 to 62"),
        ("".join(f"T{n} word\n" for n in range(63)), "found 63 types of phrases"),
    ],
)
def test_bad_files(tmp_path, content, message):
    path = tmp_path / "list.txt"
    path.write_text(content)
    with pytest.raises(ConfigurationError, match=message):
        GazetteerIndexer(path)


def test_62_types(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("".join(f"T{n} word\n" for n in range(62)))
    tokens, _ = batch_of(GazetteerIndexer(path, max_length=1), ["word"])
    assert torch.equal(tokens["gazetteer"]["matches"], torch.tensor([[[2**62]]]))


def test_a_vocabulary_of_another_gazetteer_is_an_error(indexer):
    vocab = Vocabulary(counter={GAZETTEER_NAMESPACE: {"LOC": 1}})
    with pytest.raises(ConfigurationError, match="found a gazetteer of the types LOC, MISC, .* made with: LOC$"):
        indexer.tokens_to_indices([Token("York")], vocab)
