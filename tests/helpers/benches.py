"""Benches on the fixture treebank, with runs in the process of the test."""

import subprocess
from pathlib import Path

from helpers.paths import CONFIGS, FIXTURES

from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.runs.bench import Bench, Settings, execute
from nerzoo.runs.bench_data import RunSpecification

PEOPLE_AND_PLACES = FIXTURES / "people_and_places"
FILES = [str(PEOPLE_AND_PLACES / f"{part}.txt") for part in ("dev", "dev", "test")]
BENCH_CONFIGS = str(CONFIGS / "bench")


def settings(**more):
    """Returns settings of a bench with one system that trains at once, changed by `more`."""
    given = {"systems": ["feature_crf"], "minutes": None, "seeds": 1, **more}
    return Settings(**{"inputs": FILES, "corpus": "columns", "configs": BENCH_CONFIGS, **given})


def run_here(patch, done=None):
    """Does runs in this process and notes them in `done`; a run that raises an exception fails."""

    def process(command, **kwargs):
        folder = Path(command[-1])
        if done is not None:
            done.append(f"{folder.parent.name}/{folder.name}")
        try:
            execute(folder)
        except Exception as error:
            kwargs["stdout"].write(str(error))
            raise subprocess.CalledProcessError(1, command) from error

    patch.setattr(subprocess, "run", process)


def do_bench(folder, patch, done=None, corpus=None, **more):
    """Starts a bench and does its runs."""
    run_here(patch, done)
    bench = Bench(folder)
    bench.start(settings(**more), corpus or ColumnsCorpus())
    bench.run()
    return bench


def write_run(folder, system, data, **more):
    """Writes the specification of a run on data in the folder `data`; returns the folder of the run."""
    given = {"seed": 1, "epochs": 1, "max_length": 3, "configs": BENCH_CONFIGS, **more}
    run = folder / "runs" / f"{system}-{given['seed']}-0"
    RunSpecification(system=system, data=str(data), **given).write(run)
    return run
