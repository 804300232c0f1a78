import json
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Set, Tuple, Union

import pytest
from allennlp.common import FromParams, Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, TokenIndexer
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.models import Model
from allennlp.modules.seq2seq_encoders import Seq2SeqEncoder

import nerzoo.components  # noqa: F401
from nerzoo.configuration.check import check_options, check_training, from_options, read_configuration

EMBEDDER = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 3, "num_embeddings": 5}}}
ENCODER = {"type": "lstm", "input_size": 3, "hidden_size": 2}


@pytest.mark.parametrize(
    "base, config, message",
    [
        (
            DatasetReader,
            {"type": "tagged_sentences", "corpsu": "conllu"},
            "found the key 'corpsu', .*expected 'corpus'",
        ),
        (
            DatasetReader,
            {"type": "tagged_sentences", "corpus": {"type": "conllu", "xyz": 1}},
            "found the key 'corpus.xyz', which ConlluCorpus does not know, expected one of coding_scheme, proper_names",
        ),
        (
            Seq2SeqEncoder,
            {"type": "bilstm", "input_size": 3, "current_input": "sentence"},
            "found the key 'current_input', which BiLstm does not know",
        ),
        (Seq2SeqEncoder, {**ENCODER, "hiden_size": 2}, "found the key 'hiden_size', .*, expected 'hidden_size'"),
        (
            Model,
            {"type": "sequence_tagger", "text_field_embedder": EMBEDDER, "encoder": ENCODER, "haed": "projection"},
            "found the key 'haed', which SequenceTagger does not know, expected 'head'",
        ),
        (
            Model,
            {"type": "sequence_tagger", "text_field_embedder": EMBEDDER, "encoder": {**ENCODER, "bias_": True}},
            "found the key 'encoder.bias_', which .* does not know, expected 'bias'",
        ),
        (Seq2SeqEncoder, {"input_size": 3}, "found no type, expected one of .*lstm"),
    ],
)
def test_options_that_nobody_knows(base, config, message):
    with pytest.raises(ConfigurationError, match=message):
        check_options(base, config)


def test_classes_that_take_any_key_still_do():
    class Any(DatasetReader):
        def __init__(self, **kwargs):
            self.kwargs = kwargs

    assert from_options(Any, {"one": 1}).kwargs == {"one": 1}


TRAINING = {
    "dataset_reader": {"type": "tagged_sentences", "corpus": "columns"},
    "train_data_path": "train.txt",
    "model": {"type": "sequence_tagger", "text_field_embedder": EMBEDDER, "encoder": ENCODER},
    "data_loader": {"batch_size": 4},
    "trainer": {"optimizer": {"type": "sgd", "lr": 0.1}},
}


@pytest.mark.parametrize(
    "path, value, message",
    [
        ("nope", 1, "found the key 'nope', which TrainModel does not know"),
        ("trainer.nope", 1, "found the key 'trainer.nope', which ResumableTrainer does not know"),
        ("trainer.optimizer.lr", -1, "found trainer.optimizer.lr = -1, expected a number from 0 up"),
        ("trainer.cuda_device", float("nan"), "found trainer.cuda_device = nan, expected a number"),
        ("data_loader.batch_size", 0, "found data_loader.batch_size = 0, expected at least 1"),
        ("data_loader", {"shuffle": True}, "found data_loader without batch_size and batch_sampler"),
        ("model.dropout", 1.5, "found model.dropout = 1.5, expected a number from 0 up, below 1"),
        ("model.encoder.hidden_size", 10**12, "found model.encoder.hidden_size = 10+, expected a size below"),
        ("model.encoder.type", "lsmt", "found model.encoder.type = 'lsmt', expected 'lstm'"),
        ("random_seed", "x", "found random_seed = 'x', expected an integer from 0 to"),
        ("numpy_seed", -1, "found numpy_seed = -1, expected an integer from 0 to"),
        ("distributed", 5, "found distributed = 5, expected an object"),
        ("distributed", {"cuda_devices": 2}, "found distributed.cuda_devices = 2, expected a list of the numbers"),
    ],
)
def test_values_that_no_training_has(path, value, message):
    config = json.loads(json.dumps(TRAINING))
    check_training(config)
    *sections, last = path.split(".")
    part = config
    for section in sections:
        part = part[section]
    part[last] = value
    with pytest.raises(ConfigurationError, match=message):
        check_training(config)


