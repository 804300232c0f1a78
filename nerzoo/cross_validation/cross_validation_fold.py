import os
from typing import Any, Dict, List, Optional, cast

import torch
from allennlp.commands.train import TrainModel
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader, DatasetReader, Vocabulary
from allennlp.models import Model
from allennlp.nn.parallel import DdpAccelerator
from allennlp.training import Trainer

from nerzoo.cross_validation.fold_reader import FoldReader
from nerzoo.cross_validation.folds import divide, document_names, parts


@TrainModel.register("cross_validation_fold", constructor="from_fold")
class CrossValidationFold(TrainModel):
    """
    Trains on all folds of the training data but one, and evaluates on that one: a step of `allennlp cross-validate` and
    `allennlp cross-predict`. The dataset reader in the configuration stays what it is, so that the archive is that of
    an ordinary model.
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
        Builds all parts of a training on folds. Parameters that are not listed here are those of
        `TrainModel.from_partial_objects`.

        # Parameters

        train_data_path : `List[str]`
            The files whose documents are divided into folds.
        num_folds : `int`
        fold_seed : `int`
            The seed that decides which document is in which fold.
        test_fold : `int`
            The number of the fold to evaluate on, from 0.
        validation : `bool`, optional (default = `False`)
            Whether another fold is for validation.
        validation_data_path : `str`, optional
            A file for validation, where no fold is.

        # Raises

        `ConfigurationError` where there are fewer documents than folds, or the readers do not find the same documents.
        """
        documents = document_names(dataset_reader, train_data_path)
        if validation_dataset_reader and document_names(validation_dataset_reader, train_data_path) != documents:
            raise ConfigurationError(
                "found dataset_reader and validation_dataset_reader to read different documents from "
                f"{', '.join(train_data_path)}, expected the same ones: each is in one fold"
            )
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
