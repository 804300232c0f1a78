"""
The one place where nerzoo touches private parts of AllenNLP 2.10.1. Importing this module puts in place what AllenNLP
lacks to run on current releases of the libraries below it; functions give out what its classes keep to themselves. Each
part names the line of AllenNLP that forces it.
"""

import argparse
import functools
import importlib
import io
import os
import signal
import warnings
from os import PathLike
from types import FrameType, ModuleType
from typing import Any, Callable, Dict, List, Optional, Set, Tuple, Union, cast

import numpy
import torch
import transformers
from allennlp import commands
from allennlp.common import cached_transformers, plugins
from allennlp.common import util as common_util
from allennlp.data import DatasetReader, TokenIndexer, Vocabulary
from allennlp.data.dataset_readers.dataset_reader import WorkerInfo
from allennlp.models import archival
from allennlp.modules import FeedForward, TextFieldEmbedder, TokenEmbedder
from allennlp.modules.token_embedders import Embedding
from allennlp.nn import util
from allennlp.training import GradientDescentTrainer, gradient_descent_trainer
from allennlp.training.learning_rate_schedulers.learning_rate_scheduler import _PyTorchLearningRateSchedulerWrapper
from allennlp.training.learning_rate_schedulers.pytorch_lr_schedulers import (
    _PyTorchLearningRateSchedulerWithMetricsWrapper,
)
from allennlp.training.moving_average import MovingAverage
from numpy._core.multiarray import scalar
from packaging.version import Version
from torch.optim import Optimizer

from nerzoo.extras import extra

# training/checkpointer.py, load_checkpoint: torch.load has refused everything but tensors and plain values since torch
# 2.6, while learning_rate_schedulers/cosine.py, get_values, puts numpy scalars into the state. Without this, --recover
# fails with the `cosine` scheduler.
torch.serialization.add_safe_globals([scalar, numpy.dtype, numpy.dtypes.Float64DType])

# training/gradient_descent_trainer.py, batch_outputs and _train_epoch, enter torch.cuda.amp.autocast by its old name.
warnings.filterwarnings("ignore", category=FutureWarning, module="allennlp.training.gradient_descent_trainer")

if Version(transformers.__version__) >= Version("4.44"):
    # data/tokenizers/pretrained_transformer_tokenizer.py, __init__: hands add_special_tokens to AutoTokenizer, which no
    # longer takes it with tokenizers 0.20, the first for Python 3.13. AllenNLP says it again with each text it encodes.
    _get_tokenizer = cached_transformers.get_tokenizer

    def _get_tokenizer_of_this_release(
        model_name: str, add_special_tokens: Optional[bool] = None, **kwargs: Any
    ) -> transformers.PreTrainedTokenizer:
        return _get_tokenizer(model_name, **kwargs)

    cached_transformers.get_tokenizer = _get_tokenizer_of_this_release


# torch/optim/optimizer.py: an optimizer imports the compiler of torch, which takes two seconds of a processor, to be
# left alone by it: in these methods, wrapped by torch._disable_dynamo (torch/_compile.py), and in `step`, where
# _use_grad_for_differentiable breaks its graphs. AllenNLP compiles nothing.
for _method in (Optimizer.add_param_group, Optimizer.load_state_dict, Optimizer.state_dict, Optimizer.zero_grad):
    _function = getattr(_method, "__wrapped__", None)
    if _function is not None:
        vars(_function).setdefault("__dynamo_disable", _function)


