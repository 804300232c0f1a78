import pickle
from copy import deepcopy

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, Token, TokenIndexer, Vocabulary
from allennlp.data.fields import ListField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenCharactersIndexer
from allennlp.modules.token_embedders import Embedding
from allennlp.nn.util import get_text_field_mask

from nerzoo.data.fields import WordsField
from nerzoo.data.token_indexers import characters
from nerzoo.data.token_indexers.characters import CachedCharactersIndexer, HashedCharactersIndexer
from nerzoo.modules.span_features.characters import CharacterCnn, FofeCharacters
from nerzoo.modules.span_features.span_features import FeatureInputs
from nerzoo.text.word_forms import NUM_HASHES

SENTENCES = [["Mara", "met", "Mara", ",", "Éire", "東京"], ["a"], ["", "O'Neill"]]
UNSEEN = [["Mara", "žs", "met", "Mara"], ["Qu"]]
PARAMETERS = [
    {"min_padding_length": 3},
    {"min_padding_length": 9, "token_min_padding_length": 8},
    {"min_padding_length": 1, "start_tokens": ["<S>"], "end_tokens": ["</S>", "."]},
    {"min_padding_length": 1, "namespace": "letters", "character_tokenizer": {"lowercase_characters": True}},
    {"min_padding_length": 1, "character_tokenizer": {"byte_encoding": "utf-8", "start_tokens": [259]}},
]


def make_instances(indexer, sentences):
    return [Instance({"tokens": TextField([Token(word) for word in words], {"c": indexer})}) for words in sentences]


def tensor(indexer, sentences, vocab, padding_lengths=None):
    batch = Batch(make_instances(indexer, sentences))
    batch.index_instances(vocab)
    return batch.as_tensor_dict(padding_lengths)["tokens"]["c"]["token_characters"]


@pytest.fixture
def indexer() -> TokenIndexer:
    return TokenIndexer.from_params(Params({"type": "cached_characters", "min_padding_length": 3}))


@pytest.fixture
def vocab(indexer) -> Vocabulary:
    return Vocabulary.from_instances(make_instances(indexer, SENTENCES))


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_gives_what_the_characters_indexer_gives(parameters):
    cached = TokenIndexer.from_params(Params({"type": "cached_characters", **deepcopy(parameters)}))
    plain = TokenIndexer.from_params(Params({"type": "characters", **deepcopy(parameters)}))
    assert isinstance(plain, TokenCharactersIndexer) and not isinstance(plain, CachedCharactersIndexer)
    vocab = Vocabulary.from_instances(make_instances(cached, SENTENCES))
    assert vocab == Vocabulary.from_instances(make_instances(plain, SENTENCES))
    # The second time from the cache.
    for sentences in (SENTENCES, SENTENCES, UNSEEN, SENTENCES[1:2]):
        found, expected = tensor(cached, sentences, vocab), tensor(plain, sentences, vocab)
        assert found.dtype == expected.dtype and torch.equal(found, expected)


def test_cuts_words_and_sentences_as_the_characters_indexer_does(indexer, vocab):
    lengths = {"tokens": {"c___token_characters": 3, "c___num_token_characters": 2}}
    found = tensor(indexer, SENTENCES, vocab, lengths)
    assert found.shape == (3, 3, 2)
    assert torch.equal(found, tensor(TokenCharactersIndexer(min_padding_length=3), SENTENCES, vocab, lengths))


def test_empty_field_is_padding(indexer, vocab):
    field = ListField([TextField([Token("met")], {"c": indexer}), TextField([], {"c": indexer})])
    field.index(vocab)
    found = field.as_tensor(field.get_padding_lengths())["c"]["token_characters"]
    assert found.shape == (2, 1, 3)
    assert found[0].all() and not found[1].any()


def test_batches_share_no_memory(indexer, vocab):
    first = tensor(indexer, SENTENCES, vocab)
    expected = first.clone()
    first.zero_()
    assert torch.equal(tensor(indexer, SENTENCES, vocab), expected)


def test_another_vocabulary_starts_anew(indexer, vocab):
    other = Vocabulary.from_instances(make_instances(indexer, UNSEEN))
    assert not torch.equal(tensor(indexer, UNSEEN, vocab), tensor(indexer, UNSEEN, other))
    for either in (vocab, other, vocab):
        expected = tensor(TokenCharactersIndexer(min_padding_length=3), UNSEEN, either)
        assert torch.equal(tensor(indexer, UNSEEN, either), expected)


