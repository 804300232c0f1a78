import subprocess
import sys

import numpy
import pytest
import torch
import transformers
from allennlp.common import cached_transformers
from allennlp.data import Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenCharactersIndexer
from allennlp.data.tokenizers import PretrainedTransformerTokenizer
from allennlp.models import archival
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding
from allennlp.nn import util
from allennlp.training import GradientDescentTrainer, gradient_descent_trainer
from allennlp.training.learning_rate_schedulers import CosineWithRestarts
from allennlp.training.moving_average import ExponentialMovingAverage
from helpers.paths import ROOT
from helpers.tiny_pretrained import write_transformer
from packaging.version import Version

from nerzoo import compatibility


def test_state_with_numpy_scalars_is_loaded_with_the_defaults_of_torch(tmp_path):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
    scheduler = CosineWithRestarts(optimizer, t_initial=10)
    scheduler.step()
    assert isinstance(optimizer.param_groups[0]["lr"], numpy.floating)
    state = {"optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict()}
    torch.save(state, tmp_path / "state.th")
    assert torch.load(tmp_path / "state.th") == state


def test_a_transformer_tokenizer_is_built_and_encodes(tmp_path):
    write_transformer(tmp_path)
    tokenizer = PretrainedTransformerTokenizer(str(tmp_path))
    assert [token.text for token in tokenizer.tokenize("ab")] == ["[CLS]", "a", "##b", "[SEP]"]


@pytest.mark.skipif(Version(transformers.__version__) < Version("4.44"), reason="the shim is for later transformers")
def test_the_tokenizer_shim_leaves_out_add_special_tokens(tmp_path):
    write_transformer(tmp_path)
    tokenizers = [cached_transformers.get_tokenizer(str(tmp_path), add_special_tokens=add) for add in (True, False)]
    assert tokenizers[0] is tokenizers[1]


@pytest.mark.skipif(Version(transformers.__version__) >= Version("4.44"), reason="later transformers need the shim")
def test_there_is_no_tokenizer_shim_where_none_is_needed():
    assert cached_transformers.get_tokenizer.__module__ == "allennlp.common.cached_transformers"


def test_special_tokens_of_a_vocabulary():
    vocab = Vocabulary(counter={"tokens": {"a": 2}}, padding_token="<pad>", oov_token="<unk>")
    assert compatibility.padding_token(vocab) == "<pad>"
    assert compatibility.unknown_token(vocab) == "<unk>"
    assert compatibility.unknown_index(vocab, "tokens") == vocab.get_token_index("no such word", "tokens") == 1


def test_counts_of_tokens(tmp_path):
    vocab = Vocabulary(counter={"tokens": {"a": 2, "b": 1}}, min_count={"tokens": 2})
    assert compatibility.token_counts(vocab, "tokens") == {"a": 2, "b": 1}
    assert compatibility.token_counts(vocab, "labels") == {}
    vocab.save_to_files(str(tmp_path))
    assert compatibility.token_counts(Vocabulary.from_files(str(tmp_path)), "tokens") == {}


def test_feature_of_an_indexer():
    assert compatibility.feature_name(SingleIdTokenIndexer(feature_name="tag_")) == "tag_"
    assert compatibility.feature_name(SingleIdTokenIndexer()) == "text"
    assert compatibility.feature_name(TokenCharactersIndexer(min_padding_length=1)) is None


def test_namespace_of_an_embedding():
    vocab = Vocabulary(counter={"words": {"a": 2}})
    assert compatibility.embedding_namespace(Embedding(3, vocab_namespace="words", vocab=vocab)) == "words"
    assert compatibility.embedding_namespace(Embedding(3, num_embeddings=5, vocab_namespace="words")) is None


def test_embedders_by_the_names_of_their_indexers():
    embedders = {"words": Embedding(3, num_embeddings=5), "pos_tags": Embedding(2, num_embeddings=5)}
    assert compatibility.token_embedders(BasicTextFieldEmbedder(embedders)) == embedders


def test_what_a_trainer_is_told_and_where_it_is():
    model = torch.nn.Linear(1, 1)
    trainer = GradientDescentTrainer(
        model,
        torch.optim.SGD(model.parameters(), lr=0.1),
        SimpleDataLoader([], 1),
        num_epochs=7,
        cuda_device=-1,
        num_gradient_accumulation_steps=2,
    )
    assert compatibility.num_epochs(trainer) == 7
    assert compatibility.current_epoch(trainer) == compatibility.epochs_done(trainer) == 0
    assert compatibility.accumulates_gradients(trainer)
    assert not compatibility.uses_mixed_precision(trainer)


@pytest.mark.parametrize("max_norm", [0.5, 100.0])
def test_gradients_are_clipped_alike_whether_sparse_or_not(max_norm):
    torch.manual_seed(1)
    weights, words = torch.randn(7, 3), torch.tensor([1, 4, 4, 0])
    linear = torch.randn(3)

    def clipped(sparse):
        embedding, factor = torch.nn.Parameter(weights.clone()), torch.nn.Parameter(linear.clone())
        looked_up = torch.nn.functional.embedding(words, embedding, sparse=sparse)
        (looked_up @ factor).pow(2).sum().backward()
        assert embedding.grad.is_sparse == sparse
        norm = gradient_descent_trainer.clip_grad_norm_([embedding, factor], max_norm)
        return norm, embedding.grad.to_dense(), factor.grad

    torch.testing.assert_close(clipped(True), clipped(False))


def test_weights_as_safetensors_are_found_and_read_as_others_are(tmp_path):
    state = {"a.weight": torch.randn(2, 3), "a.bias": torch.zeros(0), "b": torch.tensor([True])}
    torch.save(state, tmp_path / "weights.th")
    assert archival.get_weights_path(tmp_path) == str(tmp_path / "weights.th")
    compatibility.safetensors().save_file(state, tmp_path / compatibility.SAFETENSORS_NAME)
    assert archival.get_weights_path(tmp_path) == str(tmp_path / compatibility.SAFETENSORS_NAME)
    for options in ({}, {"ignore": ["b"], "strip_prefix": "a."}):
        found, expected = (
            util.read_state_dict(tmp_path / name, **options) for name in (compatibility.SAFETENSORS_NAME, "weights.th")
        )
        assert found.keys() == expected.keys() and all(torch.equal(found[name], expected[name]) for name in expected)


def test_an_optimizer_leaves_the_compiler_of_torch_alone():
    source = (
        "import sys, nerzoo.compatibility, torch\n"
        "for optimizer in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.Adagrad):\n"
        "    parameter = torch.nn.Parameter(torch.ones(2))\n"
        "    optimizer = optimizer([parameter], lr=0.1)\n"
        "    parameter.sum().backward(); optimizer.step()\n"
        "    optimizer.zero_grad(); optimizer.load_state_dict(optimizer.state_dict())\n"
        "    assert (parameter < 1).all() and parameter.grad is None\n"
        "assert 'torch._dynamo' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", source], cwd=ROOT, check=True)


