"""Tests of `tests/recover_test.py` interrupt whole runs."""

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.modules.seq2vec_encoders import BagOfEmbeddingsEncoder
from allennlp.modules.token_embedders import Embedding, TokenCharactersEncoder
from allennlp.training import GradientDescentTrainer, Trainer
from helpers.commands import train
from torch.nn.utils import clip_grad_norm_

from nerzoo.data.fields import OpaqueMetadataField
from nerzoo.training.resuming import AtomicCheckpointer
from nerzoo.training.trainer import GradientAccelerator, ResumableTrainer, checked_indices, clip_gradients


def test_it_is_the_default_with_a_checkpointer_that_writes_whole_files(few_sentences, tmp_path, monkeypatch):
    trainers = []
    unbroken = GradientDescentTrainer.train
    monkeypatch.setattr(GradientDescentTrainer, "train", lambda trainer: trainers.append(trainer) or unbroken(trainer))
    data = {"train_data_path": str(few_sentences), "validation_data_path": str(few_sentences)}
    train(tmp_path / "run", **data)
    train(tmp_path / "without", **data, **{"trainer.checkpointer": None})
    train(tmp_path / "allennlp", **data, **{"trainer.type": "gradient_descent"})
    assert [type(trainer) for trainer in trainers] == [ResumableTrainer, ResumableTrainer, GradientDescentTrainer]
    assert isinstance(trainers[0]._checkpointer, AtomicCheckpointer)
    assert not list((tmp_path / "without").glob("*state*"))


def test_a_misspelled_key_is_an_error():
    extras = {"model": None, "serialization_dir": "", "data_loader": None, "local_rank": 0}
    with pytest.raises(ConfigurationError, match="num_epoch"):
        Trainer.from_params(Params({"num_epoch": 3}), **extras)


@pytest.mark.parametrize(
    ("settings", "dropout", "message"),
    [
        ({"grad_norm": -1.0}, 0.5, "found the grad_norm -1, expected a finite number above 0"),
        ({"grad_norm": 0}, 0.5, "found the grad_norm 0, expected a finite number above 0"),
        ({"num_epochs": 0}, 0.5, "found the num_epochs 0, expected at least 1"),
        ({"validation_metric": []}, 0.5, r"found the validation_metric \[\], expected at least one"),
        ({}, 1.0, "found a dropout of 1 in 1, expected less than 1"),
    ],
)
def test_settings_that_train_nothing_are_errors(settings, dropout, message):
    model = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.Dropout(dropout))
    extras = {"model": model, "serialization_dir": "", "data_loader": None, "local_rank": 0}
    with pytest.raises(ConfigurationError, match=message):
        Trainer.from_params(Params(settings), **extras)


def test_other_indexers_in_validation_are_an_error_before_the_first_epoch(few_sentences, tmp_path):
    data = {"train_data_path": str(few_sentences), "validation_data_path": str(few_sentences)}
    reader = {
        "type": "tagged_sentences",
        "corpus": {"type": "conllu"},
        "token_indexers": {"words": {"type": "single_id"}},
    }
    message = "validation_dataset_reader: found the token_indexers words of tokens, expected those of training, "
    with pytest.raises(ConfigurationError, match=message):
        train(tmp_path / "run", **data, validation_dataset_reader=reader)
    assert not list((tmp_path / "run").glob("metrics_epoch_*"))


class Loss(torch.nn.Module):
    """Its loss is what it is given."""

    def forward(self, loss, metadata=None):
        return {"loss": loss}

    def get_regularization_penalty(self):
        return None


@pytest.mark.parametrize("loss", ["nan", "inf"])
def test_a_loss_that_is_no_number_names_the_sentences_of_its_batch(loss, tmp_path):
    model = Loss()
    model.weight = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    trainer = ResumableTrainer(
        model, optimizer, SimpleDataLoader([], 1), serialization_dir=str(tmp_path), cuda_device=-1
    )
    sentences = [{"words": ["Mara", "left"]}, {"words": ["Why", "?"]}]
    message = f"epoch 0, batch 0: found the loss {loss}.* 'Mara left', 'Why .'"
    for metadata in ([*map(OpaqueMetadataField, sentences)], [OpaqueMetadataField({"sentences": sentences})]):
        batch = {"loss": torch.tensor(float(loss)), "metadata": metadata}
        with pytest.raises(ConfigurationError, match=message):
            trainer.batch_outputs(batch, for_training=True)
    with pytest.raises(ConfigurationError, match="no sentences in its metadata"):
        trainer.batch_outputs({"loss": torch.tensor(float(loss))}, for_training=True)
    assert trainer.batch_outputs(batch, for_training=False)


