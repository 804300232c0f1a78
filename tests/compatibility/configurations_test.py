import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import prepare_environment
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model
from allennlp.modules.seq2seq_encoders import Seq2SeqEncoder

import nerzoo.components  # noqa: F401

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
    ],
)
def test_a_key_that_nobody_knows(base, config, message):
    vocab = {"vocab": Vocabulary()} if base is Model else {}
    with pytest.raises(ConfigurationError, match=message):
        base.from_params(Params(config), **vocab)


def test_classes_that_take_any_key_still_do():
    class Any(DatasetReader):
        def __init__(self, **kwargs):
            self.kwargs = kwargs

    assert Any.from_params(Params({"one": 1})).kwargs == {"one": 1}


def test_files_that_cannot_be_read(tmp_path):
    file = tmp_path / "a.jsonnet"
    for text, message in (
        ("{ a: std.extVar('NO_SUCH_VARIABLE') }", "found a configuration .*external variable: NO_SUCH_VARIABLE"),
        ("{ a: ", "found a configuration that cannot be read"),
        ('{ "a": 1 }', "found a configuration that cannot be read .*unused keys"),
    ):
        file.write_text(text)
        with pytest.raises(ConfigurationError, match=f"a.jsonnet: {message}"):
            Params.from_file(file, {"b.c": 1})
    with pytest.raises(ConfigurationError, match="a.jsonnet: found a configuration that cannot be read"):
        Params.from_file(file, "{ no json")
    assert Params.from_file(file, {"a": 2}).as_dict() == {"a": 2}
    file.unlink()
    with pytest.raises(ConfigurationError, match="a.jsonnet: found no such file, expected a configuration"):
        Params.from_file(file)


def test_overrides_and_configurations_that_are_no_objects(tmp_path):
    file = tmp_path / "a.jsonnet"
    file.write_text("[]")
    with pytest.raises(ConfigurationError, match="a.jsonnet: found a configuration"):
        Params.from_file(file)
    file.write_text("{}")
    with pytest.raises(ConfigurationError, match="a.jsonnet: found overrides of .*, expected an object"):
        Params.from_file(file, "[]")


def test_seeds_that_are_none():
    with pytest.raises(ConfigurationError, match="found seeds that are none .*, expected integers from 0"):
        prepare_environment(Params({"random_seed": "x"}))


def test_processes_that_are_none(tmp_path):
    file = tmp_path / "a.jsonnet"
    file.write_text('{"distributed": 5}')
    with pytest.raises(ConfigurationError, match="found distributed = 5, expected an object"):
        Params.from_file(file)


def test_values_that_a_class_does_not_take():
    with pytest.raises(ConfigurationError, match="found options of which no .* is made"):
        Seq2SeqEncoder.from_params(Params({**ENCODER, "hidden_size": -2}))
    with pytest.raises(ConfigurationError, match="found 5, expected an object, or the name of a type, for"):
        Seq2SeqEncoder.from_params(5)
