import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Dict, List, Optional

from allennlp.common.checks import ConfigurationError

from nerzoo.data.spacy_parser import SpacyParser
from nerzoo.errors import format_error
from nerzoo.files import remove_unfinished, write_json
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.lines import read_lines
from nerzoo.reports.data_facts import data_facts
from nerzoo.runs.budget import Cost, Share, corpus_facts, shares
from nerzoo.runs.machine import machine, versions
from nerzoo.runs.prepared_data import as_folds, as_parts, read_documents, write_data
from nerzoo.runs.run import RUNS_NAME, Run, RunSpecification, do_runs, run_at
from nerzoo.runs.systems.all_systems import all_systems


@dataclass(frozen=True)
class Settings:
    """
    What a bench is asked for; the same of all calls that go on with it.

    # Parameters

    inputs : `List[str]`
        Three files, training, development and test data, or one, of which folds are made.
    corpus : `str`
        Their format, the name of a `Corpus` or JSON with its options.
    configs : `str`
        The folder of the configurations.
    folds : `int`, optional
    fold_seed : `int`, optional (default = `13370`)
        Decides which document is in which fold.
    systems : `List[str]`, optional
        Those to train; by default, all that the data is for.
    seeds : `int`, optional (default = `3`)
    minutes : `float`, optional (default = `60`)
        How long all trainings may take; `None`: as long as they take.
    word_vectors : `str`, optional
        A text file of word vectors; without it, they are learned.
    flat_layer : `str`, optional
        `"outermost"` or `"innermost"`: which of nested entities the data keeps.
    parser : `str`, optional
        A spaCy pipeline that finds trees.
    language : `str`, optional (default = `"en"`)
    num_threads : `int`, optional (default = `1`)
        Of each training.
    """

    inputs: List[str]
    corpus: str
    configs: str
    folds: Optional[int] = None
    fold_seed: int = 13370
    systems: Optional[List[str]] = None
    seeds: int = 3
    minutes: Optional[float] = 60.0
    word_vectors: Optional[str] = None
    flat_layer: Optional[str] = None
    parser: Optional[str] = None
    language: str = "en"
    num_threads: int = 1


DATA_NAME = "data"
_BENCH_NAME = "bench.json"
_PILOTS_NAME = "pilots"
LEARNED_VECTOR_SIZE = 100


