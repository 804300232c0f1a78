import inspect
import json
import math
import os
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, cast

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader, Instance, TensorDict
from allennlp.data.fields import TextField
from allennlp.modules.token_embedders import Embedding, TokenCharactersEncoder
from allennlp.nn.parallel import TorchDdpAccelerator
from allennlp.nn.util import move_to_device
from allennlp.training import Checkpointer, GradientDescentTrainer, Trainer

from nerzoo.allennlp_private import embedding_namespace, follow_parameters
from nerzoo.errors import check_range
from nerzoo.files import written_whole
from nerzoo.nn.trees import TreeLevels
from nerzoo.training.progress import TrainingProgress
from nerzoo.training.resuming import EXIT_CODE, AtomicCheckpointer, EpochProgress, LossScale, Terminated, Termination

_LONGEST = 200
"""The number of characters of a sentence in an error."""


class DivergenceError(ConfigurationError):
    """The error of a training whose loss is not a finite number."""


class GradientAccelerator(TorchDdpAccelerator):
    """
    AllenNLP's accelerator of processes that train together, but only gradients go from process to process. AllenNLP's
    also sends all buffers before each step, such as the fixed vectors of 400,000 words.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._ddp_kwargs["broadcast_buffers"] = False


@Trainer.register("resumable", constructor="from_config")
class ResumableTrainer(GradientDescentTrainer):
    """
    AllenNLP's trainer, whose parameters it has, for runs that are interrupted at any time. With the callback
    `reproducible`, a run that goes on with `--recover` ends with the numbers of an unbroken one, including those of
    training, wherever it was interrupted:

    - Its checkpointer is `atomic`, unless the configuration has another one.
    - SIGTERM ends it after the batch, or the batch of validation, that it is in, with a checkpoint and exit code 143. A
      run in several processes has only its last checkpoint.
    - `best.th` is written whole, and written again where a run was killed between the checkpoint of the best epoch and
      it.
    - The scale of losses in mixed precision goes on where it was.
    - A run that has done all epochs, or has run out of patience, trains no further, and returns the same metrics.

    It is the default where nerzoo is imported; AllenNLP's is `gradient_descent`.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.cuda_device.type == "cuda":
            # `batch_outputs` copies batches while the GPU computes; the loaders would wait for it.
            for loader in filter(None, (self.data_loader, self._validation_data_loader)):
                loader.set_target_device(torch.device("cpu"))
        self._checks_indices = True
        self._progress = EpochProgress(self._serialization_dir)
        self._termination = Termination(self._serialization_dir)
        # At the end, so that all others have seen the batch that a run ends with.
        self._callbacks += [self._progress, self._termination, LossScale(self._serialization_dir, self._scaler)]
        self._shown_progress = TrainingProgress(self._serialization_dir)
        self._callbacks.append(self._shown_progress)

    @classmethod
    def from_config(
        cls, checkpointer: Optional[Lazy[Checkpointer]] = Lazy(AtomicCheckpointer), **kwargs: Any
    ) -> "ResumableTrainer":
        """
        Builds a trainer as `GradientDescentTrainer.from_partial_objects` does, whose parameters it has. Raises
        `ConfigurationError` for settings that cannot train: no epoch; a `grad_norm` of 0 or less, which would leave no
        gradients or reverse them; an empty list of `validation_metric`, which would take the first epoch for the best;
        a dropout of 1.
        """
        num_epochs = kwargs.get("num_epochs", 20)
        check_range("num_epochs", num_epochs, 1)
        # Which is no early stopping, either; for none, AllenNLP has a warning.
        kwargs["patience"] = num_epochs if kwargs.get("patience") is None else kwargs["patience"]
        if kwargs.get("validation_metric") == []:
            raise ConfigurationError("found the validation_metric [], expected at least one, such as '+f1'")
        grad_norm = kwargs.get("grad_norm")
        # AllenNLP takes `False` for no limit.
        if not (grad_norm is None or isinstance(grad_norm, bool) or 0 < grad_norm < math.inf):
            raise ConfigurationError(f"found the grad_norm {grad_norm:g}, expected a finite number above 0")
        if kwargs.get("distributed") and kwargs.get("ddp_accelerator") is None:
            kwargs["ddp_accelerator"] = GradientAccelerator(cuda_device=kwargs.get("cuda_device", -1))
        for name, module in kwargs["model"].named_modules():
            if isinstance(module, torch.nn.Dropout) and module.p >= 1:
                raise ConfigurationError(f"found a dropout of {module.p:g} in {name}, expected less than 1")
        return cast(ResumableTrainer, cls.from_partial_objects(checkpointer=checkpointer, **kwargs))

    def train(self) -> Dict[str, Any]:
        """
        Trains the model. Raises `SystemExit` where a SIGTERM has ended it, and `ConfigurationError` where validation
        has other token indexers than training, which would show after the first epoch.
        """
        if self._distributed:
            return super().train()
        if self._validation_data_loader is not None:
            expected, found = map(_token_indexers, (self.data_loader, self._validation_data_loader))
            for name in expected.keys() & found.keys():
                if expected[name] != found[name]:
                    raise ConfigurationError(
                        f"validation_dataset_reader: found the token_indexers {', '.join(found[name])} of {name}, "
                        f"expected those of training, {', '.join(expected[name])}"
                    )
        with self._termination.listening():
            return super().train()

    def batch_outputs(self, batch: TensorDict, for_training: bool) -> Dict[str, torch.Tensor]:
        """Runs the model on a batch. Raises `DivergenceError` where the loss of training is not a finite number."""
        self._termination.before_batch()
        if self.cuda_device.type == "cuda":
            batch = copied_batch(batch, self.cuda_device)
        with checked_indices(self.model) if self._checks_indices else nullcontext():
            outputs = super().batch_outputs(batch, for_training)
        self._checks_indices = False
        # Losses may be too large for mixed precision, which leaves out the steps on them.
        if for_training and self._scaler is None and not torch.isfinite(outputs["loss"]).all():
            found = f"epoch {self._epochs_completed}, batch {self._batches_in_epoch_completed}: found the loss"
            expected = "expected a number; a lower learning rate or grad_norm may help. The batch has"
            raise DivergenceError(f"{found} {outputs['loss'].item()}, {expected} {_described(batch)}")
        return outputs

    def rescale_gradients(self) -> Optional[float]:
        """Scales gradients as AllenNLP's trainer does, including sparse ones, which torch's function does not take."""
        has_sparse = any(p.grad is not None and p.grad.is_sparse for p in self.model.parameters())
        if isinstance(self._grad_norm, bool) or self._ddp_wrapped_model is not None or not has_sparse:
            return super().rescale_gradients()
        if self._scaler is not None:
            self._scaler.unscale_(self.optimizer)
        return clip_gradients(self.model.parameters(), self._grad_norm).item()

    def _try_train(self) -> Tuple[Dict[str, Any], int]:
        try:
            return self._finished_run() or super()._try_train()
        except Terminated:
            # Here and not in the midst of validation, where the weights may be averages.
            if self._checkpointer is not None:
                self._checkpointer.save_checkpoint(self)
            print("ended by SIGTERM; --recover goes on from here", flush=True)
            raise SystemExit(EXIT_CODE) from None
        finally:
            self._shown_progress.close()

    def _finished_run(self) -> Optional[Tuple[Dict[str, Any], int]]:
        """Returns what `_try_train` returned before the run was interrupted, if all its epochs are done."""
        epochs = self._start_after_epochs_completed
        is_last = epochs >= self._num_epochs or self._metric_tracker.should_stop_early()
        if not epochs or self._start_after_batches_in_epoch_completed or not is_last:
            return None
        if self._best_model_filename is None or self._metric_tracker.is_best_so_far():
            self._finalize_model()
        else:
            self._load_model_state(self._best_model_filename)
        with open(os.path.join(self._serialization_dir, f"metrics_epoch_{epochs - 1}.json"), encoding="utf-8") as file:
            return json.load(file), epochs - 1

    def _train_epoch(self, epoch: int) -> Dict[str, float]:
        for rate in (group["lr"] for group in self.optimizer.param_groups):
            if not 0 <= rate < math.inf:
                raise ConfigurationError(f"epoch {epoch}: found the learning rate {rate}, expected a positive number")
        metrics = super()._train_epoch(epoch)
        # An epoch that is skipped on the way to the checkpoint has none.
        if self._distributed or self._epochs_completed < self._start_after_epochs_completed:
            return metrics
        return self._progress.complete(metrics, self._batches_in_epoch_completed)

    def _maybe_restore_checkpoint(self) -> None:
        super()._maybe_restore_checkpoint()
        epochs, batches = self._start_after_epochs_completed, self._start_after_batches_in_epoch_completed
        if not epochs and not batches:
            return
        if self._moving_average is not None:
            follow_parameters(self._moving_average, self._pytorch_model)
        if self._ddp_wrapped_model is not None and self._ddp_wrapped_model.is_sharded:
            return
        best = os.path.join(self._serialization_dir, "best.th")
        is_best = not batches and self._metric_tracker.is_best_so_far()
        # The folder may have another name than when its path was written into the checkpoint.
        if is_best or self._best_model_filename is not None:
            self._best_model_filename = best
        # The checkpoint of an epoch is written before best.th.
        if is_best and self._primary:
            if self._moving_average is not None:
                self._moving_average.assign_average_value()
            self._save_model_state(best)
            if self._moving_average is not None:
                self._moving_average.restore()

    def _save_model_state(self, path: str) -> None:
        # torch.save reports a full disk only for an open file, not for a path.
        with written_whole(path) as unfinished, open(unfinished, "wb") as file:
            super()._save_model_state(cast(str, file))


