"""
The trainings that `nerzoo train` has beside that of a configuration: on files of one's own, from a trained model, with
several seeds, and by several processes.
"""

import os
import statistics
from os import PathLike
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Union

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.models.model import remove_weights_related_keys_from_params

from nerzoo import archives
from nerzoo.archives.reading import read_config
from nerzoo.configuration.check import SEEDS, from_options
from nerzoo.errors import format_error
from nerzoo.files import read_run_file
from nerzoo.formats.corpus import Corpus
from nerzoo.reports.description import describe
from nerzoo.runs.runner import (
    SETTINGS_NAME,
    TrainingRun,
    data_paths,
    run_in_turn,
    start_or_resume,
    train,
    validation_metric,
)
from nerzoo.text.matching import written_score

_OPTIMIZATION = ("optimizer", "learning_rate_scheduler", "grad_norm")
"""The options of a trainer that depend on whether a transformer is tuned."""


class OwnData(NamedTuple):
    """Overrides of a configuration by which it reads one's own files, and lines that say what they have."""

    overrides: Dict[str, Any]
    description: List[str]


def own_data(params: Params, train: str, dev: Optional[str], corpus: Dict[str, Any]) -> OwnData:
    """
    Returns the data of a training with a configuration, of which `train` and `dev` are files in the format `corpus`.
    Without `dev`, a tenth of `train` is the development data, see `DividedCorpus`. Raises `ConfigurationError` where
    the configuration reads no corpus, or a file is not in the format.
    """
    if params.get("dataset_reader", Params({})).get("corpus") is None:
        raise ConfigurationError("found --train and a configuration without dataset_reader.corpus, expected one")
    lines = [f"{train} is read as {corpus['type']}."]
    if dev is None:
        lines.append("A tenth of it, chosen at random, is the development data; --dev would name a file.")
        train, dev, corpus = f"{train}#train", f"{train}#dev", {"type": "divided", "corpus": corpus}
    reader = from_options(Corpus, corpus)
    facts = describe({"training data": reader.read(train), "development data": reader.read(dev)})["parts"]
    for part in facts:
        counts = part["types"] or part["tags"] or part["pos"]
        found = ", ".join(f"{label} {count:,}" for label, count in counts.items()) or "no entities"
        lines.append(f"The {part['name']}: {part['sentences']:,} sentences, {part['words']:,} words; {found}.")
    for part, other in (facts, facts[::-1]):
        if alone := sorted({*part["types"]} - {*other["types"]}):
            lines.append(f"Only the {part['name']} has {', '.join(alone)}.")
    overrides: Dict[str, Any] = {"train_data_path": train, "validation_data_path": dev}
    for name in ("dataset_reader", "validation_dataset_reader"):
        if name in params:
            overrides[f"{name}.corpus"] = corpus
    return OwnData(overrides, lines)


def fine_tuned(params: Params, archive: Union[str, PathLike]) -> Params:
    """
    Returns the configuration of a training that continues the tagger of an archive on other data. `params` have the
    data, the `min_count` of its vocabulary, and the training; the archive has the model and the reading of words. Types
    of entities are those of the new data. A transformer that is tuned goes on with the optimizer and the schedule of
    the archive, unless those of `params` have groups of parameters. Raises `ConfigurationError` where the archive is
    missing or damaged, or has such a transformer and no training; and where `params` has no corpus.
    """
    given = params.as_dict(quiet=True)
    corpus = given.get("dataset_reader", {}).get("corpus")
    if corpus is None:
        raise ConfigurationError("found --from and a configuration without dataset_reader.corpus, expected one")
    with archives.unpacked(archive) as folder:
        archived = Params(read_config(archive, folder))
        # A tagger that reads words by a transformer alone has no vocabulary of words.
        min_count = {
            name: count
            for name, count in (given.get("vocabulary", {}).get("min_count") or {}).items()
            if (folder / f"vocabulary/{name}.txt").exists()
        }
    model = archived["model"]
    if _tunes_transformer(model.as_dict(quiet=True)) and "parameter_groups" not in given["trainer"]["optimizer"]:
        if "trainer" not in archived:
            raise format_error(archive, "a tuned transformer and no training", "the archive that it is exported from")
        trainer = archived["trainer"].as_dict(quiet=True)
        given["trainer"].update({name: trainer.get(name) for name in _OPTIMIZATION})
    remove_weights_related_keys_from_params(model)
    head = model.get("head", {})
    if isinstance(head, Params):
        # `calibrate` has fitted them to the archive's own data.
        for name in ("temperature", "min_probability", "n_best", "n_best_mass"):
            head.pop(name, None)
    reader = _with_archive(archived["dataset_reader"].as_dict(quiet=True), str(archive))
    readers = {
        name: {**reader, "corpus": given[name].get("corpus", corpus)}
        for name in ("dataset_reader", "validation_dataset_reader")
        if name in given
    }
    return Params(
        {
            **given,
            **readers,
            "vocabulary": {"type": "from_archive", "archive": str(archive), "min_count": min_count},
            "model": {**model.as_dict(quiet=True), "pretrained_file": str(archive)},
        }
    )