class Bench:
    """
    Trainings of several systems on the same data, in a folder that has `bench.json`, what was asked for and what is
    done of it; `data`, as JSON lines; `pilots`, an epoch of each system, by which the time is divided; and `runs`.

    # Parameters

    folder : `Path`
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def facts(self) -> Dict[str, Any]:
        """
        The content of `bench.json`. Raises `ConfigurationError` where there is none.
        """
        path = self.folder / _BENCH_NAME
        if not path.exists():
            raise ConfigurationError(f"found no {_BENCH_NAME} in {self.folder}, expected the folder of a bench")
        facts: Dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return facts

    @property
    def settings(self) -> Settings:
        """What was asked for."""
        return Settings(**self.facts["settings"])

    def start(self, settings: Settings, corpus: Corpus) -> None:
        """
        Prepares the data, or makes sure that the folder holds a bench of the same.

        # Raises

        `ConfigurationError` where files are neither three nor one with folds, or are not in their format; a system is
        not known; test data is a single sentence; or the folder holds a bench of something else, or something else.
        """
        if (self.folder / _BENCH_NAME).exists():
            self._check_same(settings)
            return
        remove_unfinished(self.folder)
        if self.folder.exists() and any(self.folder.iterdir()):
            raise ConfigurationError(f"found {self.folder} not empty and without {_BENCH_NAME}, expected a new folder")
        if len(settings.inputs) != (1 if settings.folds else 3):
            expected = "three, training, development and test data, or one with --folds"
            raise ConfigurationError(f"found {len(settings.inputs)} files, expected {expected}")
        systems = all_systems(Path(settings.configs))
        unknown = sorted({*(settings.systems or ())} - systems.keys())
        if unknown:
            raise ConfigurationError(f"found the system {unknown[0]!r}, expected some of {', '.join(systems)}")
        parser = None if settings.parser is None else SpacyParser(settings.parser)
        parts = [read_documents(path, corpus, settings.flat_layer, parser) for path in settings.inputs]
        data = as_folds(parts[0], settings.folds, settings.fold_seed) if settings.folds else as_parts(*parts)
        if len(data.order) < 2:
            raise ConfigurationError("found a sentence of test data, expected two at least, to compare systems by")
        of_parts = list(map(corpus_facts, parts))
        # What is not in the training data decides nothing else.
        facts = replace(of_parts[0], has_trees=all(part.has_trees for part in of_parts))
        against = {
            name: system.reason_against(facts)
            for name, system in systems.items()
            if settings.systems is None or name in settings.systems
        }
        write_data(self.folder / DATA_NAME, data)
        write_json(
            self.folder / _BENCH_NAME,
            {
                "settings": asdict(settings),
                "sha256": {path: data_facts(Path(path), None).sha256 for path in _files(settings)},
                "facts": asdict(facts),
                "num_splits": len(data.splits),
                "systems": [name for name, reason in against.items() if reason is None],
                "left_out": {name: reason for name, reason in against.items() if reason is not None},
                "fingerprints": {name: systems[name].fingerprint for name in against},
                "machine": machine(),
                "versions": versions(),
                "vector_size": _vector_size(settings.word_vectors),
            },
        )

    def run(self, jobs: int = 1) -> None:
        """Trains what is missing, in so many processes at a time, after pilots if time is limited."""
        facts = self.facts
        if "shares" not in facts:
            write_json(self.folder / _BENCH_NAME, {**facts, **self._shares(jobs)})
        runs = self.runs
        for run in runs:
            self.specification(run).write(run.folder)
        do_runs(runs, jobs)

    def specification(self, run: Run, epochs: Optional[int] = None) -> RunSpecification:
        """Returns what a run is, by default with the epochs that its system gets."""
        facts, settings = self.facts, self.settings
        return RunSpecification(
            run.system,
            run.seed,
            facts["shares"][run.system]["epochs"] if epochs is None else epochs,
            os.path.relpath(self.folder / DATA_NAME / str(run.split), run.folder),
            facts["facts"]["max_length"],
            settings.configs,
            settings.word_vectors or "",
            facts["vector_size"],
            settings.language,
            settings.num_threads,
        )

    @property
    def runs(self) -> List[Run]:
        """All that there are to be, the first seed of all systems first."""
        facts = self.facts
        return [
            run_at(self.folder / RUNS_NAME, name, seed, split)
            for seed in range(1, max((share["seeds"] for share in facts["shares"].values()), default=0) + 1)
            for split in range(facts["num_splits"])
            for name, share in facts["shares"].items()
            if seed <= share["seeds"]
        ]

    def _shares(self, jobs: int) -> Dict[str, Any]:
        """Returns what each system gets, what was asked for, and what the pilots said that it takes."""
        facts, settings = self.facts, self.settings
        systems = all_systems(Path(settings.configs))
        full = {
            name: Share(systems[name].full_epochs, settings.seeds if systems[name].has_seeds else 1)
            for name in facts["systems"]
        }
        costs: Dict[str, Cost] = {}
        found = full
        if settings.minutes is not None:
            pilots = [run_at(self.folder / _PILOTS_NAME, name, 1, 0) for name in full]
            for pilot in pilots:
                self.specification(pilot, 1).write(pilot.folder)
            do_runs(pilots, jobs)
            records = {pilot.system: pilot.record for pilot in pilots}
            costs = {
                name: Cost(record["epoch_seconds"], record["process_seconds"] - record["epoch_seconds"])
                for name, record in records.items()
                if record is not None
            }
            # Processor time, which other programs on the machine hardly change.
            spent = sum(record["process_seconds"] for record in records.values() if record is not None)
            left = 60 * settings.minutes * jobs - spent
            # What fails at its first epoch is not tried again.
            found = shares(costs, {name: full[name] for name in costs}, facts["num_splits"], left)
        return {
            "shares": {name: share._asdict() for name, share in found.items()},
            "full": {name: share._asdict() for name, share in full.items()},
            "costs": {name: cost._asdict() for name, cost in costs.items()},
            "jobs": jobs,
        }

    def _check_same(self, settings: Settings) -> None:
        before, now = asdict(self.settings), asdict(settings)
        differences = [f"{name} is {now[name]} and was {before[name]}" for name in now if now[name] != before[name]]
        hashes = self.facts["sha256"]
        differences += [
            f"{path} is another file" for path in hashes if data_facts(Path(path), None).sha256 != hashes[path]
        ]
        if differences:
            raise ConfigurationError(
                f"found another bench in {self.folder}: {'; '.join(differences)}; expected the same or a new folder"
            )


def _files(settings: Settings) -> List[str]:
    return [*settings.inputs, *([settings.word_vectors] if settings.word_vectors else [])]


def _vector_size(path: Optional[str]) -> int:
    """Returns how many numbers there are after the first word of a file; the size of learned vectors without one."""
    if path is None:
        return LEARNED_VECTOR_SIZE
    first = next((line for line in read_lines(path) if len(line.text.split()) > 2), None)
    if first is None:
        raise format_error(path, "no word vectors", "a line for each word: the word and its numbers")
    return len(first.text.split()) - 1
