"""Untrained models of configurations, with data of the GUM treebank or others, for the benchmarks."""

import os
from dataclasses import dataclass
from itertools import islice
from typing import Any, Callable, Dict, List, Optional

import torch
from allennlp.common import Params
from allennlp.common.util import import_module_and_submodules
from allennlp.data import Batch, DatasetReader, Instance, Vocabulary
from allennlp.data.samplers import MaxTokensBatchSampler
from allennlp.models import Model
from allennlp.nn.util import move_to_device
from allennlp.training.optimizers import Optimizer

import nerzoo  # noqa: F401
from experiments.common import corpus

DEV = corpus("gum/dev.conllu.gz")
TRAIN = corpus("gum/train.conllu.gz")


@dataclass
class System:
    """An untrained model of a configuration, and what it reads."""

    model: Model
    optimizer: Optimizer
    instances: List[Instance]
    batches: List[Dict[str, Any]]
    batch_size: int

    @property
    def num_tokens(self) -> int:
        return sum(len(instance["tokens"]) for instance in self.instances)

    @property
    def num_parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.model.parameters())

    def train(self) -> None:
        """One pass over the batches."""
        self.model.train()
        for batch in self.batches:
            self.optimizer.zero_grad()
            self.model(**batch)["loss"].backward()
            self.optimizer.step()

    def predict(self, max_tokens: Optional[int] = None) -> List[Dict[str, Any]]:
        """
        From instances without gold tags or spans to what is predicted, in batches of `batch_size` or, if given,
        of up to `max_tokens` tokens, padding included.
        """
        self.model.eval()
        without_gold = [
            Instance({name: field for name, field in instance.fields.items() if name not in ("tags", "spans")})
            for instance in self.instances
        ]
        places = range(len(without_gold))
        batches = [places[start : start + self.batch_size] for start in places[:: self.batch_size]]
        if max_tokens is not None:
            batches = MaxTokensBatchSampler(max_tokens, ["tokens"], padding_noise=0.0).get_batch_indices(without_gold)
        groups = [[without_gold[place] for place in batch] for batch in batches]
        return [output for group in groups for output in self.model.forward_on_instances(group)]


def build(
    config: str,
    read: Callable[[DatasetReader], List[Instance]],
    device: str,
    batch_size: int = 32,
    overrides: str = "",
) -> System:
    """The configuration `config`, changed by `overrides`, with what `read` has from its reader, sorted by length."""
    import_module_and_submodules("allennlp_models.tagging")
    os.environ["SEED"] = os.environ.get("SEED") or "1"
    params = Params.from_file(config, overrides)
    reader = DatasetReader.from_params(params["dataset_reader"])
    instances = sorted(read(reader), key=lambda instance: len(instance["tokens"]))
    for instance in instances:
        reader.apply_token_indexers(instance)
    vocab = Vocabulary.from_instances(instances)
    groups = (instances[start : start + batch_size] for start in range(0, len(instances), batch_size))
    batches = [as_tensors(group, vocab) for group in groups]
    return assemble(params, vocab, instances, batches, device, batch_size)


def first(path: str, number: int) -> Callable[[DatasetReader], List[Instance]]:
    """A function for `build` that reads the first `number` instances of a file."""
    return lambda reader: list(islice(reader.read(path), number))


def as_tensors(instances: List[Instance], vocab: Vocabulary) -> Dict[str, Any]:
    """The tensors of a batch."""
    batch = Batch(instances)
    batch.index_instances(vocab)
    return batch.as_tensor_dict()


def assemble(
    params: Params,
    vocab: Vocabulary,
    instances: List[Instance],
    batches: List[Dict[str, Any]],
    device: str,
    batch_size: int,
) -> System:
    """The model and the optimizer of a configuration, with batches of instances."""
    model = Model.from_params(params["model"], vocab=vocab).to(device)
    optimizer = Optimizer.from_params(params["trainer"]["optimizer"], model_parameters=list(model.named_parameters()))
    return System(model, optimizer, instances, move_to_device(batches, torch.device(device)), batch_size)