def test_a_grown_vocabulary_starts_anew(indexer, vocab):
    before = tensor(indexer, UNSEEN, vocab)
    vocab.extend_from_instances(make_instances(indexer, UNSEEN))
    after = tensor(indexer, UNSEEN, vocab)
    assert not torch.equal(before, after)
    assert torch.equal(after, tensor(TokenCharactersIndexer(min_padding_length=3), UNSEEN, vocab))


def test_the_cache_is_bounded(indexer, vocab, monkeypatch):
    monkeypatch.setattr(characters, "MAX_WORDS", 2)
    found = tensor(indexer, SENTENCES, vocab)
    assert torch.equal(found, tensor(TokenCharactersIndexer(min_padding_length=3), SENTENCES, vocab))
    assert len(indexer._indexed) <= 2


def test_can_be_pickled_with_what_it_has_indexed(indexer, vocab):
    expected = tensor(indexer, SENTENCES, vocab)
    assert torch.equal(tensor(pickle.loads(pickle.dumps(indexer)), SENTENCES, vocab), expected)


def test_a_token_without_text_is_an_error(indexer, vocab):
    with pytest.raises(ConfigurationError, match="retains text"):
        indexer.tokens_to_indices([Token("met"), Token(text_id=3)], vocab)


@pytest.fixture
def hashed_indexer():
    return TokenIndexer.from_params(Params({"type": "hashed_characters"}))


def tensors(hashed_indexer, *sentences):
    fields = [TextField([Token(word) for word in words], {"characters": hashed_indexer}) for words in sentences]
    batch = Batch([Instance({"tokens": field}) for field in fields])
    vocab = Vocabulary.from_instances(batch.instances)
    assert vocab == Vocabulary()
    batch.index_instances(vocab)
    return batch.as_tensor_dict()["tokens"]


def test_hashes_of_words(hashed_indexer):
    # The UTF-8 encodings of ñ, á, € and 😀 are C3 B1, C3 A1, E2 82 AC and F0 9F 98 80.
    words = ["Az", "ñ!1", "á", "€", "😀", "\ud83d"]
    encoded = [[0x41, 0x7A], [0xC3B1, 0x21, 0x31], [0xC3A1], [0xE282AC], [0xF09F9880], [0xEDA0BD]]
    hashes = [[code % 128 for code in word] for word in encoded]
    assert hashes[4] == [0]
    found = hashed_indexer.tokens_to_indices([Token(word) for word in words], Vocabulary())["token_characters"]
    assert found == [[1 + hash for hash in word] for word in hashes]


def test_no_character_is_padding(hashed_indexer):
    word = "".join(map(chr, [*range(0x800), 0x4E00, 0x1F600]))
    (indices,) = hashed_indexer.tokens_to_indices([Token(word)], Vocabulary())["token_characters"]
    assert set(indices) == set(range(1, NUM_HASHES + 1))


def test_tensors_of_a_batch(hashed_indexer):
    tokens = tensors(hashed_indexer, ["año"], ["el", "😀"])
    assert tokens["characters"]["token_characters"].tolist() == [
        [[98, 50, 112], [0, 0, 0]],
        [[102, 109, 0], [1, 0, 0]],
    ]
    assert get_text_field_mask(tokens, num_wrapping_dims=0).tolist() == [[True, False], [True, True]]


@pytest.mark.parametrize("features", [FofeCharacters, CharacterCnn])
def test_features_of_spans_read_them(hashed_indexer, features):
    torch.manual_seed(0)
    part = features("characters", Embedding(3, num_embeddings=NUM_HASHES + 1))
    tokens = tensors(hashed_indexer, ["a😀"], ["El", "ñandú", "x"])
    mask = get_text_field_mask(tokens)
    encoded = part.encode(FeatureInputs(tokens, mask, 7))
    found = part(encoded, torch.tensor([[0, 0, 1], [1, 0, 2], [1, 1, 3]]))
    assert found.shape == (3, part.get_output_dim()) and found.isfinite().all()
    # That of a sentence alone: padding, and a character of hash 0, do not change it.
    alone = tensors(hashed_indexer, ["El", "ñandú", "x"])
    expected = part(
        part.encode(FeatureInputs(alone, get_text_field_mask(alone), 7)), torch.tensor([[0, 0, 2], [0, 1, 3]])
    )
    torch.testing.assert_close(found[1:], expected)


def test_empty_text_field(hashed_indexer):
    field = TextField([], {"characters": hashed_indexer})
    field.index(Vocabulary())
    assert field.as_tensor(field.get_padding_lengths())["characters"]["token_characters"].numel() == 0


