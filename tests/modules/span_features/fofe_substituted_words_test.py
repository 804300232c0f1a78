import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules.token_embedders import Embedding
from allennlp.nn.util import move_to_device
from helpers.plain_spans import every_span, recursion
from torch.testing import assert_close

from nerzoo.modules.span_features.span_features import FeatureInputs
from nerzoo.modules.span_features.words import FofeSubstitutedWords, FofeWords

LENGTHS = [11, 1, 4, 0, 7, 2]
MAX_LENGTH, SIZE = 3, 5
SPANS = every_span(LENGTHS, MAX_LENGTH)
SIZES = {"context_including": 2 * SIZE, "context_excluding": 2 * SIZE, "bag_of_words": SIZE}
VOCAB = Vocabulary(tokens_to_add={"labels": ["person", "place", "work"]}, non_padded_namespaces=["labels"])


def make_features(**parameters):
    torch.manual_seed(13)
    embedder = Embedding(embedding_dim=SIZE, num_embeddings=11)
    return FofeSubstitutedWords(VOCAB, "uncased", embedder, **parameters).double()


def random_entities(length, generator):
    """Flat entities: start, end and type, side by side, with gaps, or as long as the sentence."""
    entities, start = [], 0
    while start < length:
        end = min(start + int(torch.randint(1, 5, (), generator=generator)), length)
        if torch.rand((), generator=generator) < 0.6:
            entities.append((start, end, int(torch.randint(3, (), generator=generator))))
        start = end
    return entities


