import copy
import re

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, Token, Vocabulary
from allennlp.data.fields import TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenCharactersIndexer
from allennlp.modules import TokenEmbedder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from torch.testing import assert_close

from nerzoo.data.fields import WordsField
from nerzoo.data.token_indexers.characters import WordCharactersIndexer
from nerzoo.modules.token_embedders.char_gated import CharGatedEmbedder

SIZE, CHARACTER_SIZE, HIDDEN = 7, 3, 5
# Known are the words that occur twice in the first three sentences.
SENTENCES = [["Mara", "met", "Quill", "met", "Mara"], ["Lindow"], ["met", "Lindow", "to"], ["Žofie", "met"]]
COMBINATIONS = ["attention", "concat", "word"]


def make_instances(sentences, field=WordsField, indexer=None):
    indexers = {"words": indexer or WordCharactersIndexer()}
    return [Instance({"tokens": field([Token(word) for word in words], indexers)}) for words in sentences]


def make_tensors(sentences, vocab, field=WordsField, indexer=None):
    batch = Batch(make_instances(sentences, field, indexer))
    batch.index_instances(vocab)
    return batch.as_tensor_dict()["tokens"]["words"]


@pytest.fixture
def vocab() -> Vocabulary:
    return Vocabulary.from_instances(make_instances(SENTENCES[:3]), min_count={"tokens": 2})


def make_embedder(vocab, encoder="bilstm", **parameters) -> CharGatedEmbedder:
    torch.manual_seed(1)
    network = {"type": encoder, "input_size": CHARACTER_SIZE, "hidden_size": HIDDEN}
    characters = {"embedding_dim": CHARACTER_SIZE, "vocab_namespace": "token_characters"}
    params = {
        "type": "char_gated",
        "word_embedding": {"embedding_dim": SIZE},
        "character_encoder": {"type": "character_encoding", "embedding": characters, "encoder": network},
        **parameters,
    }
    return TokenEmbedder.from_params(Params(params), vocab=vocab).double()


def plain(embedder, word_id, characters):
    """x, m and z of one word, as the paper has them."""
    x = embedder.word_embedding.weight[word_id]
    m = z = None
    if embedder.combination != "word":
        h = embedder.character_encoder(characters[characters > 0].view(1, 1, -1))[0, 0]
        m = torch.tanh(embedder.character_projection.weight @ h + embedder.character_projection.bias)
    if embedder.combination == "attention":
        w_word, w_characters = embedder.gate_hidden.weight.split(SIZE, 1)
        hidden = torch.tanh(w_word @ x + w_characters @ m + embedder.gate_hidden.bias)
        z = torch.sigmoid(embedder.gate_output.weight @ hidden + embedder.gate_output.bias)
    return x, m, z


def plain_outputs(embedder, tensors):
    """Of the tensors of a `TextField`."""
    outputs = []
    for word_ids, words in zip(tensors["words"], tensors["characters"], strict=True):
        row = []
        for word_id, characters in zip(word_ids, words, strict=True):
            if word_id == 0:
                row.append(torch.zeros(embedder.get_output_dim(), dtype=torch.float64))
                continue
            x, m, z = plain(embedder, word_id, characters)
            if embedder.combination == "attention":
                row.append(z * x + (1 - z) * m)
            else:
                row.append(x if m is None else torch.cat([x, m]))
        outputs.append(torch.stack(row))
    return torch.stack(outputs)


@pytest.mark.parametrize("field", [WordsField, TextField])
@pytest.mark.parametrize("combination", COMBINATIONS)
@pytest.mark.parametrize("sentences", [SENTENCES, SENTENCES[1:2]])
def test_equals_the_formulas(vocab, combination, field, sentences):
    embedder = make_embedder(vocab, combination=combination)
    outputs = embedder(**make_tensors(sentences, vocab, field))
    expected = plain_outputs(embedder, make_tensors(sentences, vocab, TextField))
    assert outputs.shape == (len(sentences), max(map(len, sentences)), embedder.get_output_dim())
    assert_close(outputs, expected)


@pytest.mark.parametrize("field", [WordsField, TextField])
def test_gate_equals_the_formula(vocab, field):
    embedder = make_embedder(vocab)
    tensors = make_tensors(SENTENCES, vocab, TextField)
    gate = embedder.gate(**make_tensors(SENTENCES, vocab, field))
    for word_id, characters, z in zip(
        tensors["words"].flatten(), tensors["characters"].flatten(0, 1), gate.flatten(0, 1), strict=True
    ):
        assert_close(z, plain(embedder, word_id, characters)[2] if word_id else torch.zeros(SIZE, dtype=z.dtype))