def test_indexers_are_equal(hashed_indexer):
    assert hashed_indexer == HashedCharactersIndexer()


WORD_SENTENCES = [["Mara", "met", "mara", "in", "1994"], ["Mara"], ["met", "in", "1986", "東京"]]
UNSEEN_WORDS = [["Mara", "Quill", "met", "京東"], ["東", "京"]]


def make_indexer(**parameters) -> TokenIndexer:
    return TokenIndexer.from_params(Params({"type": "word_characters", **parameters}))


def make_word_instances(sentences, field=WordsField, **indexers):
    return [Instance({"tokens": field([Token(word) for word in words], dict(indexers))}) for words in sentences]


def make_tensors(sentences, word_vocab, field=WordsField, **indexers):
    batch = Batch(make_word_instances(sentences, field, **indexers))
    batch.index_instances(word_vocab)
    return batch.as_tensor_dict()["tokens"]


@pytest.fixture
def word_vocab() -> Vocabulary:
    # Words that occur twice are known: Mara, met, in.
    return Vocabulary.from_instances(make_word_instances(WORD_SENTENCES, words=make_indexer()), min_count={"tokens": 2})


@pytest.mark.parametrize("sentences", [WORD_SENTENCES, UNSEEN_WORDS, WORD_SENTENCES[1:2]])
def test_gives_what_allennlps_indexers_give(word_vocab, sentences):
    indexers = {"tokens": SingleIdTokenIndexer(), "characters": TokenCharactersIndexer(min_padding_length=1)}
    expected = make_tensors(sentences, word_vocab, **indexers)
    found = make_tensors(sentences, word_vocab, TextField, words=make_indexer())["words"]
    assert found.keys() == {"words", "known", "characters"}
    assert torch.equal(found["words"], expected["tokens"]["tokens"])
    assert torch.equal(found["characters"], expected["characters"]["token_characters"])


def test_counts_what_allennlps_indexers_count():
    indexers = {"tokens": SingleIdTokenIndexer(), "characters": TokenCharactersIndexer(min_padding_length=1)}
    word_vocab = Vocabulary.from_instances(make_word_instances(WORD_SENTENCES, words=make_indexer()))
    assert word_vocab == Vocabulary.from_instances(make_word_instances(WORD_SENTENCES, **indexers))


def test_rare_and_unseen_words_are_unknown(word_vocab):
    known = make_tensors([WORD_SENTENCES[0], UNSEEN_WORDS[0]], word_vocab, words=make_indexer())["words"]["known"]
    assert known.dtype == torch.bool
    assert known.tolist() == [[True, True, False, True, False], [True, False, True, False, False]]


@pytest.mark.parametrize("sentences", [WORD_SENTENCES, UNSEEN_WORDS, [["Mara"]]])
def test_a_batch_has_each_distinct_word_once(word_vocab, sentences):
    token_tensors = make_tensors(sentences, word_vocab, TextField, words=make_indexer())["words"]
    word_tensors = make_tensors(sentences, word_vocab, words=make_indexer())["words"]
    for name in ("words", "known"):
        assert torch.equal(word_tensors[name], token_tensors[name])
    assert torch.equal(word_tensors["characters"][word_tensors["rows"]], token_tensors["characters"])
    # A row is of one word.
    pairs = torch.stack([word_tensors["rows"], word_tensors["words"]]).flatten(1).unique(dim=1)
    assert pairs.shape[1] == len(word_tensors["characters"])
    assert len(word_tensors["characters"]) <= len({word for words in sentences for word in words}) + 1


def test_words_with_the_same_unknown_characters_stay_apart():
    word_vocab = Vocabulary(tokens_to_add={"tokens": ["東", "京"], "token_characters": ["a"]})
    tensors = make_tensors([["東", "京", "東"]], word_vocab, words=make_indexer())["words"]
    assert tensors["characters"].tolist() == [[1], [1]]
    first, second, third = tensors["rows"][0].tolist()
    assert first == third != second


@pytest.mark.parametrize("field", [TextField, WordsField])
def test_mask_is_that_of_the_words(word_vocab, field):
    mask = get_text_field_mask(make_tensors(WORD_SENTENCES, word_vocab, field, words=make_indexer()))
    assert mask.tolist() == [[True] * 5, [True] + [False] * 4, [True] * 4 + [False]]


def test_lower_case_is_for_words_alone():
    indexer = make_indexer(lowercase_words=True)
    word_vocab = Vocabulary.from_instances(make_word_instances(WORD_SENTENCES, words=indexer))
    assert word_vocab.get_token_index("mara") != word_vocab.get_token_index("Mara") == 1
    assert word_vocab.get_token_index("M", "token_characters") != 1
    words = make_tensors(WORD_SENTENCES, word_vocab, words=indexer)["words"]["words"]
    assert words[0, 0] == words[0, 2] == words[1, 0]


