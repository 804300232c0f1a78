"""Predictions for the data of each fold by the model that was trained on the others."""

import gc
from pathlib import Path
from typing import Dict, Iterator, List

import torch
from allennlp.common import Params
from allennlp.common.util import lazy_groups_of
from allennlp.predictors import Predictor

from nerzoo import archives
from nerzoo.cross_validation.folds import instances_by_document
from nerzoo.files import write_text

PREDICTIONS_NAME = "predictions.jsonl"
BATCH_SIZE = 32


def predict_folds(output: Path, folds: List[List[str]], config: Params) -> None:
    """
    Writes `output/predictions.jsonl`: for each instance of the data, in its order, the prediction of the model that was
    not trained on it, in the form of `allennlp predict`. Does nothing if the file exists.

    # Parameters

    output : `Path`
        The folder in which `train_folds` has trained on all folds.
    folds : `List[List[str]]`
        The names of the documents of each fold, as `start_or_resume` returns them.
    config : `Params`
        The configuration that `fold_config` returns.
    """
    predictions_file = output / PREDICTIONS_NAME
    if predictions_file.exists():
        return
    predictions: Dict[int, str] = {}
    for number, documents in enumerate(folds):
        predictions.update(_predict(output / f"fold-{number}", documents, config))
    write_text(predictions_file, "".join(predictions[position] for position in sorted(predictions)))


def _predict(folder: Path, documents: List[str], config: Params) -> Iterator[tuple[int, str]]:
    """Yields the position in the training data and the prediction of each instance of these documents."""
    gc.collect()
    device = config.get("trainer", {}).get("cuda_device")
    if device is None:
        device = 0 if torch.cuda.is_available() else -1
    archive = archives.load(folder / archives.ARCHIVE_NAME, device)
    predictor = Predictor.from_archive(archive)
    held_out = frozenset(documents)
    instances = (
        (position, instance)
        for position, (document, instance) in enumerate(
            instances_by_document(archive.validation_dataset_reader, config["train_data_path"])
        )
        if document in held_out
    )
    for group in lazy_groups_of(instances, BATCH_SIZE):
        positions, batch = zip(*group, strict=True)
        for position, prediction in zip(positions, predictor.predict_batch_instance(list(batch)), strict=True):
            yield position, predictor.dump_line(prediction)
