"""
Tuning: values for options of a configuration, which Optuna chooses by the development data.

A folder has `tuning.json`, the settings; `study.db`, the study of Optuna; `trials/NUMBER`, each a training as
`nerzoo train` writes it, without weights except for the archive of the best one; and the results.
"""

import json
import logging
import math
import multiprocessing
import os
import sys
import warnings
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, Literal, Mapping, NamedTuple, Optional

import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.configuration.check import check_training, read_configuration
from nerzoo.configuration.sources import external_variables, find_configuration, options as options_of
from nerzoo.errors import extra, format_error, in_short
from nerzoo.files import json_text, read_run_file, remove_unfinished, write_text
from nerzoo.inference.workers import start_worker
from nerzoo.runs.runner import lock, start_or_resume, train, validation_metric
from nerzoo.runs.tuning_report import trial_line, values_line, write_tuning_report
from nerzoo.training.trainer import DivergenceError

if TYPE_CHECKING:
    from optuna import Study
    from optuna.distributions import BaseDistribution

_SETTINGS_NAME = "tuning.json"
_STUDY_NAME = "study.db"
_LOCK_NAME = "lock"
_SEED = 13370


class Trial(NamedTuple):
    """A training with some values of the options, by its number in the study."""

    number: int
    folder: Path
    config: Params


def tune(
    param_path: str,
    space_path: str,
    serialization_dir: str,
    num_trials: int,
    jobs: int = 1,
    overrides: str = "",
    settings: Optional[Mapping[str, Any]] = None,
    command: str = "",
    **options: Any,
) -> Dict[str, Any]:
    """
    Trains a configuration with different values of some options, until `num_trials` trials are complete or pruned, and
    reports on them. Trials that are finished in `serialization_dir` are not trained again; one that was interrupted
    goes on from its last checkpoint. Test data is not read.

    The values come from a multivariate tree-structured Parzen estimator, which is seeded with the number of the trial,
    so that interruptions change nothing. The first trial has the values of the configuration itself if they are in the
    space. All trials have the random seeds of the configuration. The callback `pruning` ends bad ones; a loss that is
    not a finite number ends a trial, too.

    `space_path` is a file for `read_space`; `jobs` is the number of trials at a time, each in a process with one thread
    if there are several; `overrides` and `settings` are the overrides and options of `read_configuration`; `command` is
    the one that makes the report; and `options` are those of `train_model`. Returns the content of `report.json`.

    # Raises

    `ConfigurationError` where Optuna is missing, or cannot read the space; the configuration has no such option, does
    not fit its classes at a bound of the space, or has no development data; the folder holds another tuning or one on
    other data, or another process works on it; a training was killed; or no trial is complete.
    """
    # Before anything is trained.
    with extra("tune", ", which chooses the values of options"):
        import optuna
    space, fixed = read_space(space_path), dict(settings or {})
    for name in fixed.keys() & space.keys():
        raise ConfigurationError(f"{space_path}: found the option {name!r}, which --set has, too, expected it once")

    def render(values: Mapping[str, Any]) -> Params:
        return read_configuration(param_path, overrides, options={**fixed, **values})

    for values in _corners(space):
        config = render(values)
        try:
            check_training(config.as_dict(quiet=True))
        except ConfigurationError as error:
            raise ConfigurationError(f"{space_path}: {values_line(values)}: {error}") from error
    if config.get("validation_data_path") is None or config.get("distributed") is not None:
        found, expected = "no validation_data_path or distributed training", "a validation_data_path, and training"
        raise format_error(param_path, found, f"{expected} in one process")
    metric, is_higher_better = validation_metric(param_path, config)
    output = Path(serialization_dir)
    ranges = {name: str(distribution) for name, distribution in space.items()}
    tuning = Params({"configuration": config.as_dict(quiet=True), "space": ranges})
    data = [config.get("train_data_path"), config.get("validation_data_path")]
    start_or_resume(output, _SETTINGS_NAME, "tuning", tuning, data)
    with (output / _LOCK_NAME).open("w") as file:
        if not lock(file):
            raise ConfigurationError(f"{output}: found another process that works on it, expected none")
        remove_unfinished(output)
        study = _open_study(output / _STUDY_NAME, is_higher_better)
        if not study.trials:
            _enqueue_own_values(study, find_configuration(param_path), space)

        def ask() -> Iterator[Trial]:
            states = (optuna.trial.TrialState.COMPLETE, optuna.trial.TrialState.PRUNED)
            for _ in range(num_trials - len(study.get_trials(states=states))):
                study.sampler = optuna.samplers.TPESampler(seed=_SEED + len(study.trials))
                asked = study.ask(space)
                print(f"trial {asked.number}: training with {values_line(asked.params)}", flush=True)
                pruning = {"type": "pruning", "study": f"../../{_STUDY_NAME}", "trial": asked.number, "metric": metric}
                config = _trial_config(render(asked.params), pruning)
                yield Trial(asked.number, output / "trials" / str(asked.number), config)

        def finish(trial: Trial, result: Callable[[], Optional[float]]) -> None:
            _tell(study, trial.number, result)
            print(trial_line(study.trials[trial.number], metric), flush=True)
            _remove_weights(study, output / "trials")

        _do(ask(), partial(_train, metric=metric, **options), finish, jobs)
        if _best(study) is None:
            raise ConfigurationError(f"{output}: found no trial whose loss stayed finite, expected one at least")
        best = render(study.best_params).as_dict(quiet=True)
        heading = f"// {param_path} with {values_line({**fixed, **study.best_params})}\n"
        write_text(output / "best.jsonnet", heading + json_text(best))
        return write_tuning_report(output, study, metric, command)