def test_files_that_cannot_be_read(tmp_path):
    file = tmp_path / "a.jsonnet"
    for text, message in (
        ("{ a: std.extVar('NO_SUCH_VARIABLE') }", "found a configuration .*external variable: NO_SUCH_VARIABLE"),
        ("{ a: ", "found a configuration that cannot be read"),
        ('{ "a": 1 }', "found a configuration that cannot be read .*unused keys"),
    ):
        file.write_text(text)
        with pytest.raises(ConfigurationError, match=f"a.jsonnet: {message}"):
            read_configuration(file, {"b.c": 1})
    with pytest.raises(ConfigurationError, match="a.jsonnet: found a configuration that cannot be read"):
        read_configuration(file, "{ no json")
    assert read_configuration(file, {"a": 2}).as_dict() == {"a": 2}
    file.unlink()
    with pytest.raises(ConfigurationError, match="a.jsonnet: found no such file, expected a configuration"):
        read_configuration(file)


def test_overrides_and_configurations_that_are_no_objects(tmp_path):
    file = tmp_path / "a.jsonnet"
    file.write_text("[]")
    with pytest.raises(ConfigurationError, match="a.jsonnet: found a configuration"):
        read_configuration(file)
    file.write_text("{}")
    for overrides in ("[]", [], [{"a": 1}]):
        with pytest.raises(ConfigurationError, match="a.jsonnet: found overrides of .*, expected an object"):
            read_configuration(file, overrides)


def options(annotation, default=...):
    """A class whose option x is of a type."""

    class Options(FromParams):
        def __init__(self, x=default):
            pass

    Options.__init__.__annotations__["x"] = annotation
    return Options


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
    check_options(options(options(annotation)), {"x": {"x": value}})


def test_null_as_the_default():
    check_options(options(int, default=None), {"x": None})


@pytest.mark.parametrize(
    "value, annotation, message",
    [
        (True, int, "found x.x = True, expected an integer"),
        (1, bool, "found x.x = 1, expected true or false"),
        (float("nan"), float, "found x.x = nan, expected a number"),
        (float("inf"), Optional[float], "found x.x = inf, expected a number"),
        (None, int, "found x.x = null, expected an integer"),
        (5, str, "found x.x = 5, expected a string"),
        ("ab", List[str], "found x.x = 'ab', expected a list"),
        ([1, "b"], List[int], "found x.x.1 = 'b', expected an integer"),
        ([1], Tuple[int, str], r"found x.x = \[1\], expected a list of 2"),
        ([], Dict[str, int], r"found x.x = \[\], expected an object"),
        ({"k": "v"}, Dict[str, int], "found x.x.k = 'v', expected an integer"),
        ("v", Union[int, List[int]], "found x.x = 'v', expected an integer or a list"),
        (["v"], Union[int, List[int]], "found x.x.0 = 'v', expected an integer"),
        (5, TokenIndexer, "found x.x = 5, expected an object, or the name of a type, for TokenIndexer"),
        ("singel_id", TokenIndexer, "found x.x = 'singel_id', expected 'single_id'"),
        ({"type": "qq"}, TokenIndexer, "found x.x.type = 'qq', expected one of .*single_id"),
        (Params({"type": None}), Lazy[TokenIndexer], "found x.x.type = null, expected one of"),
    ],
)
def test_values_that_do_not(value, annotation, message):
    with pytest.raises(ConfigurationError, match=message):
        check_options(options(options(annotation)), {"x": {"x": value}})