# `from_params` reads the parameters and their types from the signature. AllenNLP's has `**kwargs`, too, which accept
# misspelled keys.
_parameters = {
    **inspect.signature(GradientDescentTrainer.from_partial_objects.__func__).parameters,  # type: ignore[attr-defined]
    "checkpointer": inspect.signature(ResumableTrainer.from_config).parameters["checkpointer"],
}
del _parameters["kwargs"]
ResumableTrainer.from_config.__func__.__signature__ = inspect.Signature([*_parameters.values()])  # type: ignore[attr-defined]


def _token_indexers(loader: DataLoader) -> Dict[str, List[str]]:
    """Returns the names of the indexers of each text field of the first instance."""
    fields = next(iter(loader.iter_instances()), Instance({})).fields
    return {name: sorted(field.token_indexers) for name, field in fields.items() if isinstance(field, TextField)}


def _described(batch: TensorDict) -> str:
    """Returns the sentences of a batch, as far as its metadata have words."""
    metadata: Any = batch.get("metadata") or []
    instances = [instance for instance in metadata if isinstance(instance, Mapping)]
    # The metadata of a document has those of its sentences.
    words = (part.get("words") for instance in instances for part in instance.get("sentences", [instance]))
    sentences = [repr(" ".join(map(str, sentence)))[:_LONGEST] for sentence in words if sentence]
    return ", ".join(sentences) or "no sentences in its metadata"