def test_digits_are_zeros_in_words_and_characters():
    indexer = make_indexer(zero_digits=True)
    word_vocab = Vocabulary.from_instances(make_word_instances(WORD_SENTENCES, words=indexer))
    tensors = make_tensors(WORD_SENTENCES, word_vocab, words=indexer)["words"]
    assert word_vocab.get_token_from_index(tensors["words"][0, 4].item()) == "0000"
    assert tensors["rows"][0, 4] == tensors["rows"][2, 2]
    zero = word_vocab.get_token_index("0", "token_characters")
    assert tensors["characters"][tensors["rows"][0, 4]].tolist() == [zero] * 4


def test_namespaces_and_padding():
    indexer = make_indexer(
        namespace="forms", character_namespace="letters", min_padding_length=9, token_min_padding_length=7
    )
    word_vocab = Vocabulary.from_instances(make_word_instances(WORD_SENTENCES, words=indexer))
    assert word_vocab.get_token_index("Mara", "forms") > 1 and word_vocab.get_token_index("M", "letters") > 1
    tensors = make_tensors(WORD_SENTENCES, word_vocab, words=indexer)["words"]
    assert tensors["words"].shape == tensors["known"].shape == tensors["rows"].shape == (3, 7)
    assert tensors["characters"].shape[1] == 9


@pytest.mark.parametrize("field", [TextField, WordsField])
def test_a_word_indexer_adds_its_tensors(word_vocab, field):
    other = {"type": "single_id", "namespace": "others", "lowercase_tokens": True}
    alone = {"words": make_indexer(), "others": TokenIndexer.from_params(Params({**other}))}
    together = {"words": make_indexer(word_indexer=other)}
    vocabularies = [
        Vocabulary.from_instances(make_word_instances(WORD_SENTENCES, **indexers)) for indexers in (alone, together)
    ]
    counts = [vocabulary.get_token_to_index_vocabulary("others") for vocabulary in vocabularies]
    assert counts[0] == counts[1] and "mara" in counts[0]
    expected = make_tensors(WORD_SENTENCES, vocabularies[0], field, **alone)
    found = make_tensors(WORD_SENTENCES, vocabularies[0], field, **together)["words"]
    assert found.keys() == expected["words"].keys() | expected["others"].keys()
    for name, tensor in {**expected["words"], **expected["others"]}.items():
        assert torch.equal(found[name], tensor), name
    texts = ListField([TextField([Token("met")], together), TextField([], together)])
    texts.index(word_vocab)
    assert texts.as_tensor(texts.get_padding_lengths())["words"]["tokens"].shape == (2, 1)


def test_empty_field_of_words_is_padding(word_vocab):
    indexers = {"words": make_indexer()}
    field = ListField([TextField([Token("met")], indexers), TextField([], indexers)])
    field.index(word_vocab)
    found = field.as_tensor(field.get_padding_lengths())["words"]
    assert found["words"][0].all() and not found["words"][1].any()
    assert not found["known"][1].any() and not found["characters"][1].any()


@pytest.mark.parametrize("length", [0, 501, 1000])
def test_empty_and_endless_words_are_errors(word_vocab, length):
    message = f"found a word of {length} characters, '{'x' * min(length, 20)}', expected 1 to 500, .*max_word_length"
    with pytest.raises(ConfigurationError, match=message):
        Vocabulary.from_instances(make_word_instances([["Mara", "x" * length]], words=make_indexer()))
    with pytest.raises(ConfigurationError, match=message):
        make_tensors([["Mara", "x" * length]], word_vocab, words=make_indexer())


def test_the_longest_word_can_be_longer():
    sentences = [["x" * 1000]]
    indexer = make_indexer(max_word_length=1000)
    word_vocab = Vocabulary.from_instances(make_word_instances(sentences, words=indexer))
    assert make_tensors(sentences, word_vocab, words=indexer)["words"]["characters"].shape == (1, 1000)


def test_can_be_pickled(word_vocab):
    indexer = make_indexer(zero_digits=True)
    expected = make_tensors(WORD_SENTENCES, word_vocab, words=indexer)["words"]
    found = make_tensors(WORD_SENTENCES, word_vocab, words=pickle.loads(pickle.dumps(indexer)))["words"]
    assert all(torch.equal(found[name], tensor) for name, tensor in expected.items())
