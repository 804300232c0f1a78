from pathlib import Path
from typing import List, Optional

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.cross_validation.fold_prediction import PREDICTIONS_NAME, predict_folds
from nerzoo.cross_validation.fold_training import fold_config, start_or_resume, train_folds
from nerzoo.cross_validation.training_run import train


def cross_predict(
    params: Params,
    serialization_dir: str,
    num_folds: int = 5,
    seed: int = 13370,
    include_package: Optional[List[str]] = None,
    file_friendly_logging: bool = False,
) -> None:
    """
    Predicts each fold of the training data by a model that was trained on the others. Writes into `serialization_dir`
    the folders `fold-0` and so on; the folder `model`, of a model that is trained on all training data; and at last
    `predictions.jsonl`, predictions for the training data in its own order, in the form of `allennlp predict`. A
    sentence without a document is a document of its own.

    Trainings that are finished are not done again; one that was interrupted goes on from its last checkpoint. Each
    training has the random seeds of the configuration and its `validation_data_path`, if any. The vocabulary of a fold
    is that of all data, unless `datasets_for_vocab_creation` names some of `train`, `validation` and `test`.

    # Parameters

    params : `Params`
        A configuration that `allennlp train` takes.
    serialization_dir : `str`
    num_folds : `int`, optional (default = `5`)
    seed : `int`, optional (default = `13370`)
        Decides which document is in which fold, and nothing else.
    include_package : `List[str]`, optional
    file_friendly_logging : `bool`, optional (default = `False`)

    # Raises

    `ConfigurationError` where there are fewer documents than folds, or fewer than two folds, or the folder holds
    another configuration or other folds.
    """
    if num_folds < 2:
        raise ConfigurationError(f"found {num_folds} folds, expected at least 2: to train and to predict")
    output = Path(serialization_dir)
    config = fold_config(
        params,
        params.get("train_data_path"),
        num_folds,
        seed,
        validation_data_path=params.get("validation_data_path"),
    )
    folds = start_or_resume(output, config, "cross-prediction")
    for _ in train_folds(output, config, include_package, file_friendly_logging):
        pass
    predictions_file = output / PREDICTIONS_NAME
    if not predictions_file.exists():
        print("model: training on all folds", flush=True)
        train(params, output / "model", include_package, file_friendly_logging)
        predict_folds(output, folds, config)
    print(f"finished: {predictions_file} and {output / 'model/model.tar.gz'}", flush=True)