def clip_gradients(parameters: Iterable[torch.nn.Parameter], max_norm: float) -> torch.Tensor:
    """Scales dense and sparse gradients to a total norm of at most `max_norm`. Returns the norm before."""
    # `torch.nn.utils.clip_grad_norm_` does not take sparse gradients.
    values: List[torch.Tensor] = []
    for parameter in parameters:
        if parameter.grad is not None and parameter.grad.is_sparse:
            parameter.grad = parameter.grad.coalesce()
            values.append(parameter.grad.values())
        elif parameter.grad is not None:
            values.append(parameter.grad)
    norm = torch.nn.utils.get_total_norm(values)
    scale = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for gradient in values:
        gradient.mul_(scale)
    return norm


def copied_batch(batch: Any, device: torch.device) -> Any:
    """
    Copies a batch from pinned memory to a GPU, which goes on with the step before meanwhile; AllenNLP's
    `move_to_device` waits until the GPU has finished.
    """
    if isinstance(batch, torch.Tensor):
        return batch.pin_memory().to(device, non_blocking=True)
    if isinstance(batch, dict):
        return {key: copied_batch(part, device) for key, part in batch.items()}
    if isinstance(batch, TreeLevels):
        return TreeLevels(*(copied_batch(part, device) for part in batch))
    return move_to_device(batch, device)


@contextmanager
def checked_indices(model: torch.nn.Module) -> Iterator[None]:
    """
    Makes embeddings compare indices with their size while the block runs a model on a batch. Raises
    `ConfigurationError` where an index does not fit, since indexer and embedder are of different kinds or namespaces.
    On a GPU, torch would only report that a kernel has failed.
    """
    handles = [
        module.register_forward_pre_hook(partial(_check_indices, name), with_kwargs=True)
        for name, module in model.named_modules()
        if isinstance(module, (Embedding, TokenCharactersEncoder))
    ]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _check_indices(name: str, module: torch.nn.Module, args: Any, kwargs: Dict[str, Any]) -> None:
    indices = next(iter([*args, *kwargs.values()]))
    if isinstance(module, TokenCharactersEncoder) and indices.dim() != 3:
        raise ConfigurationError(
            f"{name}: found indices of shape {list(indices.shape)}, expected those of the characters of each word: "
            "the indexer is of another kind"
        )
    if isinstance(module, Embedding):
        size, highest = module.num_embeddings, int(indices.max()) if indices.numel() else 0
        if highest >= size:
            raise ConfigurationError(
                f"{name}: found the index {highest}, expected at most {size - 1}: indexer and embedder have different "
                f"namespaces, that of the embedder is {embedding_namespace(module)!r}"
            )
