"""A model run over a file, to fit something that its archive then has."""

import math
from pathlib import Path
from typing import Any, Dict, Optional, Sequence

import numpy
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import Archive

from nerzoo.archives import CALIBRATION_NAME, copy_archive
from nerzoo.evaluation.model_scores import ModelScores, SpanScores, TagScores, load_to_rewrite
from nerzoo.evaluation.promises import Promise
from nerzoo.files import json_text
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.models.sequence_tagger import TaggingModel

LOWEST, HIGHEST = 0.05, 20.0
"""The range in which temperatures are searched."""


def calibrate(
    archive_file: str,
    dev_file: str,
    output_file: str,
    promises: Sequence[Promise] = (),
    test_file: Optional[str] = None,
    batch_size: int = 32,
    cuda_device: int = -1,
) -> Dict[str, Any]:
    """
    Writes an archive that differs from `archive_file` in the temperature of the model's distribution, with which the
    negative log-likelihood of development data is lowest (Guo et al., "On Calibration of Modern Neural Networks", 2017,
    section 4.2), and in the thresholds of `promises`. These are fitted on every other sentence, and the temperature
    then on the rest: a threshold promises nothing about data that its scores were fitted on. Temperature and thresholds
    that the archive had are replaced.

    # Parameters

    archive_file : `str`
        A path or a URL: of a tagger with any head, or of a `fofe_ner`.
    dev_file : `str`
        Data that the model was not trained on, of the format that it reads.
    output_file : `str`
    promises : `Sequence[Promise]`, optional
    test_file : `str`, optional
        Data to measure the result on.
    batch_size : `int`, optional (default = `32`)
    cuda_device : `int`, optional (default = `-1`)

    # Returns

    `Dict[str, Any]`
        The content of `calibration.json` in the archive: the `temperature`; for the `development` and the `test` data
        the measures `before` and `after`, see `ModelScores.measures`, and those of each promise, on development data of
        the sentences that it was fitted on; and the `promises`, each with what was `wished` and its thresholds.

    # Raises

    `ConfigurationError` where the model has no such distribution, the output exists, no temperature from 0.05 to 20 is
    best, or a promise cannot be kept.
    """
    archive = load_to_rewrite(archive_file, output_file, cuda_device)
    before = getattr(getattr(archive.model, "head", archive.model), "temperature", 1.0)
    scores = _scores(archive, archive_file, dev_file, batch_size)
    is_fitted = numpy.ones(scores.num_sentences, bool)
    if promises:
        is_fitted[1::2] = False
    temperature = _best_temperature(scores, is_fitted, dev_file)
    config = archive.config.duplicate().as_dict(quiet=True)
    options = scores.options(config["model"])
    for name in ("min_probability", "n_best_mass"):
        options.pop(name, None)
    options["temperature"] = temperature
    summary: Dict[str, Any] = {"temperature": temperature, "promises": {}}
    for promise in promises:
        fitted = promise.fit(scores, temperature, ~is_fitted)
        options |= fitted
        summary["promises"][promise.name] = {"wished": promise.wished, **fitted}
    summary["development"] = _measure(scores, dev_file, before, temperature, promises, ~is_fitted)
    if test_file is not None:
        of_test = _scores(archive, archive_file, test_file, batch_size)
        everywhere = numpy.ones(of_test.num_sentences, bool)
        summary["test"] = _measure(of_test, test_file, before, temperature, promises, everywhere)
    copy_archive(archive_file, output_file, config, {CALIBRATION_NAME: json_text(summary)})
    return summary


def _scores(archive: Archive, archive_file: str, file: str, batch_size: int) -> ModelScores:
    model = archive.model
    if isinstance(model, FofeNer):
        return SpanScores(archive, model, file, batch_size)
    if isinstance(model, TaggingModel):
        return TagScores(archive, model, file, batch_size)
    raise ConfigurationError(
        f"{archive_file}: found a model of type {archive.config['model']['type']}, expected a tagger or a fofe_ner: "
        "language models and models of threads are not calibrated"
    )


def _best_temperature(scores: ModelScores, rows: numpy.ndarray, file: str) -> float:
    from scipy.optimize import minimize_scalar

    # Convex in the inverse of the temperature: a sum of log-partition functions of what is linear in it.
    found = minimize_scalar(
        lambda log: scores.negative_log_likelihood(math.exp(log))[rows].sum(),
        bounds=(math.log(LOWEST), math.log(HIGHEST)),
        method="bounded",
        options={"xatol": 1e-4},
    )
    temperature = math.exp(found.x)
    if not LOWEST * 1.01 < temperature < HIGHEST / 1.01:
        raise ConfigurationError(
            f"{file}: found the lowest negative log-likelihood at the temperature {temperature:.3g}, expected it "
            f"between {LOWEST:g} and {HIGHEST:g}: on data that the model was not trained on, and has learned to predict"
        )
    return round(temperature, 4)


def _measure(
    scores: ModelScores,
    file: str,
    before: float,
    temperature: float,
    promises: Sequence[Promise],
    rows: numpy.ndarray,
) -> Dict[str, Any]:
    return {
        "file": Path(file).name,
        "sentences": scores.num_sentences,
        "before": scores.measures(before),
        "after": scores.measures(temperature),
        **{promise.name: promise.measure(scores, temperature, rows) for promise in promises},
    }
