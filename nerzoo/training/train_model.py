import os
import shutil
import sys
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterator, Optional, Union

from allennlp.commands import train
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model

from nerzoo.configuration.check import check_training, read_configuration
from nerzoo.files import UNFINISHED, check_is_no_input, check_links, read_run_file, remove_unfinished, written_whole
from nerzoo.training.callbacks.final_report import metrics_line, reported_metrics, scores_by_type, type_table


class _WholeParams(Params):
    """`Params` that are written whole or not at all; AllenNLP's `config.json` may be cut off."""

    def to_file(self, params_file: str, preference_orders: Any = None) -> None:
        with written_whole(params_file) as unfinished:
            super().to_file(str(unfinished), preference_orders)


def train_model_from_file(
    parameter_filename: Union[str, PathLike],
    serialization_dir: Union[str, PathLike],
    overrides: Union[str, Dict[str, Any]] = "",
    **options: Any,
) -> Optional[Model]:
    """
    Trains as `allennlp.commands.train.train_model_from_file` does. Raises what `read_configuration` and `train_model`
    raise.
    """
    return train_model(read_configuration(parameter_filename, overrides), serialization_dir, **options)


def train_model(
    params: Params, serialization_dir: Union[str, PathLike], recover: bool = False, force: bool = False, **options: Any
) -> Optional[Model]:
    """
    Trains as `allennlp.commands.train.train_model` does, whose parameters it has. Raises `ConfigurationError` where the
    configuration does not fit the classes that it names, before anything is written, where a link leads out of the
    folder, or where `force` would remove a file that the configuration names. A training that ends by this error before
    its first checkpoint leaves no folder, which would be in the way of the next. Where the configuration evaluates the
    model on test data, prints its scores.
    """
    _set_treebanks(params)
    is_tested = params.get("evaluate_on_test", False) and params.get("test_data_path") is not None
    check_training(params.as_dict(quiet=True))
    check_links(serialization_dir)
    if force:
        check_is_no_input(serialization_dir, _paths(params.as_dict(quiet=True)))
    found = list(Path(serialization_dir).iterdir()) if os.path.isdir(serialization_dir) else []
    # A run that was killed before its config.json was whole has nothing to recover, and nothing to lose.
    if found and all(path.match(UNFINISHED) for path in found):
        remove_unfinished(serialization_dir)
        recover = False
    is_new = not os.path.exists(serialization_dir)
    hook = sys.excepthook
    try:
        whole = _WholeParams(params.params, params.history)
        model = train.train_model(whole, serialization_dir, recover, force, **options)
    except ConfigurationError:
        if is_new and not any(Path(serialization_dir).glob("*.th")):
            shutil.rmtree(serialization_dir, ignore_errors=True)
        raise
    finally:
        # AllenNLP replaces it when it sets up its log.
        sys.excepthook = hook
    if model is not None and is_tested:
        metrics = read_run_file(Path(serialization_dir, "metrics.json"), dict)
        print(f"test: {metrics_line(reported_metrics(metrics, 'test_'))}")
        by_type = scores_by_type(model)
        print(*([type_table(by_type)] if by_type else []), sep="\n", flush=True)
    return model


def _paths(value: Any, key: str = "") -> Iterator[str]:
    """Yields the texts in a configuration that may be paths. Others may be equal to the name of a folder by chance."""
    if isinstance(value, str) and (os.sep in value or key.endswith("data_path")):
        yield value
    for name, part in value.items() if isinstance(value, dict) else ():
        yield from _paths(part, name)
    for part in value if isinstance(value, list) else ():
        yield from _paths(part, key)


def _set_treebanks(params: Params) -> None:
    """
    Names the training data as the treebank of each parser whose treebank is `"train_data_path"`, also where overrides
    have changed it. Raises `ConfigurationError` where a parser would be trained on other data than its model.
    """
    training_data = params.get("train_data_path")
    for name in ("dataset_reader", "validation_dataset_reader"):
        parser: Any = params
        for key in (name, "parser"):
            parser = parser.get(key) if isinstance(parser, Params) else None
        treebank = parser.get("treebank") if isinstance(parser, Params) else None
        if treebank == "train_data_path":
            parser["treebank"] = training_data
        elif treebank not in (None, training_data):
            found = f"{name}.parser.treebank = {treebank!r}, expected the train_data_path"
            raise ConfigurationError(f"found {found}, {training_data!r}: a parser learns from no other data")
