"""The documents of files, divided into folds for cross-validation."""

import logging
import os
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple, cast

import torch
from allennlp.commands.train import TrainModel
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.common.logging import AllenNlpLogger
from allennlp.data import DataLoader, DatasetReader, Instance, Vocabulary
from allennlp.data.dataset_readers.dataset_reader import WorkerInfo
from allennlp.models import Model
from allennlp.nn.parallel import DdpAccelerator
from allennlp.training import Trainer

from nerzoo.allennlp_private import set_worker_info

logger = cast(AllenNlpLogger, logging.getLogger(__name__))


def instances_by_document(reader: DatasetReader, paths: List[str]) -> Iterator[Tuple[str, Instance]]:
    """
    Yields all instances of the files with the names of their documents: `path:id`, since two files may use the same
    ids. The id is `document_id` in the `metadata` of an instance. An instance without it is a document of its own,
    named `path[position]`.
    """
    for path in paths:
        for position, instance in enumerate(reader.read(path)):
            metadata = getattr(instance.fields.get("metadata"), "metadata", {})
            document_id = metadata.get("document_id")
            if document_id is None:
                logger.warning_once(f"{path}: found instances without a document_id, each is taken as a document")
            yield f"{path}[{position}]" if document_id is None else f"{path}:{document_id}", instance


def document_names(reader: DatasetReader, paths: List[str]) -> List[str]:
    """Lists the names of all documents, in order of appearance."""
    return list(dict.fromkeys(name for name, _ in instances_by_document(reader, paths)))


def divide(documents: List[str], num_folds: int, seed: int) -> List[List[str]]:
    """
    Divides documents into folds at random, as `seed` decides. The sizes of two folds differ by one document at most.
    Raises `ConfigurationError` where there are fewer documents than folds.
    """
    if len(documents) < num_folds:
        expected = f"at least one for each of {num_folds} folds"
        raise ConfigurationError(f"found {len(documents)} documents, expected {expected}")
    # Its import takes longer than that of nerzoo.
    from sklearn.model_selection import KFold

    splitter = KFold(num_folds, shuffle=True, random_state=seed)
    return [[documents[position] for position in positions] for _, positions in splitter.split(documents)]


def parts(folds: List[List[str]], test_fold: int, validation: bool) -> Dict[str, List[str]]:
    """
    Returns the documents of the parts `train` and `test`, the fold `test_fold`, and if asked for `validation`, the fold
    after it or, after the last one, the first.
    """
    held_out = {"test": test_fold, **({"validation": (test_fold + 1) % len(folds)} if validation else {})}
    train = sum((documents for fold, documents in enumerate(folds) if fold not in held_out.values()), [])
    return {"train": train, **{part: folds[fold] for part, fold in held_out.items()}}


class FoldReader(DatasetReader):
    """
    Reads the documents of one part of the files `paths` with another reader. In place of a path it takes the name of a
    part; any other path is that of a file, all of which is read. `parts` has for each part the names of its documents,
    as in `instances_by_document`.
    """

    def __init__(self, reader: DatasetReader, paths: List[str], parts: Dict[str, List[str]]) -> None:
        super().__init__(manual_distributed_sharding=True, manual_multiprocess_sharding=True)
        self._reader = reader
        self._paths = paths
        self._parts = {part: frozenset(documents) for part, documents in parts.items()}

    def _read(self, file_path: str) -> Iterable[Instance]:
        if file_path not in self._parts:
            return self.shard_iterable(self._reader.read(file_path))
        documents = self._parts[file_path]
        instances = instances_by_document(self._reader, self._paths)
        return self.shard_iterable(instance for document, instance in instances if document in documents)

    def apply_token_indexers(self, instance: Instance) -> None:
        self._reader.apply_token_indexers(instance)

    def _set_worker_info(self, info: Optional[WorkerInfo]) -> None:
        super()._set_worker_info(info)
        # The inner reader reads everything, since the names of instances without a document depend on their positions.
        # With the information of a worker it does not add token indexers to instances that go to another process.
        set_worker_info(self._reader, WorkerInfo(num_workers=1, id=0))


@TrainModel.register("cross_validation_fold", constructor="from_fold")
class CrossValidationFold(TrainModel):
    """
    Trains on all folds of the training data but one, and evaluates on that one: a step of `nerzoo cross-validate` and
    `nerzoo cross-predict`. The dataset reader in the configuration is not changed, so that the archive is that of an
    ordinary model.
    """

    @classmethod
    def from_fold(
        cls,
        serialization_dir: str,
        local_rank: int,
        dataset_reader: DatasetReader,
        train_data_path: List[str],
        model: Lazy[Model],
        data_loader: Lazy[DataLoader],
        trainer: Lazy[Trainer],
        num_folds: int,
        fold_seed: int,
        test_fold: int,
        validation: bool = False,
        vocabulary: Optional[Lazy[Vocabulary]] = None,
        datasets_for_vocab_creation: Optional[List[str]] = None,
        validation_dataset_reader: Optional[DatasetReader] = None,
        validation_data_path: Optional[str] = None,
        validation_data_loader: Optional[Lazy[DataLoader]] = None,
        batch_weight_key: str = "",
        ddp_accelerator: Optional[DdpAccelerator] = None,
    ) -> "CrossValidationFold":
        """
        Builds all parts of a training on folds. The documents of the files `train_data_path` are divided into
        `num_folds` folds, as `fold_seed` decides. Evaluation is on the fold `test_fold`, which counts from 0; with
        `validation`, another fold is for validation, and without it the file `validation_data_path`, if any. Other
        parameters are those of `TrainModel.from_partial_objects`. Raises `ConfigurationError` where there are fewer
        documents than folds, or the readers do not find the same documents.
        """
        documents = document_names(dataset_reader, train_data_path)
        if validation_dataset_reader and document_names(validation_dataset_reader, train_data_path) != documents:
            found = "dataset_reader and validation_dataset_reader to read different documents from "
            expected = "the same ones: each is in one fold"
            raise ConfigurationError(f"found {found}{', '.join(train_data_path)}, expected {expected}")
        divided = parts(divide(documents, num_folds, fold_seed), test_fold, validation)
        fold = cls.from_partial_objects(
            serialization_dir=serialization_dir,
            local_rank=local_rank,
            dataset_reader=FoldReader(dataset_reader, train_data_path, divided),
            train_data_path="train",
            model=model,
            data_loader=data_loader,
            trainer=trainer,
            vocabulary=vocabulary or Lazy(Vocabulary),
            datasets_for_vocab_creation=datasets_for_vocab_creation,
            validation_dataset_reader=FoldReader(validation_dataset_reader or dataset_reader, train_data_path, divided),
            validation_data_path="validation" if validation else validation_data_path,
            validation_data_loader=validation_data_loader,
            test_data_path="test",
            evaluate_on_test=True,
            batch_weight_key=batch_weight_key,
            ddp_accelerator=ddp_accelerator,
        )
        return cast(CrossValidationFold, fold)

    def finish(self, metrics: Dict[str, Any]) -> None:
        """Evaluates the weights that go into the archive."""
        # A checkpoint is written before the trainer notes that its epoch is the best: one that recovers from the first
        # may end with the weights of the last epoch in the model, and those of the best one in the archive.
        best_weights = os.path.join(self.serialization_dir, "best.th")
        self.model.load_state_dict(torch.load(best_weights, map_location="cpu"))
        super().finish(metrics)
