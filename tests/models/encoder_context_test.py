import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.seq2seq_encoders import PassThroughEncoder

from nerzoo.models.sequence_tagger import encoder_context
from nerzoo.modules.seq2seq_encoders.tree_lstm import ChildSumTreeLstm

FIELDS = {"heads": torch.tensor([[0, 1]]), "levels": None, "sentences": torch.tensor([[[0, 1]]])}


class Other(PassThroughEncoder):
    context = ("sentences", "speakers")


def test_an_encoder_gets_what_it_names():
    assert encoder_context(ChildSumTreeLstm(2, 3), FIELDS) == {"heads": FIELDS["heads"], "levels": None}
    assert encoder_context(Other(2), {**FIELDS, "speakers": FIELDS["heads"]}).keys() == {"sentences", "speakers"}


def test_encoders_of_allennlp_read_nothing_else():
    assert encoder_context(PassThroughEncoder(2), FIELDS) == {}


def test_what_is_missing():
    with pytest.raises(
        ConfigurationError, match="ChildSumTreeLstm reads dependency trees, but the sentences have none"
    ):
        encoder_context(ChildSumTreeLstm(2, 3), {})
    with pytest.raises(
        ConfigurationError, match="Other reads speakers, but the instances have none: expected a reader"
    ):
        encoder_context(Other(2), FIELDS)