def read_space(path: str) -> Dict[str, "BaseDistribution"]:
    """
    Reads the ranges of options from a file of JSON or Jsonnet, an object with the name of each option and the arguments
    of a distribution of Optuna: `low` and `high`, for numbers with `log` or `step` if need be, or `choices`. Numbers
    are integers if none of the arguments has a fraction. Raises `ConfigurationError` where Optuna cannot read it.
    """
    space = read_configuration(path).as_dict(quiet=True)
    if not space:
        raise ConfigurationError(f"{path}: found no option, expected one at least")
    return {name: _distribution(f"{path}: found the option {name}", arguments) for name, arguments in space.items()}


def _distribution(found: str, arguments: Any) -> "BaseDistribution":
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    try:
        with warnings.catch_warnings():
            # Optuna changes bounds that do not fit the step, and only warns of it.
            warnings.simplefilter("error")
            if "choices" in arguments:
                return CategoricalDistribution(**arguments)
            has_fractions = any(isinstance(value, float) for value in arguments.values())
            return FloatDistribution(**arguments) if has_fractions else IntDistribution(**arguments)
    except (AttributeError, TypeError, ValueError, UserWarning) as error:
        expected = "expected low and high, perhaps with log or step, or choices"
        raise ConfigurationError(f"{found} = {json.dumps(arguments)} ({in_short(error)}), {expected}") from error


def _corners(space: Mapping[str, Any]) -> Iterator[Dict[str, Any]]:
    """Yields the values of all options at the lower bounds, at the upper ones, and with each choice."""
    ends = {name: getattr(each, "choices", None) or (each.low, each.high) for name, each in space.items()}
    for place in range(max(map(len, ends.values()))):
        yield {name: values[min(place, len(values) - 1)] for name, values in ends.items()}


def _enqueue_own_values(study: "Study", path: Path, space: Mapping[str, Any]) -> None:
    """Makes the values of the configuration itself those of the next trial if they are in the space."""
    own = {option.name: option.value for option in options_of(path, external_variables(path)) if option.name in space}
    if all(_includes(distribution, own[name]) for name, distribution in space.items()):
        study.enqueue_trial(own)


def _includes(distribution: Any, value: Any) -> bool:
    if hasattr(distribution, "choices"):
        return value in distribution.choices
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    num_steps = (value - distribution.low) / (distribution.step or 1)
    # Optuna's tolerance: most fractions are not exact.
    is_step = distribution.step is None or abs(num_steps - round(num_steps)) < 1e-8
    return is_step and distribution.low <= value <= distribution.high


