import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary

from nerzoo.data.token_indexers.gazetteer import GAZETTEER_NAMESPACE
from nerzoo.modules.span_features.span_features import FeatureInputs
from nerzoo.modules.span_features.words import GazetteerMatch

VOCAB = Vocabulary(counter={GAZETTEER_NAMESPACE: {"LOC": 3, "ORG": 2, "PER": 1}})


def compute(matches, spans, max_length=2):
    features = GazetteerMatch(VOCAB, "gazetteer")
    assert features.get_output_dim() == 3
    mask = matches[..., 0] > 0
    return features(features.encode(FeatureInputs({"gazetteer": {"matches": matches}}, mask, max_length)), spans)


def test_types_of_spans():
    matches = torch.tensor([[[1, 1 + 1 + 4], [1 + 2, 1]], [[1, 1], [0, 0]]])
    spans = torch.tensor([[0, 0, 1], [0, 0, 2], [0, 1, 2], [1, 0, 1]])
    assert compute(matches, spans).tolist() == [[0, 0, 0], [1, 0, 1], [0, 1, 0], [0, 0, 0]]
    assert compute(matches, spans[:0]).shape == (0, 3)


def test_shorter_phrases_than_the_models_spans_are_an_error():
    with pytest.raises(ConfigurationError, match="phrases of up to 2 words, expected .* to be the model's, 3, or more"):
        compute(torch.ones(1, 1, 2, dtype=torch.long), torch.tensor([[0, 0, 1]]), max_length=3)


def test_a_vocabulary_without_types_is_an_error():
    with pytest.raises(ConfigurationError, match="expected a token indexer of type gazetteer"):
        GazetteerMatch(Vocabulary(), "gazetteer")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu():
    matches, spans = torch.tensor([[[1, 2**2], [3, 1]]]).cuda(), torch.tensor([[0, 0, 2], [0, 1, 2]]).cuda()
    features = GazetteerMatch(VOCAB, "gazetteer").cuda()
    encoded = features.encode(FeatureInputs({"gazetteer": {"matches": matches}}, matches[..., 0] > 0, 2))
    assert features(encoded, spans).tolist() == [[1, 1, 0], [0, 1, 0]]
