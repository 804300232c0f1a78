import torch
from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenCharactersIndexer
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding
from allennlp.training import GradientDescentTrainer
from allennlp.training.moving_average import ExponentialMovingAverage

from nerzoo.allennlp_private import (
    accumulated_batches,
    current_epoch,
    embedding_namespace,
    epochs_done,
    feature_name,
    follow_parameters,
    metric_tracker,
    num_epochs,
    padding_token,
    registered_classes,
    token_counts,
    token_embedders,
    unknown_index,
    unknown_token,
    uses_mixed_precision,
)


def test_special_tokens_of_a_vocabulary():
    vocab = Vocabulary(counter={"tokens": {"a": 2}}, padding_token="<pad>", oov_token="<unk>")
    assert padding_token(vocab) == "<pad>"
    assert unknown_token(vocab) == "<unk>"
    assert unknown_index(vocab, "tokens") == vocab.get_token_index("no such word", "tokens") == 1


def test_counts_of_tokens(tmp_path):
    vocab = Vocabulary(counter={"tokens": {"a": 2, "b": 1}}, min_count={"tokens": 2})
    assert token_counts(vocab, "tokens") == {"a": 2, "b": 1}
    assert token_counts(vocab, "labels") == {}
    vocab.save_to_files(str(tmp_path))
    assert token_counts(Vocabulary.from_files(str(tmp_path)), "tokens") == {}


def test_namespace_of_an_embedding():
    vocab = Vocabulary(counter={"words": {"a": 2}})
    assert embedding_namespace(Embedding(3, vocab_namespace="words", vocab=vocab)) == "words"
    assert embedding_namespace(Embedding(3, num_embeddings=5, vocab_namespace="words")) is None


def test_embedders_by_the_names_of_their_indexers():
    embedders = {"words": Embedding(3, num_embeddings=5), "pos_tags": Embedding(2, num_embeddings=5)}
    assert token_embedders(BasicTextFieldEmbedder(embedders)) == embedders


def test_feature_of_an_indexer():
    assert feature_name(SingleIdTokenIndexer(feature_name="tag_")) == "tag_"
    assert feature_name(SingleIdTokenIndexer()) == "text"
    assert feature_name(TokenCharactersIndexer(min_padding_length=1)) is None


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
    assert num_epochs(trainer) == 7
    assert current_epoch(trainer) == epochs_done(trainer) == 0
    assert accumulated_batches(trainer) == 2
    assert metric_tracker(trainer).tracked_metrics == [(-1.0, "loss")]
    assert not uses_mixed_precision(trainer)


def test_a_moving_average_follows_the_parameters_of_its_model_again():
    model, before = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
    average = ExponentialMovingAverage(model.named_parameters(), decay=0.5)
    average.load_state_dict(ExponentialMovingAverage(before.named_parameters()).state_dict())
    follow_parameters(average, model)
    average.apply()
    average.assign_average_value()
    torch.testing.assert_close(average._backups["weight"], model.weight * 2 - before.weight)


def test_classes_that_are_registered_under_another_one():
    assert registered_classes(TokenIndexer)["single_id"] == (SingleIdTokenIndexer, None)
    assert registered_classes(SingleIdTokenIndexer) is None