def make_sentences(seed=17, found=None):
    """Sentences of random words, with random entities unless some are given, and the entities."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(1, 11, (len(LENGTHS), max(LENGTHS)), generator=generator)
    mask = torch.arange(ids.shape[1]) < torch.tensor(LENGTHS).unsqueeze(1)
    found = found or [random_entities(length, generator) for length in LENGTHS]
    entities = torch.zeros_like(ids)
    for row, of_sentence in zip(entities, found, strict=True):
        for start, end, type_ in of_sentence:
            row[start], row[start + 1 : end] = 1 + type_, -1
    return FeatureInputs({"uncased": {"tokens": ids * mask}}, mask, MAX_LENGTH, entities), found


def compute(features, inputs, spans=SPANS):
    return features(features.encode(inputs), spans)


def substitute(words, types, entities, start, end):
    """The words before a span, in it and after it, those of entities outside it replaced by their types."""
    before, after, word = [], [], 0
    while word < len(words):
        found = [entity for entity in entities if entity[0] == word and (entity[1] <= start or entity[0] >= end)]
        vector, following = (types[found[0][2]], found[0][1]) if found else (words[word], word + 1)
        if following <= start:
            before.append(vector)
        elif word >= end:
            after.append(vector)
        word = following
    stack = [torch.stack(part) if part else words[:0] for part in (before, after)]
    return stack[0], words[start:end], stack[1]


def plain(features, code, words, entities, start, end):
    before, inside, after = substitute(words, features.type_embedder.weight, entities, start, end)
    if code == "context_including":
        left, right = torch.cat([before, inside]), torch.cat([inside, after])
    elif code == "context_excluding":
        left, right = before, after
    else:
        return inside.sum(0)
    return torch.cat([recursion(left, features.alpha), recursion(right.flip(0), features.alpha)])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("alpha", [0.5, 0.9, 1.0])
@pytest.mark.parametrize("code", SIZES)
def test_equal_to_the_recursion_over_the_substituted_sentence(code, alpha, seed):
    features = make_features(codes=[code], alpha=alpha)
    inputs, found = make_sentences(seed)
    words = features.embedder.weight[inputs.tokens["uncased"]["tokens"]]
    expected = torch.stack(
        [
            plain(features, code, words[sentence, : LENGTHS[sentence]], found[sentence], start, end)
            for sentence, start, end in SPANS.tolist()
        ]
    )
    assert_close(compute(features, inputs), expected)
    assert features.get_output_dim() == expected.shape[1] == SIZES[code]


def test_the_example_of_the_thesis():
    words = ["Google", "has", "recruited", "Fei-Fei", "Li", ",", "director", "at", "Stanford", "University", "."]
    assert len(words) == LENGTHS[0]
    features = make_features(codes=["context_excluding"])
    inputs, _ = make_sentences(found=[[(0, 1, 2), (3, 5, 0), (8, 10, 1)], [], [], [], [], []])
    vectors, types = features.embedder.weight[inputs.tokens["uncased"]["tokens"][0]], features.type_embedder.weight
    left = [types[2], vectors[1], vectors[2]]
    right = [vectors[10], types[1], vectors[7], vectors[6], vectors[5]]
    expected = torch.cat([recursion(torch.stack(part), 0.5) for part in (left, right)])
    assert_close(compute(features, inputs, torch.tensor([[0, 3, 5]]))[0], expected)


def test_without_entities_it_is_the_features_of_words():
    features = make_features(codes=list(SIZES))
    words = FofeWords("uncased", features.embedder, codes=list(SIZES))
    inputs, _ = make_sentences(found=[[]] * len(LENGTHS))
    assert torch.equal(compute(features, inputs), compute(words, inputs))


def test_all_codes_are_those_of_each_in_the_order_given():
    inputs, _ = make_sentences()
    for codes in (list(SIZES), ["bag_of_words", "context_including"]):
        features = make_features(codes=codes)
        expected = torch.cat([compute(make_features(codes=[code]), inputs) for code in codes], 1)
        assert torch.equal(compute(features, inputs), expected)
    default = make_features()
    expected = make_features(codes=["context_excluding", "bag_of_words"])
    assert torch.equal(compute(default, inputs), compute(expected, inputs))
    assert default.get_output_dim() == 3 * SIZE


def test_no_spans():
    inputs, _ = make_sentences()
    assert compute(make_features(), inputs, SPANS[:0]).shape == (0, 3 * SIZE)


def test_padding_has_no_influence():
    features = make_features(codes=list(SIZES))
    inputs, _ = make_sentences()
    together = compute(features, inputs)
    for sentence, length in enumerate(LENGTHS):
        of_sentence = SPANS[:, 0] == sentence
        if length:
            row = slice(sentence, sentence + 1)
            ids, mask, entities = (
                x[row, :length] for x in (inputs.tokens["uncased"]["tokens"], inputs.mask, inputs.first_pass)
            )
            alone = FeatureInputs({"uncased": {"tokens": ids}}, mask, MAX_LENGTH, entities)
            spans = SPANS[of_sentence] * torch.tensor([0, 1, 1])
            assert_close(compute(features, alone, spans), together[of_sentence])
    inputs.tokens["uncased"]["tokens"].masked_fill_(~inputs.mask, 10)
    assert torch.equal(compute(features, inputs), together)


def test_a_long_sentence_is_exact_in_float32():
    features = make_features(codes=["context_including", "context_excluding"], alpha=0.9)
    generator = torch.Generator().manual_seed(5)
    ids = torch.randint(1, 11, (1, 2000), generator=generator)
    entities = torch.tensor([[1, -1, -1, 0, 2, 0, 0, 3]]).repeat(1, 250)
    inputs = FeatureInputs({"uncased": {"tokens": ids}}, torch.ones_like(ids, dtype=torch.bool), 2, entities)
    spans = every_span([2000], 2)
    expected = compute(features, inputs, spans)
    assert_close(compute(features.float(), inputs, spans).double(), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("code", SIZES)
def test_gradient(code):
    features = make_features(codes=[code])
    inputs, _ = make_sentences()
    ids = inputs.tokens["uncased"]["tokens"]

    def of_vectors(weight, types):
        features.embedder.forward = lambda tokens: torch.nn.functional.embedding(ids, weight)
        features.type_embedder.forward = lambda tokens: torch.nn.functional.embedding(tokens, types)
        return compute(features, inputs)

    vectors = (torch.randn(rows, SIZE, dtype=torch.float64, requires_grad=True) for rows in (11, 3))
    assert torch.autograd.gradcheck(of_vectors, tuple(vectors))


def test_errors():
    inputs, _ = make_sentences()
    with pytest.raises(ConfigurationError, match="found no entities of a first pass, .* fofe_ner_second_pass"):
        make_features().encode(inputs._replace(first_pass=None))
    with pytest.raises(ConfigurationError, match="found no types of entities in the vocabulary"):
        FofeSubstitutedWords(Vocabulary(), "uncased", Embedding(embedding_dim=SIZE, num_embeddings=11))
    with pytest.raises(ConfigurationError, match="FofeSubstitutedWords: found the token indexers .*'uncased'"):
        make_features().encode(inputs._replace(tokens={"cased": {}}))
    with pytest.raises(ConfigurationError, match=r"found alpha = 0, expected .* in \(0, 1\]"):
        make_features(alpha=0)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu():
    features, (inputs, _) = make_features(codes=list(SIZES)), make_sentences()
    on_cpu = compute(features, inputs)
    on_gpu = move_to_device(inputs, 0)
    assert_close(compute(features.cuda(), on_gpu, SPANS.cuda()).cpu(), on_cpu)
