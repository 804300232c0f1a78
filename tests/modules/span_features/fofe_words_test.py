import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.token_embedders import Embedding
from helpers.plain_spans import every_span, recursion
from torch.testing import assert_close

from nerzoo.modules.span_features.span_features import FeatureInputs
from nerzoo.modules.span_features.words import FofeWords

LENGTHS = [7, 1, 4, 0]
MAX_LENGTH, SIZE = 3, 5
SPANS = every_span(LENGTHS, MAX_LENGTH)
SIZES = {"context_including": 2 * SIZE, "context_excluding": 2 * SIZE, "bag_of_words": SIZE}


def make_features(**parameters):
    torch.manual_seed(13)
    embedder = Embedding(embedding_dim=SIZE, num_embeddings=11)
    return FofeWords("uncased", embedder, **parameters).double()


def make_sentences():
    torch.manual_seed(17)
    ids = torch.randint(1, 11, (len(LENGTHS), max(LENGTHS)))
    mask = torch.arange(ids.shape[1]) < torch.tensor(LENGTHS).unsqueeze(1)
    return {"uncased": {"tokens": ids * mask}}, mask


def compute(features, spans=SPANS):
    tokens, mask = make_sentences()
    return features(features.encode(FeatureInputs(tokens, mask, MAX_LENGTH)), spans)


def plain(features, code, sentence, start, end):
    tokens, _ = make_sentences()
    words = features.embedder.weight[tokens["uncased"]["tokens"][sentence, : LENGTHS[sentence]]]
    if code == "context_including":
        parts = [recursion(words[:end], features.alpha), recursion(words[start:].flip(0), features.alpha)]
    elif code == "context_excluding":
        parts = [recursion(words[:start], features.alpha), recursion(words[end:].flip(0), features.alpha)]
    else:
        parts = [words[start:end].sum(0)]
    return torch.cat(parts)


@pytest.mark.parametrize("alpha", [0.5, 1.0])
@pytest.mark.parametrize("code", SIZES)
def test_equal_to_the_recursion_over_each_span(code, alpha):
    features = make_features(codes=[code], alpha=alpha)
    expected = torch.stack([plain(features, code, *span) for span in SPANS.tolist()])
    assert_close(compute(features), expected)
    assert features.get_output_dim() == expected.shape[1] == SIZES[code]


def test_all_codes_are_those_of_each_in_the_order_given():
    for codes in (list(SIZES), ["bag_of_words", "context_including"]):
        features = make_features(codes=codes)
        expected = torch.cat([compute(make_features(codes=[code])) for code in codes], 1)
        assert torch.equal(compute(features), expected)
        assert features.get_output_dim() == expected.shape[1]
    assert torch.equal(compute(make_features()), compute(make_features(codes=list(SIZES))))


@pytest.mark.parametrize("codes", [None, ["bag_of_words"], ["context_excluding", "context_including"]])
def test_products_with_a_matrix_are_those_of_the_features(codes):
    features = make_features(codes=codes)
    tokens, mask = make_sentences()
    encoded = features.encode(FeatureInputs(tokens, mask, MAX_LENGTH))
    weight = torch.randn(4, features.get_output_dim(), dtype=torch.float64)
    products = features.projected(encoded, weight)
    for spans in (SPANS, SPANS[3:5], SPANS[:0]):
        assert_close(products(spans), compute(features, spans) @ weight.t())


def test_products_of_features_that_a_sentence_multiplies_by_its_own_factors():
    features = make_features()
    tokens, mask = make_sentences()
    weight = torch.randn(4, features.get_output_dim(), dtype=torch.float64, requires_grad=True)
    factors = torch.rand(len(LENGTHS), features.get_output_dim(), dtype=torch.float64)
    shared = features.projected(features.encode(FeatureInputs(tokens, mask, MAX_LENGTH)), weight, factors)(SPANS)
    separate = compute(features) * factors[SPANS[:, 0]] @ weight.t()
    assert_close(shared, separate)
    parameters, above = (weight, features.embedder.weight), torch.randn_like(separate)
    found, expected = (torch.autograd.grad((above * x).sum(), parameters) for x in (shared, separate))
    assert_close(found, expected)