def _without_compiler(step: Callable) -> Callable:
    @functools.wraps(step)
    def with_gradients_if_differentiable(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        with torch.set_grad_enabled(self.defaults["differentiable"]):
            return step(self, *args, **kwargs)

    return with_gradients_if_differentiable


for _class in vars(torch.optim).values():
    _step: Any = vars(_class).get("step") if isinstance(_class, type) else None
    if hasattr(_step, "__wrapped__") and _step.__code__.co_name == "_use_grad":
        _class.step = _without_compiler(_step.__wrapped__)


def _exit_on_sigterm(number: int, frame: Optional[FrameType]) -> None:
    raise SystemExit(128 + number)


# common/util.py, _handle_sigterm: raises SigTermReceived, which ends a command with a traceback and exit code 1, after
# it has made an archive of a run that is not at its end.
if signal.getsignal(signal.SIGTERM) is common_util._handle_sigterm:
    signal.signal(signal.SIGTERM, _exit_on_sigterm)
common_util._handle_sigterm = _exit_on_sigterm


SAFETENSORS_NAME = "model.safetensors"
"""The weights of a published model."""

_get_weights_path, _read_state_dict = archival.get_weights_path, util.read_state_dict


def _get_weights_path_of_safetensors_too(serialization_dir: Union[str, PathLike]) -> str:
    # models/archival.py, get_weights_path: knows weights.th and best.th alone.
    path = os.path.join(serialization_dir, SAFETENSORS_NAME)
    return path if os.path.exists(path) else _get_weights_path(serialization_dir)


def _read_state_dict_of_safetensors_too(
    path: Union[str, PathLike], *args: Any, **kwargs: Any
) -> Dict[str, torch.Tensor]:
    # nn/util.py, read_state_dict: calls torch.load, and then leaves out and renames what it was asked to.
    if not str(path).endswith(".safetensors"):
        return _read_state_dict(path, *args, **kwargs)
    file: Any = io.BytesIO()
    torch.save(safetensors().load_file(path), file)
    file.seek(0)
    return _read_state_dict(file, *args, **kwargs)


def safetensors() -> ModuleType:
    """Returns `safetensors.torch`. Raises `ConfigurationError` where safetensors, an extra of nerzoo, is missing."""
    with extra("hub", ", which has the weights of published models"):
        import safetensors.torch
    return safetensors.torch


archival.get_weights_path = _get_weights_path_of_safetensors_too
util.read_state_dict = _read_state_dict_of_safetensors_too


_move_to_device = util.move_to_device


def _move_to_device_without_waiting(obj: Any, device: Union[torch.device, int]) -> Any:
    # nn/util.py, move_to_device: `obj.to(device=device)`, for which the host waits until the GPU has done all that was
    # asked of it before. From pinned memory a batch is copied while the step before it still runs.
    device = util.int_to_device(device)
    if isinstance(obj, torch.Tensor) and obj.device.type == "cpu" and device.type == "cuda":
        return obj.pin_memory().to(device, non_blocking=True)
    return _move_to_device(obj, device)


util.move_to_device = _move_to_device_without_waiting


_clip_grad_norm = gradient_descent_trainer.clip_grad_norm_


def _clip_grad_norm_of_sparse_gradients_too(parameters: List[torch.nn.Parameter], max_norm: float) -> torch.Tensor:
    # training/gradient_descent_trainer.py, rescale_gradients: calls torch's clip_grad_norm_, which takes no sparse
    # gradients, so that `grad_norm` fails with an `embedding` that is `sparse: true`.
    if not any(parameter.grad is not None and parameter.grad.is_sparse for parameter in parameters):
        return _clip_grad_norm(parameters, max_norm)
    values = []
    for parameter in parameters:
        gradient = parameter.grad
        if gradient is not None and gradient.is_sparse:
            gradient = parameter.grad = gradient.coalesce()
            gradient = gradient.values()
        if gradient is not None:
            values.append(gradient)
    norm = torch.nn.utils.get_total_norm(values)
    scale = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for gradient in values:
        gradient.mul_(scale)
    return norm


gradient_descent_trainer.clip_grad_norm_ = _clip_grad_norm_of_sparse_gradients_too  # type: ignore[assignment]


_import_module_and_submodules = common_util.import_module_and_submodules


def _import_module_and_submodules_once(package_name: str, exclude: Optional[Set[str]] = None) -> None:
    # common/util.py, import_module_and_submodules: calls itself for each module of a package, and each time looks for a
    # library and forgets what is in the folders of the path, which takes a second for the modules of nerzoo. These
    # are imported with nerzoo, as far as they register anything.
    if package_name.startswith("nerzoo."):
        return
    _import_module_and_submodules(package_name, exclude)


common_util.import_module_and_submodules = _import_module_and_submodules_once


def import_declared_plugins_alone() -> None:
    """
    Keeps AllenNLP's commands from importing all modules of allennlp and allennlp_models; plugins that a file
    `.allennlp_plugins` declares are imported. commands/__init__.py, parse_args: `import_plugins()`.
    """

    def import_plugins() -> None:
        for name in plugins.discover_plugins():
            importlib.import_module(name)

    commands.import_plugins = import_plugins


# commands/subcommand.py, Subcommand.add_subparser: the type of its argument.
SubParsers = argparse._SubParsersAction

# training/learning_rate_schedulers/learning_rate_scheduler.py, LearningRateScheduler: the only bases that hand a
# scheduler of torch to the trainer. They use `self.lr_scheduler` alone.
TorchLearningRateScheduler = _PyTorchLearningRateSchedulerWrapper
TorchLearningRateSchedulerWithMetrics = _PyTorchLearningRateSchedulerWithMetricsWrapper


def padding_token(vocab: Vocabulary) -> str:
    """
    Returns the padding token of all namespaces; data/vocabulary.py, Vocabulary.__init__: `self._padding_token = ...`.
    """
    return vocab._padding_token


def unknown_token(vocab: Vocabulary) -> str:
    """Returns the token for unknown words; data/vocabulary.py, Vocabulary.__init__: `self._oov_token = ...`."""
    return vocab._oov_token


def unknown_index(vocab: Vocabulary, namespace: str) -> int:
    """Returns the index of the token for unknown words in a namespace."""
    return vocab.get_token_index(unknown_token(vocab), namespace)


def token_counts(vocab: Vocabulary, namespace: str) -> Dict[str, int]:
    """
    Returns how often each token occurs in the data that a vocabulary was made from, tokens included that did not get
    into the vocabulary; nothing where it was read from files. data/vocabulary.py, Vocabulary._extend:
    `self._retained_counter = counter`, which only `print_statistics` reads.
    """
    return (vocab._retained_counter or {}).get(namespace, {})


def feature_name(indexer: TokenIndexer) -> Optional[str]:
    """
    Returns the name of the attribute of tokens that an indexer reads, if the indexer has it;
    data/token_indexers/single_id_token_indexer.py, SingleIdTokenIndexer.__init__: `self._feature_name = feature_name`.
    """
    return getattr(indexer, "_feature_name", None)


def set_worker_info(reader: DatasetReader, info: WorkerInfo) -> None:
    """
    Tells a reader inside another reader about the worker process that it is in;
    data/data_loaders/multiprocess_data_loader.py, _instance_worker: `self.reader._set_worker_info(...)` reaches the
    outer one.
    """
    reader._set_worker_info(info)


def embedding_namespace(embedding: Embedding) -> Optional[str]:
    """
    Returns the namespace of the vocabulary from which an embedding has its size, if it has it from there;
    modules/token_embedders/embedding.py, Embedding.__init__: `self._vocab_namespace = vocab_namespace`.
    """
    return embedding._vocab_namespace


def token_embedders(text_field_embedder: TextFieldEmbedder) -> Dict[str, TokenEmbedder]:
    """
    Returns the token embedders by the names of their indexers;
    modules/text_field_embedders/basic_text_field_embedder.py, BasicTextFieldEmbedder.__init__:
    `name = "token_embedder_%s" % key`.
    """
    prefix = "token_embedder_"
    return {
        name.removeprefix(prefix): embedder
        for name, embedder in text_field_embedder.named_children()
        if name.startswith(prefix) and isinstance(embedder, TokenEmbedder)
    }


def split_first_product(
    feedforward: FeedForward,
) -> Tuple[torch.nn.Linear, Callable[[torch.Tensor], torch.Tensor]]:
    """
    Returns the matrix that a feed-forward network multiplies its input by, with its bias, and what the network does
    with the product; modules/feedforward.py, FeedForward.forward: `dropout(activation(layer(output)))`.
    """
    layers = list(zip(feedforward._linear_layers, feedforward._activations, feedforward._dropout, strict=True))

    def rest(output: torch.Tensor) -> torch.Tensor:
        for number, (linear, activation, dropout) in enumerate(layers):
            output = dropout(activation(linear(output) if number else output))
        return output

    return cast(torch.nn.Linear, layers[0][0]), rest


def num_epochs(trainer: GradientDescentTrainer) -> int:
    """
    Returns the number of epochs that a trainer is to train; training/gradient_descent_trainer.py,
    GradientDescentTrainer.__init__: `self._num_epochs = num_epochs`.
    """
    return trainer._num_epochs


def current_epoch(trainer: GradientDescentTrainer) -> int:
    """
    Returns the number of the epoch that a trainer goes through, from 0. A resumed run goes through the epochs before
    its checkpoint, too, without training. training/gradient_descent_trainer.py, _try_train:
    `self._epochs_completed += 1`.
    """
    return trainer._epochs_completed


def epochs_done(trainer: GradientDescentTrainer) -> int:
    """
    Returns the number of epochs that a model was trained. In a resumed run those before its checkpoint are included
    from the start. training/gradient_descent_trainer.py, _maybe_restore_checkpoint:
    `self._start_after_epochs_completed = training_state["epochs_completed"]`.
    """
    return max(trainer._epochs_completed, trainer._start_after_epochs_completed)


def accumulates_gradients(trainer: GradientDescentTrainer) -> bool:
    """
    Returns whether a trainer makes one step for several batches; training/gradient_descent_trainer.py,
    GradientDescentTrainer.__init__: `self._num_gradient_accumulation_steps = num_gradient_accumulation_steps`.
    """
    return trainer._num_gradient_accumulation_steps > 1


def uses_mixed_precision(trainer: GradientDescentTrainer) -> bool:
    """
    Returns whether a trainer computes in mixed precision; training/gradient_descent_trainer.py,
    GradientDescentTrainer.__init__: `self._use_amp = use_amp`.
    """
    return trainer._use_amp


def follow_parameters(average: MovingAverage, model: torch.nn.Module) -> None:
    """
    Has the moving average of a resumed run follow the parameters of its model again; training/moving_average.py,
    load_state_dict: `self._parameters = state_dict["parameters"]` are copies that nobody trains.
    """
    parameters = dict(model.named_parameters())
    average._parameters = [(name, parameters[name]) for name, _ in average._parameters]
    for values in (average._shadows, average._backups):
        values.update({name: value.to(parameters[name].device) for name, value in values.items()})