@pytest.mark.parametrize("field", [WordsField, TextField])
@pytest.mark.parametrize("combination", COMBINATIONS)
def test_a_word_indexer_feeds_the_word_embedding(vocab, combination, field):
    embedder = make_embedder(vocab, combination=combination)
    by_vocabulary = make_tensors(SENTENCES, vocab, field)
    by_indexer = make_tensors(SENTENCES, vocab, field, WordCharactersIndexer(word_indexer=SingleIdTokenIndexer()))
    assert by_indexer.keys() - by_vocabulary.keys() == {"tokens"}
    outputs, losses = zip(
        *[(embedder(**tensors), embedder.auxiliary_loss()) for tensors in (by_vocabulary, by_indexer)], strict=True
    )
    assert_close(*outputs)
    if combination == "attention":
        assert_close(*losses)
        assert_close(*[embedder.gate(**tensors) for tensors in (by_vocabulary, by_indexer)])


@pytest.mark.parametrize("scalar_gate", [True, False])
@pytest.mark.parametrize("reads_characters", [True, False])
def test_gates_that_the_paper_contrasts_its_own_with(vocab, scalar_gate, reads_characters):
    embedder = make_embedder(vocab, scalar_gate=scalar_gate, gate_reads_characters=reads_characters)
    tensors = make_tensors(SENTENCES, vocab)
    gate = embedder.gate(**tensors)
    assert gate.shape == (*tensors["words"].shape, SIZE)
    is_word = tensors["words"] > 0
    assert (gate[is_word].std(1) < 1e-12).all() == scalar_gate
    embedder.character_projection.bias.data += 1
    assert torch.equal(embedder.gate(**tensors), gate) != reads_characters
    x, m = (
        embedder.word_embedding(tensors["words"]),
        embedder._encode_characters(tensors["characters"])[tensors["rows"]],
    )
    assert_close(embedder(**tensors)[is_word], m.lerp(x, embedder.gate(**tensors))[is_word])


@pytest.mark.parametrize("encoder", ["bilstm", "lstm", "gru"])
@pytest.mark.parametrize("combination", COMBINATIONS)
def test_gradients_are_those_of_every_token_by_itself(vocab, combination, encoder):
    gradients = []
    for field in (WordsField, TextField):
        embedder = make_embedder(vocab, encoder, combination=combination)
        outputs = embedder(**make_tensors(SENTENCES, vocab, field))
        weights = torch.arange(outputs.numel(), dtype=torch.float64).view_as(outputs).sin()
        loss = (weights * outputs).sum()
        if combination == "attention":
            loss = loss + embedder.auxiliary_loss()
        loss.backward()
        gradients.append({name: parameter.grad for name, parameter in embedder.named_parameters()})
    assert all(gradient is not None for gradient in gradients[0].values())
    for name, gradient in gradients[0].items():
        assert_close(gradient, gradients[1][name])


def plain_auxiliary_loss(embedder, tensors):
    total = torch.zeros((), dtype=torch.float64)
    rows = tensors["words"].flatten(), tensors["known"].flatten(), tensors["characters"].flatten(0, 1)
    for word_id, is_known, characters in zip(*rows, strict=True):
        if is_known:
            x, m, _ = plain(embedder, word_id, characters)
            x = x.detach()
            total = total + 1 - (m @ x) / (m.norm() * x.norm())
    return total


@pytest.mark.parametrize("field", [WordsField, TextField])
@pytest.mark.parametrize("weight", [1.0, 0.3])
def test_auxiliary_loss_equals_the_formula(vocab, field, weight):
    embedder = make_embedder(vocab, auxiliary_weight=weight)
    embedder(**make_tensors(SENTENCES, vocab, field))
    expected = weight * plain_auxiliary_loss(embedder, make_tensors(SENTENCES, vocab, TextField))
    assert_close(embedder.auxiliary_loss(), expected)


def test_auxiliary_loss_has_no_gradient_to_words_and_one_to_characters(vocab):
    embedder = make_embedder(vocab)
    embedder(**make_tensors(SENTENCES, vocab))
    embedder.auxiliary_loss().backward()
    for name, parameter in embedder.named_parameters():
        is_of_characters = name.startswith("character_")
        assert (parameter.grad is not None) == is_of_characters, name
        assert not is_of_characters or parameter.grad.any(), name


def test_no_part_of_the_auxiliary_loss_is_of_unknown_words_or_padding(vocab):
    embedder = make_embedder(vocab)
    embedder(**make_tensors([["Quill", "to"], ["Žofie"]], vocab))
    loss = embedder.auxiliary_loss()
    loss.backward()
    assert loss == 0
    assert not any(parameter.grad is not None and parameter.grad.any() for parameter in embedder.parameters())
    with_padding = []
    for sentences in ([["Mara", "met"]], [["Mara", "met"], ["Quill"] * 7]):
        embedder(**make_tensors(sentences, vocab))
        with_padding.append(embedder.auxiliary_loss())
    assert_close(*with_padding)