NEGATIVE = {
    "trainer.optimizer": {"type": "sgd", "lr": 0.1},
    "trainer.learning_rate_scheduler": {"type": "exponential", "gamma": -1.0},
    "trainer.num_epochs": 2,
}


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (NEGATIVE, "epoch 1: found the learning rate -0.1, expected a positive number"),
        (
            {"model.text_field_embedder.token_embedders.pos.vocab_namespace": "no_such"},
            "token_embedder_pos: found the index .*, expected at most 1: .* have different namespaces, .* 'no_such'",
        ),
    ],
)
def test_options_that_no_batch_can_be_trained_with(few_sentences, tmp_path, overrides, message):
    data = {"train_data_path": str(few_sentences), "validation_data_path": str(few_sentences)}
    with pytest.raises(ConfigurationError, match=message):
        train(tmp_path / "run", **data, **overrides)


def characters():
    return TokenCharactersEncoder(Embedding(2, num_embeddings=5), BagOfEmbeddingsEncoder(2))


def test_indices_that_fit():
    model = torch.nn.ModuleDict({"words": Embedding(2, num_embeddings=5), "characters": characters()})
    with checked_indices(model):
        model["words"](torch.tensor([[4, 0]]))
        model["words"](torch.zeros(1, 0, dtype=torch.long))
        model["characters"](torch.tensor([[[4, 0], [1, 0]]]))


def test_an_index_of_another_namespace():
    model = torch.nn.ModuleDict({"words": Embedding(2, num_embeddings=5)})
    message = "^words: found the index 5, expected at most 4: indexer and embedder have different"
    with pytest.raises(ConfigurationError, match=message), checked_indices(model):
        model["words"](torch.tensor([[5, 0]]))
    # No longer checked.
    with pytest.raises(IndexError):
        model["words"](torch.tensor([[5, 0]]))


def test_words_where_characters_are_expected():
    model = torch.nn.ModuleDict({"characters": characters()})
    message = r"^characters: found indices of shape \[1, 2\], expected those of the characters"
    with pytest.raises(ConfigurationError, match=message), checked_indices(model):
        model["characters"](torch.tensor([[4, 0]]))


@pytest.mark.parametrize("max_norm", [0.5, 100.0])
def test_gradients_are_clipped_alike_whether_sparse_or_not(max_norm):
    torch.manual_seed(1)
    weights, words = torch.randn(7, 3), torch.tensor([1, 4, 4, 0])
    linear = torch.randn(3)

    def clipped(sparse, clip):
        embedding, factor = torch.nn.Parameter(weights.clone()), torch.nn.Parameter(linear.clone())
        looked_up = torch.nn.functional.embedding(words, embedding, sparse=sparse)
        (looked_up @ factor).pow(2).sum().backward()
        assert embedding.grad.is_sparse == sparse
        norm = clip([embedding, factor], max_norm)
        return norm, embedding.grad.to_dense(), factor.grad

    expected = clipped(False, clip_grad_norm_)
    for sparse in (True, False):
        torch.testing.assert_close(clipped(sparse, clip_gradients), expected)


def test_processes_send_no_buffers_to_each_other(tmp_path):
    """AllenNLP's accelerator sends the fixed vectors of all words before each step."""
    torch.distributed.init_process_group("gloo", f"file://{tmp_path}/store", rank=0, world_size=1)
    try:
        _, wrapped = GradientAccelerator(local_rank=0, world_size=1).wrap_model(torch.nn.Linear(2, 2))
        assert not wrapped.model.broadcast_buffers
    finally:
        torch.distributed.destroy_process_group()
