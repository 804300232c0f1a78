"""Benches on the fixture treebank, whose runs are done in the process of the test."""

from pathlib import Path
from types import SimpleNamespace

from helpers.paths import CONFIGS, FIXTURES

from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.runs import run
from nerzoo.runs.bench import Bench, Settings
from nerzoo.runs.execution import execute
from nerzoo.runs.run import RunSpecification

PEOPLE_AND_PLACES = FIXTURES / "people_and_places"
FILES = [str(PEOPLE_AND_PLACES / f"{part}.txt") for part in ("dev", "dev", "test")]
BENCH_CONFIGS = str(CONFIGS / "bench")


def settings(**more):
    """Those of a bench that trains a system which takes no time; `more` says what is different."""
    given = {"systems": ["feature_crf"], "minutes": None, "seeds": 1, **more}
    return Settings(**{"inputs": FILES, "corpus": "columns", "configs": BENCH_CONFIGS, **given})


def run_here(patch, done=None):
    """Has runs done here, and noted in `done`; one that raises an exception fails."""

    def process(command, **kwargs):
        folder = Path(command[-1])
        if done is not None:
            done.append(f"{folder.parent.name}/{folder.name}")
        try:
            execute(folder)
        except Exception as error:
            kwargs["stdout"].write(str(error))
            return SimpleNamespace(returncode=1)
        return SimpleNamespace(returncode=0)

    patch.setattr(run.subprocess, "run", process)


def do_bench(folder, patch, done=None, corpus=None, **more):
    """Starts a bench and does its runs."""
    run_here(patch, done)
    bench = Bench(folder)
    bench.start(settings(**more), corpus or ColumnsCorpus())
    bench.run()
    return bench


def write_run(folder, system, data, **more):
    """Writes the specification of a run on data in the folder `data`; returns the folder of the run."""
    run = folder / "runs" / f"{system}-1-0"
    given = {"seed": 1, "epochs": 1, "max_length": 3, "configs": BENCH_CONFIGS, **more}
    RunSpecification(system=system, data=str(data), **given).write(run)
    return run