def test_auxiliary_loss_is_of_training_and_of_attention_alone(vocab):
    tensors = make_tensors(SENTENCES, vocab)
    for embedder, has_loss in (
        (make_embedder(vocab), True),
        (make_embedder(vocab).eval(), False),
        (make_embedder(vocab, auxiliary_weight=0.0), False),
        (make_embedder(vocab, combination="concat"), False),
        (make_embedder(vocab, combination="word"), False),
    ):
        embedder(**tensors)
        assert (embedder.auxiliary_loss() is not None) == has_loss
        assert embedder.auxiliary_loss() is None
    embedder = make_embedder(vocab)
    embedder(**tensors)
    embedder.eval()(**tensors)
    assert embedder.auxiliary_loss() is None
    copy.deepcopy(embedder)


def test_each_distinct_word_is_encoded_once(vocab):
    embedder = make_embedder(vocab)
    rows = []
    embedder.character_encoder.register_forward_pre_hook(lambda _, inputs: rows.append(inputs[0].shape[1]))
    for field in (WordsField, TextField):
        embedder(**make_tensors(SENTENCES, vocab, field))
    # Six words and padding; four sentences of five.
    assert rows == [7, 20]


def test_padding_has_no_influence(vocab):
    embedder = make_embedder(vocab)
    together = embedder(**make_tensors(SENTENCES + [["x" * 50] * 9], vocab))
    for sentence, row in zip(SENTENCES, together, strict=False):
        assert_close(embedder(**make_tensors([sentence], vocab))[0], row[: len(sentence)])
        assert not row[len(sentence) :].any()


def test_sizes_and_parameters(vocab):
    sizes, counts = zip(
        *[
            (embedder.get_output_dim(), sum(parameter.numel() for parameter in embedder.parameters()))
            for embedder in (
                make_embedder(vocab, combination="word"),
                make_embedder(vocab, combination="concat", character_size=4),
                make_embedder(vocab, combination="concat"),
                make_embedder(vocab),
            )
        ],
        strict=True,
    )
    assert sizes == (SIZE, SIZE + 4, 2 * SIZE, SIZE)
    # "word" has its embedding alone; the gate has two layers more.
    assert counts[0] == SIZE * vocab.get_vocab_size("tokens")
    assert counts[3] - counts[2] == SIZE * 2 * SIZE + SIZE + SIZE * SIZE + SIZE


def test_singletons_are_taken_for_unknown_in_training():
    vocab = Vocabulary.from_instances(make_instances(SENTENCES[:3]))
    singletons = {vocab.get_token_index(word) for word in ("Quill", "to")}
    embedder = make_embedder(vocab, combination="attention", singleton_dropout=1.0)
    assert set(embedder.is_singleton.nonzero().flatten().tolist()) == singletons
    tensors = make_tensors(SENTENCES, vocab)
    as_unknown = tensors | {
        "words": torch.where(embedder.is_singleton[tensors["words"]], 1, tensors["words"]),
        "known": tensors["known"] & ~embedder.is_singleton[tensors["words"]],
    }
    assert not torch.equal(as_unknown["words"], tensors["words"])
    assert_close(embedder(**tensors), embedder(**as_unknown))
    embedder(**tensors)
    first = embedder.auxiliary_loss()
    embedder(**as_unknown)
    assert_close(first, embedder.auxiliary_loss())
    embedder.eval()
    assert not torch.equal(embedder(**tensors), embedder(**as_unknown))


def test_singletons_are_dropped_as_often_as_asked_for():
    words = [f"w{number}" for number in range(2000)]
    vocab = Vocabulary.from_instances(make_instances([words]))
    embedder = make_embedder(vocab, combination="word", singleton_dropout=0.3)
    torch.manual_seed(3)
    outputs = embedder(**make_tensors([words], vocab))[0]
    dropped = (outputs == embedder.word_embedding.weight[1]).all(-1).double().mean()
    assert 0.25 < dropped < 0.35


def test_singletons_are_saved_with_the_model(tmp_path):
    counted = Vocabulary.from_instances(make_instances(SENTENCES[:3]))
    counted.save_to_files(tmp_path)
    read = Vocabulary.from_files(tmp_path)
    embedder, loaded = (make_embedder(vocab, singleton_dropout=0.5) for vocab in (counted, read))
    assert embedder.is_singleton.any() and not loaded.is_singleton.any()
    loaded.load_state_dict(embedder.state_dict())
    assert torch.equal(loaded.is_singleton, embedder.is_singleton)
    read.extend_from_instances(make_instances(SENTENCES))
    loaded.extend_vocab(read)
    assert len(loaded.is_singleton) == read.get_vocab_size("tokens") > len(embedder.is_singleton)
    assert loaded.is_singleton.sum() == embedder.is_singleton.sum()


