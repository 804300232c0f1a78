import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules.token_embedders import Embedding
from helpers.plain_spans import every_span, recursion
from torch.testing import assert_close

from nerzoo.modules.span_features import FofeSubstitutedWords, FofeWords

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
    """Random words, and random entities unless some are given."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(1, 11, (len(LENGTHS), max(LENGTHS)), generator=generator)
    mask = torch.arange(ids.shape[1]) < torch.tensor(LENGTHS).unsqueeze(1)
    found = found or [random_entities(length, generator) for length in LENGTHS]
    entities = torch.zeros_like(ids)
    for row, of_sentence in zip(entities, found, strict=True):
        for start, end, type_ in of_sentence:
            row[start], row[start + 1 : end] = 1 + type_, -1
    return {"uncased": {"tokens": ids * mask}, "first_pass": {"entities": entities}}, mask, found


def compute(features, tokens, mask, spans=SPANS):
    return features(features.encode(tokens, mask, MAX_LENGTH), spans)


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
    tokens, mask, found = make_sentences(seed)
    words = features.embedder.weight[tokens["uncased"]["tokens"]]
    expected = torch.stack(
        [
            plain(features, code, words[sentence, : LENGTHS[sentence]], found[sentence], start, end)
            for sentence, start, end in SPANS.tolist()
        ]
    )
    assert_close(compute(features, tokens, mask), expected)
    assert features.get_output_dim() == expected.shape[1] == SIZES[code]


def test_the_example_of_the_thesis():
    words = ["Google", "has", "recruited", "Fei-Fei", "Li", ",", "director", "at", "Stanford", "University", "."]
    assert len(words) == LENGTHS[0]
    features = make_features(codes=["context_excluding"])
    tokens, mask, _ = make_sentences(found=[[(0, 1, 2), (3, 5, 0), (8, 10, 1)], [], [], [], [], []])
    vectors, types = features.embedder.weight[tokens["uncased"]["tokens"][0]], features.type_embedder.weight
    left = [types[2], vectors[1], vectors[2]]
    right = [vectors[10], types[1], vectors[7], vectors[6], vectors[5]]
    expected = torch.cat([recursion(torch.stack(part), 0.5) for part in (left, right)])
    assert_close(compute(features, tokens, mask, torch.tensor([[0, 3, 5]]))[0], expected)


def test_without_entities_it_is_the_features_of_words():
    features = make_features(codes=list(SIZES))
    words = FofeWords("uncased", features.embedder, codes=list(SIZES))
    tokens, mask, _ = make_sentences(found=[[]] * len(LENGTHS))
    assert torch.equal(compute(features, tokens, mask), compute(words, tokens, mask))


def test_all_codes_are_those_of_each_in_the_order_given():
    tokens, mask, _ = make_sentences()
    for codes in (list(SIZES), ["bag_of_words", "context_including"]):
        features = make_features(codes=codes)
        expected = torch.cat([compute(make_features(codes=[code]), tokens, mask) for code in codes], 1)
        assert torch.equal(compute(features, tokens, mask), expected)
    default = make_features()
    expected = make_features(codes=["context_excluding", "bag_of_words"])
    assert torch.equal(compute(default, tokens, mask), compute(expected, tokens, mask))
    assert default.get_output_dim() == 3 * SIZE


def test_no_spans():
    tokens, mask, _ = make_sentences()
    assert compute(make_features(), tokens, mask, SPANS[:0]).shape == (0, 3 * SIZE)


def test_padding_has_no_influence():
    features = make_features(codes=list(SIZES))
    tokens, mask, _ = make_sentences()
    together = compute(features, tokens, mask)
    for sentence, length in enumerate(LENGTHS):
        of_sentence = SPANS[:, 0] == sentence
        alone = {
            name: {key: ids[sentence : sentence + 1, :length] for key, ids in of.items()} for name, of in tokens.items()
        }
        if length:
            spans = SPANS[of_sentence] * torch.tensor([0, 1, 1])
            assert_close(compute(features, alone, mask[sentence : sentence + 1, :length], spans), together[of_sentence])
    tokens["uncased"]["tokens"] = tokens["uncased"]["tokens"].masked_fill(~mask, 10)
    assert torch.equal(compute(features, tokens, mask), together)


def test_a_long_sentence_is_exact_in_float32():
    features = make_features(codes=["context_including", "context_excluding"], alpha=0.9)
    generator = torch.Generator().manual_seed(5)
    ids = torch.randint(1, 11, (1, 2000), generator=generator)
    entities = torch.tensor([[1, -1, -1, 0, 2, 0, 0, 3]]).repeat(1, 250)
    tokens = {"uncased": {"tokens": ids}, "first_pass": {"entities": entities}}
    mask, spans = torch.ones_like(ids, dtype=torch.bool), every_span([2000], 2)
    expected = compute(features, tokens, mask, spans)
    assert_close(compute(features.float(), tokens, mask, spans).double(), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("code", SIZES)
def test_gradient(code):
    features = make_features(codes=[code])
    tokens, mask, _ = make_sentences()
    ids = tokens["uncased"]["tokens"]

    def of_vectors(weight, types):
        features.embedder.forward = lambda tokens: torch.nn.functional.embedding(ids, weight)
        features.type_embedder.forward = lambda tokens: torch.nn.functional.embedding(tokens, types)
        return compute(features, tokens, mask)

    vectors = (torch.randn(rows, SIZE, dtype=torch.float64, requires_grad=True) for rows in (11, 3))
    assert torch.autograd.gradcheck(of_vectors, tuple(vectors))


def test_errors():
    tokens, mask, _ = make_sentences()
    with pytest.raises(ConfigurationError, match="found no entities of a first pass, .* fofe_ner_second_pass"):
        make_features().encode({"uncased": tokens["uncased"]}, mask, MAX_LENGTH)
    with pytest.raises(ConfigurationError, match="found no types of entities in the vocabulary"):
        FofeSubstitutedWords(Vocabulary(), "uncased", Embedding(embedding_dim=SIZE, num_embeddings=11))
    with pytest.raises(ConfigurationError, match="FofeSubstitutedWords: found the token indexers .*'uncased'"):
        make_features().encode({"first_pass": tokens["first_pass"]}, mask, MAX_LENGTH)
    with pytest.raises(ConfigurationError, match=r"found alpha = 0, expected .* in \(0, 1\]"):
        make_features(alpha=0)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu():
    features, (tokens, mask, _) = make_features(codes=list(SIZES)), make_sentences()
    on_cpu = compute(features, tokens, mask)
    tokens = {name: {key: ids.cuda() for key, ids in of.items()} for name, of in tokens.items()}
    assert_close(compute(features.cuda(), tokens, mask.cuda(), SPANS.cuda()).cpu(), on_cpu)
