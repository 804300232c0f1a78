"""What is computed for them is tested of the taggers."""

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.seq2seq_encoders import PassThroughEncoder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding
from helpers.vocabularies import vocabulary_of_tags

from nerzoo.models.heads.tag_head import TagHead
from nerzoo.models.sequence_tagger import ExtraOutputs


def extra_outputs(has_attention=False):
    embedder = BasicTextFieldEmbedder({"tokens": Embedding(3, num_embeddings=5)})
    return ExtraOutputs(embedder, PassThroughEncoder(3), TagHead(vocabulary_of_tags(["N", "V"])), has_attention)


def test_what_there_is():
    assert extra_outputs().available == ["sequence_entropy", "least_confidence"]
    assert extra_outputs(has_attention=True).available == ["sequence_entropy", "least_confidence", "attention"]


def test_what_is_asked_for():
    outputs = extra_outputs()
    outputs.ask_for(["sequence_entropy"])
    for name in ("sequence_entropy", "least_confidence"):
        outputs.add(name)
    assert outputs.asked_for == ["sequence_entropy", "least_confidence"]
    with pytest.raises(ConfigurationError, match="extra_outputs must be among sequence_entropy, .*, found 'gate'"):
        outputs.ask_for(["gate"])
    with pytest.raises(ConfigurationError, match="found the extra output 'gate', expected one of sequence_entropy, "):
        outputs.add("gate")


def test_more_of_them_within_a_block():
    outputs = extra_outputs(has_attention=True)
    outputs.ask_for(["sequence_entropy"])
    with pytest.raises(ZeroDivisionError), outputs.more(["attention", "gate", "sequence_entropy"]):
        assert outputs.asked_for == ["sequence_entropy", "attention"]
        raise ZeroDivisionError
    assert outputs.asked_for == ["sequence_entropy"]


def test_what_is_shown_is_cut_to_the_length_of_its_sentence():
    outputs = extra_outputs(has_attention=True)
    outputs.ask_for(["attention"])
    sentences = [{"words": ["a", "b"], "pos": ["N", "V"]}, {"words": ["c"], "pos": None}]
    shown = {"attention": torch.ones(2, 2, 3), "gate": torch.ones(2, 2), "gate_features": torch.ones(2, 2, 4)}
    readable = outputs.readable(shown, sentences)
    assert readable["pos"] == [["N", "V"], None] and "heads" not in readable
    # Attention has the slot of a null memory first.
    assert readable["attention"] == [[[1.0] * 3] * 2, [[1.0] * 2]]
    assert readable["gate"] == [[1.0] * 2, [1.0]]
    assert readable["gate_features"] == [[[1.0] * 4] * 2, [[1.0] * 4]]
    outputs.ask_for([])
    assert "pos" not in outputs.readable({}, sentences)
