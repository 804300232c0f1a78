"""
Accessors for AllenNLP's private attributes, which only this module and `allennlp_hooks` use. Each names the line of
AllenNLP 2.10.1 that makes it necessary.
"""

import argparse
from typing import Callable, Dict, Mapping, Optional, Tuple, Type, cast

import torch
from allennlp.commands import predict
from allennlp.common import Registrable
from allennlp.data import DatasetReader, TokenIndexer, Vocabulary
from allennlp.data.dataset_readers.dataset_reader import WorkerInfo
from allennlp.modules import FeedForward, TextFieldEmbedder, TokenEmbedder
from allennlp.modules.token_embedders import Embedding
from allennlp.training import GradientDescentTrainer
from allennlp.training.learning_rate_schedulers import learning_rate_scheduler, pytorch_lr_schedulers
from allennlp.training.metric_tracker import MetricTracker
from allennlp.training.moving_average import MovingAverage

# Subcommand.add_subparser: the type of its argument.
SubParsers = argparse._SubParsersAction

# Predict: reads the input and writes the output of the command.
PredictManager = predict._PredictManager

# LearningRateScheduler: its only subclasses that wrap a scheduler of torch.
TorchLearningRateScheduler = learning_rate_scheduler._PyTorchLearningRateSchedulerWrapper
TorchLearningRateSchedulerWithMetrics = pytorch_lr_schedulers._PyTorchLearningRateSchedulerWithMetricsWrapper


def registered_classes(base: Type) -> Optional[Mapping[str, Tuple[Type, Optional[str]]]]:
    """
    Returns the classes that are registered under a base class by their names, each with the name of the class method
    that builds it, or `None` for the constructor; `None` where the class is no such base. Registrable.list_available
    would make it one.
    """
    return Registrable._registry.get(base)


def set_worker_info(reader: DatasetReader, info: WorkerInfo) -> None:
    """
    Tells a reader inside another one its worker process. MultiProcessDataLoader._instance_worker:
    `self.reader._set_worker_info(...)` reaches only the outer reader.
    """
    reader._set_worker_info(info)


def feature_name(indexer: TokenIndexer) -> Optional[str]:
    """Returns the attribute of tokens that an indexer reads, if any. SingleIdTokenIndexer.__init__: `_feature_name`."""
    return getattr(indexer, "_feature_name", None)


def embedding_namespace(embedding: Embedding) -> Optional[str]:
    """Returns the namespace that gives an embedding its size, if any. Embedding.__init__: `self._vocab_namespace`."""
    return embedding._vocab_namespace


def set_pretrained_file(embedding: Embedding, path: str) -> None:
    """
    Names the file that the weight of an embedding is from. Embedding.__init__: `self._pretrained_file`, from which
    extend_vocab takes the vectors of further words.
    """
    embedding._pretrained_file = path


def token_embedders(text_field_embedder: TextFieldEmbedder) -> Dict[str, TokenEmbedder]:
    """Returns the embedders by the names of indexers. BasicTextFieldEmbedder.__init__: `"token_embedder_%s" % key`."""
    prefix = "token_embedder_"
    return {
        name.removeprefix(prefix): embedder
        for name, embedder in text_field_embedder.named_children()
        if name.startswith(prefix) and isinstance(embedder, TokenEmbedder)
    }


def padding_token(vocab: Vocabulary) -> str:
    """Returns the padding token. Vocabulary.__init__: `self._padding_token = ...`."""
    return vocab._padding_token


def unknown_token(vocab: Vocabulary) -> str:
    """Returns the token for unknown words. Vocabulary.__init__: `self._oov_token = ...`."""
    return vocab._oov_token


def unknown_index(vocab: Vocabulary, namespace: str) -> int:
    """Returns the index of the token for unknown words in a namespace."""
    return vocab.get_token_index(unknown_token(vocab), namespace)


def token_counts(vocab: Vocabulary, namespace: str) -> Dict[str, int]:
    """
    Returns the count of each token in the data of a vocabulary, also of tokens that it lacks; nothing where it was read
    from files. Vocabulary._extend: `self._retained_counter = counter`.
    """
    return (vocab._retained_counter or {}).get(namespace, {})


def split_first_product(feedforward: FeedForward) -> Tuple[torch.nn.Linear, Callable[[torch.Tensor], torch.Tensor]]:
    """
    Returns the first linear layer of a feed-forward network, and the function that the network applies to its output.
    FeedForward.forward: `dropout(activation(layer(output)))`.
    """
    layers = list(zip(feedforward._linear_layers, feedforward._activations, feedforward._dropout, strict=True))

    def rest(output: torch.Tensor) -> torch.Tensor:
        for number, (linear, activation, dropout) in enumerate(layers):
            output = dropout(activation(linear(output) if number else output))
        return output

    return cast(torch.nn.Linear, layers[0][0]), rest


def num_epochs(trainer: GradientDescentTrainer) -> int:
    """Returns the number of epochs of a training. GradientDescentTrainer.__init__: `self._num_epochs = num_epochs`."""
    return trainer._num_epochs


def current_epoch(trainer: GradientDescentTrainer) -> int:
    """
    Returns the number of the current epoch, from 0. A resumed run passes the epochs before its checkpoint, too.
    GradientDescentTrainer._try_train: `self._epochs_completed += 1`.
    """
    return trainer._epochs_completed


def epochs_done(trainer: GradientDescentTrainer) -> int:
    """
    Returns the number of epochs that a model was trained. A resumed run counts those before its checkpoint from the
    start. GradientDescentTrainer._maybe_restore_checkpoint: `self._start_after_epochs_completed = ...`.
    """
    return max(trainer._epochs_completed, trainer._start_after_epochs_completed)


def accumulated_batches(trainer: GradientDescentTrainer) -> int:
    """Returns for how many batches a trainer makes one step, `self._num_gradient_accumulation_steps`."""
    return trainer._num_gradient_accumulation_steps


def metric_tracker(trainer: GradientDescentTrainer) -> MetricTracker:
    """Returns what finds the best epoch. GradientDescentTrainer.__init__: `self._metric_tracker = MetricTracker(`."""
    return trainer._metric_tracker


def uses_mixed_precision(trainer: GradientDescentTrainer) -> bool:
    """Returns whether a trainer uses mixed precision. GradientDescentTrainer.__init__: `self._use_amp = use_amp`."""
    return trainer._use_amp


def follow_parameters(average: MovingAverage, model: torch.nn.Module) -> None:
    """
    Makes the moving average of a resumed run follow its model again. MovingAverage.load_state_dict:
    `self._parameters = state_dict["parameters"]` are copies that are not trained.
    """
    parameters = dict(model.named_parameters())
    average._parameters = [(name, parameters[name]) for name, _ in average._parameters]
    for values in (average._shadows, average._backups):
        values.update({name: value.to(parameters[name].device) for name, value in values.items()})
