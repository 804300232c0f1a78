"""Tests of the names of extra outputs. The tests of the taggers test what is computed."""

import pytest
import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.modules.seq2seq_encoders import PassThroughEncoder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding
from helpers.vocabularies import vocabulary_of_tags

from nerzoo.models.heads.tag_head import TagHead
from nerzoo.models.sequence_tagger import TaggingModel


class Attention(PassThroughEncoder):
    def attention(self, inputs, mask):
        return mask


def make_head(vocab, input_size):
    return TagHead(vocab)


def make_model(names=(), has_attention=False):
    embedder = BasicTextFieldEmbedder({"tokens": Embedding(3, num_embeddings=5)})
    encoder = Attention(3) if has_attention else PassThroughEncoder(3)
    return TaggingModel(vocabulary_of_tags(["N", "V"]), embedder, encoder, head=Lazy(make_head), extra_outputs=[*names])


def test_what_there_is():
    assert make_model()._available_outputs() == ["sequence_entropy", "least_confidence", "marginals"]
    available = make_model(has_attention=True)._available_outputs()
    assert available == ["sequence_entropy", "least_confidence", "marginals", "attention"]


def test_what_is_asked_for():
    model = make_model(["sequence_entropy"])
    for name in ("sequence_entropy", "least_confidence"):
        model.add_extra_output(name)
    assert model.extra_outputs == ["sequence_entropy", "least_confidence"]
    with pytest.raises(ConfigurationError, match="found the extra output 'gate', expected one of sequence_entropy, "):
        make_model(["gate"])
    with pytest.raises(ConfigurationError, match="found the extra output 'gate', expected one of sequence_entropy, "):
        model.add_extra_output("gate")


def test_more_of_them_within_a_block():
    model = make_model(["sequence_entropy"], has_attention=True)
    with pytest.raises(ZeroDivisionError), model.more_outputs(["attention", "gate", "sequence_entropy"]):
        assert model.extra_outputs == ["sequence_entropy", "attention"]
        raise ZeroDivisionError
    assert model.extra_outputs == ["sequence_entropy"]


def test_what_is_shown_is_cut_to_the_length_of_its_sentence():
    model = make_model(["attention"], has_attention=True)
    sentences = [{"words": ["a", "b"], "pos": ["N", "V"]}, {"words": ["c"], "pos": None}]
    shown = {"attention": torch.ones(2, 2, 3), "gate": torch.ones(2, 2), "gate_features": torch.ones(2, 2, 4)}
    outputs = {"tags": torch.zeros(2, 2, dtype=torch.long), "metadata": sentences, "shown": shown}
    readable = model.make_output_human_readable(outputs)
    assert readable["pos"] == [["N", "V"], None] and "heads" not in readable
    # Attention has the slot of a null memory first.
    assert readable["attention"] == [[[1.0] * 3] * 2, [[1.0] * 2]]
    assert readable["gate"] == [[1.0] * 2, [1.0]]
    assert readable["gate_features"] == [[[1.0] * 4] * 2, [[1.0] * 4]]
    model = make_model(has_attention=True)
    assert "pos" not in model.make_output_human_readable({**outputs, "shown": {}})