def _tunes_transformer(config: Any) -> bool:
    """Returns whether a part of the configuration of a model is a transformer that is tuned."""
    if not isinstance(config, dict):
        return False
    is_tuned = config.get("type") == "transformer" and config.get("train_parameters", True)
    return is_tuned or any(map(_tunes_transformer, config.values()))


def _with_archive(config: Any, archive: str) -> Any:
    """Returns the configuration of a reader whose indexers read their transformer from an archive."""
    if not isinstance(config, dict):
        return config
    found = {name: _with_archive(value, archive) for name, value in config.items()}
    return {**found, "archive": archive} if found.get("type") == "transformer" else found


def in_processes(params: Params, jobs: int) -> Params:
    """
    Returns the configuration of a training by `jobs` processes on a CPU, which share the sentences of each batch. Each
    has an equal part of the cores. Raises `ConfigurationError` where the configuration is `distributed` already, or has
    no batches that can be divided.
    """
    config = params.as_dict(quiet=True)
    loader = config["data_loader"]
    sampler = loader.get("batch_sampler") or loader
    size = sampler.get("batch_size") or 0 if isinstance(sampler, dict) else 0
    if "distributed" in config:
        raise ConfigurationError("found --jobs and a configuration with distributed, expected one of them")
    if size < jobs:
        found = f"found --jobs {jobs} and batches of {size} instances"
        raise ConfigurationError(f"{found}, expected a batch_size of {jobs} or more")
    sampler["batch_size"] = round(size / jobs)
    # Read by the processes when they start.
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // jobs)))
    return Params({**config, "distributed": {"cuda_devices": [-1] * jobs}})


def train_with_seeds(params: Params, output: Path, num_seeds: int, **options: Any) -> None:
    """
    Trains a model with each seed from 1 on, in the folder `seed-1` of `output` and so on, with options of
    `train_model`. Prints the validation metric of each, their mean and their standard deviation. Models that are
    trained are not trained again, and one that was interrupted goes on. Raises `ConfigurationError` where the
    configuration has no single validation metric, or `output` holds models of another configuration or of other data,
    or something else.
    """
    name, _ = validation_metric("--seeds", params)
    given = params.as_dict(quiet=True)
    start_or_resume(output, SETTINGS_NAME, "model", Params({**given, **dict.fromkeys(SEEDS)}), data_paths(params))
    runs = []
    for seed in range(1, num_seeds + 1):
        folder = output / f"seed-{seed}"
        config = Params({**given, **dict.fromkeys(SEEDS, seed)})
        runs.append(TrainingRun(f"seed {seed}", folder, folder / archives.ARCHIVE_NAME, config))
    scores = list(
        run_in_turn(
            runs,
            lambda run: train(run.config, run.folder, **options),
            lambda path: read_run_file(path.with_name("metrics.json"), dict)[f"best_validation_{name}"],
            lambda score: f"validation {name} {written_score(name, score)}",
        )
    )
    if len(scores) > 1:
        mean, deviation = (written_score(name, measure(scores)) for measure in (statistics.mean, statistics.stdev))
        print(f"mean {mean}, standard deviation {deviation}")