def _trial_config(config: Params, pruning: Dict[str, Any]) -> Params:
    """Returns the configuration of a trial: without test data, with the callback."""
    changed = config.as_dict(quiet=True)
    for name in ("test_data_path", "evaluate_on_test"):
        changed.pop(name, None)
    callbacks = changed["trainer"].get("callbacks") or []
    return Params({**changed, "trainer": {**changed["trainer"], "callbacks": [*callbacks, pruning]}})


def _open_study(path: Path, is_higher_better: bool) -> "Study":
    """Opens the study of a folder that no other process works on. Its trials that were interrupted wait again."""
    import optuna
    from sqlalchemy.pool import NullPool

    # Its messages go where those of AllenNLP go, at the same level.
    optuna.logging.disable_default_handler()
    optuna.logging.enable_propagation()
    optuna.logging.set_verbosity(logging.NOTSET)
    # Processes that are forked must not share a connection.
    storage = optuna.storages.RDBStorage(f"sqlite:///{path}", engine_kwargs={"poolclass": NullPool})
    direction: Literal["maximize", "minimize"] = "maximize" if is_higher_better else "minimize"
    study = optuna.create_study(study_name="tuning", storage=storage, direction=direction, load_if_exists=True)
    study_id = storage.get_study_id_from_name(study.study_name)
    for trial in study.get_trials(states=(optuna.trial.TrialState.RUNNING,)):
        trial_id = storage.get_trial_id_from_study_id_trial_number(study_id, trial.number)
        storage.set_trial_state_values(trial_id, optuna.trial.TrialState.WAITING)
    return study


def _do(
    trials: Iterator[Trial],
    work: Callable[[Trial], Optional[float]],
    finish: Callable[[Trial, Callable[[], Optional[float]]], None],
    jobs: int,
) -> None:
    """
    Does trials, `jobs` at a time, in processes of their own if there are several. Calls `finish` with each trial and
    the function that returns its result or raises its error, before the next trial is drawn.
    """
    if jobs == 1:
        for trial in trials:
            finish(trial, partial(work, trial))
        return
    # A child of a process that may have used a GPU cannot use it.
    method = "fork" if sys.platform == "linux" and not torch.cuda.is_available() else "spawn"
    running: Dict[Future, Trial] = {}
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context(method), initializer=_start_worker)
    try:
        while True:
            running.update((pool.submit(work, trial), trial) for trial in islice(trials, jobs - len(running)))
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                finish(running.pop(future), future.result)
    except BrokenProcessPool as error:
        raise ConfigurationError("found a training that was killed, expected all to live") from error
    except BaseException:
        # Trainings write a checkpoint and end.
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown()


def _start_worker() -> None:
    start_worker()
    # Trials side by side would write over each other; the folder of each has its messages.
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def _train(trial: Trial, metric: str, **options: Any) -> Optional[float]:
    """Trains a trial and returns its best value of the metric, or `None` if it was pruned or its loss is not finite."""
    from optuna import TrialPruned

    try:
        train(trial.config, trial.folder, **options)
    except (TrialPruned, DivergenceError):
        return None
    value = read_run_file(trial.folder / "metrics.json", dict)[f"best_validation_{metric}"]
    return value if math.isfinite(value) else None


def _tell(study: "Study", number: int, result: Callable[[], Optional[float]]) -> None:
    """Tells a study the result of a trial. A trial with an error has failed; its error is raised again."""
    from optuna.trial import TrialState

    try:
        value = result()
    except BrokenProcessPool:
        raise
    except Exception:
        study.tell(number, state=TrialState.FAIL)
        raise
    study.tell(number, value, TrialState.PRUNED if value is None else TrialState.COMPLETE)


def _best(study: "Study") -> Optional[int]:
    """Returns the number of the best complete trial, `None` where there is none."""
    from optuna.trial import TrialState

    return study.best_trial.number if study.get_trials(states=(TrialState.COMPLETE,)) else None


def _remove_weights(study: "Study", folder: Path) -> None:
    """Removes the weights of finished trials, except for the archive of the best one."""
    for trial in study.trials:
        if trial.state.is_finished():
            archives = [] if trial.number == _best(study) else ["model.tar.gz"]
            for pattern in ("*.th", *archives):
                for path in (folder / str(trial.number)).glob(pattern):
                    path.unlink()