def test_dropout_is_for_training_alone(vocab):
    embedder = make_embedder(vocab, dropout=0.5)
    tensors = make_tensors(SENTENCES, vocab)
    zeros = (embedder(**tensors)[tensors["words"] > 0] == 0).double().mean()
    assert 0.3 < zeros < 0.7
    assert_close(embedder.eval()(**tensors), make_embedder(vocab).eval()(**tensors))


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"combination": "sum"}, "found the combination 'sum', expected 'attention', 'concat' or 'word'"),
        ({"character_encoder": None}, "combination is attention, but there is no character_encoder"),
        ({"character_size": 5}, "character_size with attention must match size of word_embedding, but got 5 and 7"),
    ],
)
def test_wrong_parameters_are_errors(vocab, parameters, message):
    with pytest.raises(ConfigurationError, match=re.escape(message)):
        make_embedder(vocab, **parameters)


@pytest.mark.parametrize("probability", [1.5, -0.1])
def test_singleton_dropout_is_a_probability(probability, vocab):
    with pytest.raises(ConfigurationError, match=f"found the singleton_dropout {probability}, expected a"):
        make_embedder(vocab, singleton_dropout=probability)


def test_singleton_dropout_needs_a_vocabulary(vocab):
    embedding = make_embedder(vocab).word_embedding
    with pytest.raises(ConfigurationError, match="found singleton_dropout, but no vocabulary"):
        CharGatedEmbedder(embedding, combination="word", singleton_dropout=0.5)


@pytest.mark.parametrize("type", ["embedding", "fixed_embedding"])
def test_singleton_dropout_needs_a_namespace(vocab, type):
    embedding = {"type": type, "embedding_dim": SIZE}
    if type == "embedding":
        embedding["num_embeddings"] = vocab.get_vocab_size("tokens")
    with pytest.raises(ConfigurationError, match="found singleton_dropout with a word_embedding of another type"):
        make_embedder(vocab, word_embedding=embedding, singleton_dropout=0.5)


def test_fixed_vectors_of_words(vocab, tmp_path):
    file = tmp_path / "vectors.txt"
    file.write_text("met" + " 0.5" * SIZE + "\n")
    fixed = {"type": "fixed_embedding", "embedding_dim": SIZE, "pretrained_file": str(file)}
    tensors = make_tensors(SENTENCES, vocab)
    embedder = make_embedder(vocab, combination="word", word_embedding={**fixed}).eval()
    outputs = embedder(**tensors)
    met = tensors["words"] == vocab.get_token_index("met")
    assert met.any() and (outputs[met] == 0.5).all()
    assert_close(outputs, embedder.word_embedding(tensors["words"]))
    gated = make_embedder(vocab, word_embedding={**fixed}).train()
    gated(**tensors).sum().backward()
    assert gated.auxiliary_loss() > 0
    assert gated.word_embedding.trained.grad.any()


def test_words_without_characters_have_no_gate(vocab):
    with pytest.raises(ConfigurationError, match="found the combination word, expected one that reads characters"):
        make_embedder(vocab, combination="word").gate(**make_tensors(SENTENCES, vocab))


@pytest.mark.parametrize(
    "indexer",
    [SingleIdTokenIndexer(), TokenCharactersIndexer(min_padding_length=1)],
    ids=lambda indexer: type(indexer).__name__,
)
def test_another_indexer_is_an_error(vocab, indexer):
    batch = Batch(make_instances(SENTENCES, indexer=indexer))
    batch.index_instances(vocab)
    embedder = BasicTextFieldEmbedder({"words": make_embedder(vocab)})
    with pytest.raises(ConfigurationError, match="token indexer word_characters .* token_indexers"):
        embedder(batch.as_tensor_dict()["tokens"])


def test_computes_in_low_precision(vocab):
    embedder = make_embedder(vocab).float()
    tensors = make_tensors(SENTENCES, vocab)
    expected = embedder(**tensors)
    expected_loss = embedder.auxiliary_loss()
    with torch.autocast("cpu", torch.bfloat16):
        found = embedder(**tensors)
    assert_close(found.float(), expected, atol=0.05, rtol=0.05)
    assert_close(embedder.auxiliary_loss(), expected_loss, atol=0.05, rtol=0.05)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(vocab):
    embedder = make_embedder(vocab)
    tensors = make_tensors(SENTENCES, vocab)
    on_cpu, loss = embedder(**tensors), embedder.auxiliary_loss()
    embedder.to("cuda")
    on_gpu = embedder(**{name: tensor.to("cuda") for name, tensor in tensors.items()})
    assert_close(on_gpu.cpu(), on_cpu)
    assert_close(embedder.auxiliary_loss().cpu(), loss)
