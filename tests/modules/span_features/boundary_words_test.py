import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.token_embedders import Embedding
from helpers.plain_spans import every_span
from torch.testing import assert_close

from nerzoo.modules.span_features.span_features import FeatureInputs, SpanFeatures
from nerzoo.modules.span_features.words import BoundaryWords
from nerzoo.modules.token_embedders.word_forms import LexicalFeaturesEmbedder

LENGTHS = [7, 1, 4, 0]
MAX_LENGTH, SIZE = 3, 5
SPANS = every_span(LENGTHS, MAX_LENGTH)


def make_features():
    torch.manual_seed(13)
    return BoundaryWords("words", Embedding(embedding_dim=SIZE, num_embeddings=11)).double()


def make_sentences():
    torch.manual_seed(17)
    ids = torch.randint(1, 11, (len(LENGTHS), max(LENGTHS)))
    return ids, torch.arange(ids.shape[1]) < torch.tensor(LENGTHS).unsqueeze(1)


def compute(features, ids, mask, spans=SPANS):
    return features(features.encode(FeatureInputs({"words": {"tokens": ids}}, mask, MAX_LENGTH)), spans)


def test_words_at_the_boundaries_of_each_span_and_the_mean_of_its_words():
    features = make_features()
    ids, mask = make_sentences()
    expected = []
    for sentence, start, end in SPANS.tolist():
        words = features.embedder.weight[ids[sentence, : LENGTHS[sentence]]]
        nothing = torch.zeros(SIZE, dtype=torch.double)
        before = words[start - 1] if start > 0 else nothing
        after = words[end] if end < len(words) else nothing
        expected.append(torch.cat([before, words[start], words[end - 1], after, words[start:end].mean(0)]))
    # What the embedder gives at padding, index 0 or not, is in no feature.
    for tokens in (ids, ids * mask):
        assert_close(compute(features, tokens, mask), torch.stack(expected))
    assert features.get_output_dim() == 5 * SIZE


def test_products_with_a_matrix():
    features = make_features()
    ids, mask = make_sentences()
    encoded = features.encode(FeatureInputs({"words": {"tokens": ids}}, mask, MAX_LENGTH))
    weight = torch.randn(4, features.get_output_dim(), dtype=torch.float64)
    products = features.projected(encoded, weight)
    for spans in (SPANS, SPANS[3:5], SPANS[:0]):
        assert_close(products(spans), compute(features, ids, mask, spans) @ weight.t())
    factors = torch.rand(len(LENGTHS), features.get_output_dim(), dtype=torch.float64)
    products = features.projected(encoded, weight, factors)
    assert_close(products(SPANS), compute(features, ids, mask) * factors[SPANS[:, 0]] @ weight.t())


def test_no_spans():
    assert compute(make_features(), *make_sentences(), SPANS[:0]).shape == (0, 5 * SIZE)


def test_the_form_of_words():
    features = SpanFeatures.by_name("boundary_words")("forms", LexicalFeaturesEmbedder())
    assert features.get_output_dim() == 30
    # The first feature, the second, and both.
    inputs = FeatureInputs({"forms": {"forms": torch.tensor([[2, 3, 4]])}}, torch.ones(1, 3, dtype=torch.bool), 2)
    first, second, neither = [1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0] * 6
    both, half = [1, 1, 0, 0, 0, 0], [0.5, 1, 0, 0, 0, 0]
    found = features(features.encode(inputs), torch.tensor([[0, 0, 1], [0, 1, 3]]))
    assert found.tolist() == [neither + first + first + second + first, first + second + both + neither + half]


def test_an_indexer_that_the_reader_does_not_have_is_an_error():
    ids, mask = make_sentences()
    with pytest.raises(ConfigurationError, match="found the token indexers others, expected 'words' among"):
        make_features().encode(FeatureInputs({"others": {"tokens": ids}}, mask, MAX_LENGTH))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu():
    features, (ids, mask) = make_features(), make_sentences()
    expected = compute(features, ids, mask)
    assert_close(compute(features.cuda(), ids.cuda(), mask.cuda(), SPANS.cuda()).cpu(), expected)