def test_a_step_has_gradients_where_it_is_differentiable():
    """The derivative of p - lr * p by p."""
    start = torch.ones(2, requires_grad=True)
    parameter = start.clone()
    optimizer = torch.optim.SGD([parameter], lr=0.1, differentiable=True)
    parameter.grad = parameter.clone()
    optimizer.step()
    parameter.sum().backward()
    assert start.grad.tolist() == pytest.approx([0.9, 0.9])
    plain = torch.nn.Parameter(torch.ones(2))
    plain.grad = torch.ones(2)
    torch.optim.SGD([plain], lr=0.1).step()
    assert plain.is_leaf and plain.tolist() == pytest.approx([0.9, 0.9])


def test_a_moving_average_follows_the_parameters_of_its_model_again():
    model, before = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
    average = ExponentialMovingAverage(model.named_parameters(), decay=0.5)
    average.load_state_dict(ExponentialMovingAverage(before.named_parameters()).state_dict())
    compatibility.follow_parameters(average, model)
    average.apply()
    average.assign_average_value()
    torch.testing.assert_close(average._backups["weight"], model.weight * 2 - before.weight)


def test_sigterm_ends_a_command_without_a_traceback():
    command = (
        "from allennlp.common import util; util.install_sigterm_handler(); import nerzoo, os; os.kill(os.getpid(), 15)"
    )
    result = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 143 and "Traceback" not in result.stderr