def test_bfloat16_keeps_sums_over_long_sentences_exact():
    torch.manual_seed(5)
    features = FofeWords("words", Embedding(8, 200, weight=torch.rand(200, 8) + 1), codes=["bag_of_words"])
    tokens = {"words": {"tokens": torch.arange(200).unsqueeze(0)}}
    weight, spans = torch.rand(4, 8), torch.tensor([[0, start, start + 1] for start in range(200)])
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        encoded = features.encode(FeatureInputs(tokens, torch.ones(1, 200).bool(), MAX_LENGTH))
        found = features.projected(encoded, weight)(spans)
        expected = torch.nn.functional.linear(features(encoded, spans), weight)
    assert_close(found, expected.float(), rtol=2**-7, atol=0)


def test_contexts_at_the_edges_of_a_sentence_are_zero():
    left, right = compute(make_features(codes=["context_excluding"])).chunk(2, 1)
    starts, ends = SPANS[:, 1], SPANS[:, 2]
    assert torch.equal(left.any(1), starts > 0)
    assert torch.equal(right.any(1), ends < torch.tensor(LENGTHS)[SPANS[:, 0]])


def test_no_spans():
    assert compute(make_features(), SPANS[:0]).shape == (0, 5 * SIZE)


def test_padding_has_no_influence():
    features = make_features()
    tokens, mask = make_sentences()
    ids = tokens["uncased"]["tokens"].masked_fill(~mask, 10)
    expected, found = (
        features(features.encode(FeatureInputs({"uncased": {"tokens": some}}, mask, MAX_LENGTH)), SPANS)
        for some in (tokens["uncased"]["tokens"], ids)
    )
    assert torch.equal(found, expected)


@pytest.mark.parametrize("code", SIZES)
def test_gradient(code):
    features = make_features(codes=[code])
    tokens, mask = make_sentences()

    def of_weight(weight):
        features.embedder.weight = torch.nn.Parameter(weight.detach())
        embedded = torch.nn.functional.embedding(tokens["uncased"]["tokens"], weight)
        features.embedder.forward = lambda tokens: embedded
        return features(features.encode(FeatureInputs(tokens, mask, MAX_LENGTH)), SPANS)

    assert torch.autograd.gradcheck(of_weight, (torch.randn(11, SIZE, dtype=torch.float64, requires_grad=True),))


def test_the_sum_of_a_span_is_exact_after_many_words():
    features = make_features(codes=["bag_of_words"]).float()
    ids = torch.randint(1, 11, (1, 2000))
    mask = torch.ones_like(ids, dtype=torch.bool)
    found = features(
        features.encode(FeatureInputs({"uncased": {"tokens": ids}}, mask, 1)), torch.tensor([[0, 1999, 2000]])
    )
    assert torch.equal(found, features.embedder.weight[ids[:, -1]])


@pytest.mark.parametrize("codes", [[], ["context"], ["bag_of_words", "bigrams"]])
def test_unknown_codes_are_an_error(codes):
    with pytest.raises(ConfigurationError, match=r"found the codes .*, expected some of context_including, "):
        make_features(codes=codes)


def test_other_errors():
    with pytest.raises(ConfigurationError, match=r"found alpha = 0, expected .* in \(0, 1\]"):
        make_features(alpha=0)
    with pytest.raises(ConfigurationError, match="FofeWords: found the token indexers tokens, expected 'uncased'"):
        make_features().encode(FeatureInputs({"tokens": {}}, None, MAX_LENGTH))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu():
    features, (tokens, mask) = make_features().float(), make_sentences()
    on_cpu = compute(features)
    tokens = {"uncased": {"tokens": tokens["uncased"]["tokens"].cuda()}}
    features = features.cuda()
    on_gpu = features(features.encode(FeatureInputs(tokens, mask.cuda(), MAX_LENGTH)), SPANS.cuda())
    assert_close(on_gpu.cpu(), on_cpu)
