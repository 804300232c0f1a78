"""A bench: trainings of several systems on the same data, within a limited time."""

import json
import os
import platform
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence

import torch
from allennlp.common.checks import ConfigurationError

from nerzoo.archives.transformers import build_encoder, load_transformer
from nerzoo.data.spacy_parser import SpacyParser
from nerzoo.errors import format_error
from nerzoo.files import digest, read_run_file, write_json, write_text
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.formats.lines import vector_size
from nerzoo.runs.bench_data import RunSpecification, as_folds, as_parts, corpus_facts, read_documents, write_data
from nerzoo.runs.runner import (
    check_is_empty,
    check_is_same,
    differences,
    other_files,
    run_logged,
    run_side_by_side,
)
from nerzoo.runs.systems import TRANSFORMER, all_systems

DATA_NAME = "data"
_BENCH_NAME = "bench.json"
RECORD_NAME = "record.json"
PREDICTIONS_NAME = "predictions.jsonl"
_STARTS_NAME = "starts"
_WARM_UP = 5
_LEARNED_VECTOR_SIZE = 100
_PACKAGES = [
    "nerzoo",
    "allennlp",
    "allennlp-models",
    "torch",
    "numpy",
    "spacy",
    "sklearn-crfsuite",
    "python-crfsuite",
    "transformers",
]
_CPU_INFO = Path("/proc/cpuinfo")


class BenchRun(NamedTuple):
    """A run of a system with a seed on a split of the data, in its folder."""

    folder: Path
    system: str
    seed: int
    split: int

    @classmethod
    def below(cls, parent: Path, system: str, seed: int, split: int) -> "BenchRun":
        return cls(parent / f"{system}-{seed}-{split}", system, seed, split)

    @property
    def name(self) -> str:
        """The path of its folder in that of the bench."""
        return f"{self.folder.parent.name}/{self.folder.name}"

    @property
    def product(self) -> Path:
        return self.folder / RECORD_NAME

    @property
    def record(self) -> Optional[Dict[str, Any]]:
        """The result of `execute`, if it is done."""
        return read_run_file(self.product, dict) if self.product.exists() else None

    @property
    def predictions(self) -> List[str]:
        # Words may have what str.splitlines takes for the end of a line.
        with (self.folder / PREDICTIONS_NAME).open(encoding="utf-8", newline="\n") as file:
            return list(file)


def do_runs(runs: Sequence[BenchRun], jobs: int) -> List[BenchRun]:
    """Does missing runs, each in a process of its own. Returns those that another process is at."""

    def execute_in_process(run: BenchRun) -> None:
        arguments = ["-m", "nerzoo.runs.bench", str(run.folder)]
        run_logged(run.folder, arguments, RunSpecification.read(run.folder).environment)

    return run_side_by_side(runs, execute_in_process, jobs)


def execute(folder: Path) -> Dict[str, Any]:
    """
    Does the run that `run.json` in a folder specifies, from where it was interrupted. Returns the content of
    `record.json`: the `seconds` on the clock and the `processor_seconds` of training, the number of `epochs` and the
    `best_epoch`; `epoch_seconds` and `process_seconds`, processor time of an epoch and of everything; `parameters`;
    `words_per_second`, words of the test part by seconds of processor time; `starts`; and the hash of the predictions.
    """
    specification = RunSpecification.read(folder)
    system = all_systems(Path(specification.configs))[specification.system]
    with (folder / _STARTS_NAME).open("a", encoding="utf-8") as starts:
        starts.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S')}\n")
    clock, processor = time.perf_counter(), time.process_time()
    training = system.train(specification, folder)
    seconds, processor_seconds = time.perf_counter() - clock, time.process_time() - processor
    trained = system.load(folder)
    test = specification.path(folder, "test")
    items = trained.read(test)
    # The first prediction does work that is done once, whatever the size of the corpus.
    trained.predict(items[:_WARM_UP])
    processor = time.process_time()
    predicted = trained.predict(items)
    prediction_seconds = time.process_time() - processor
    sentences = [
        {"words": sentence.words} | ({} if document.id is None else {"doc_id": document.id})
        for document in JsonlCorpus().read(test)
        for sentence in document.sentences
    ]
    lines = [
        json.dumps({**sentence, "entities": entities}, ensure_ascii=False) + "\n"
        for sentence, entities in zip(sentences, predicted, strict=True)
    ]
    write_text(folder / PREDICTIONS_NAME, "".join(lines))
    record = {
        "seconds": seconds,
        "processor_seconds": processor_seconds,
        "epochs": training.epochs,
        "best_epoch": training.best_epoch,
        "epoch_seconds": training.epoch_seconds * processor_seconds / seconds,
        "parameters": trained.num_parameters,
        "words_per_second": sum(len(sentence["words"]) for sentence in sentences) / prediction_seconds,
        "starts": len((folder / _STARTS_NAME).read_text().splitlines()),
        "predictions_sha256": digest(folder / PREDICTIONS_NAME),
        "process_seconds": time.process_time(),
    }
    write_json(folder / RECORD_NAME, record)
    return record


@dataclass(frozen=True)
class Settings:
    """The settings of a bench, the same for all calls that go on with it."""

    inputs: List[str]
    """Three files, training, development and test data, or one, which is divided into folds."""
    corpus: str
    """Their format: the name of a `Corpus`, or JSON with its options."""
    configs: str
    """The folder of the configurations."""
    folds: Optional[int] = None
    fold_seed: int = 13370
    """The seed that decides which document is in which fold."""
    systems: Optional[List[str]] = None
    """The systems to train; by default, all that suit the data."""
    seeds: int = 3
    minutes: Optional[float] = 60.0
    """The time limit of all trainings together; `None` for no limit."""
    word_vectors: Optional[str] = None
    """A text file of word vectors; by default, they are learned."""
    transformer: Optional[str] = None
    """The folder of a transformer, which is tuned as one more system; by default, there is none."""
    flat_layer: Optional[str] = None
    """The layer of nested entities to keep, `"outermost"` or `"innermost"`; by default, all."""
    parser: Optional[str] = None
    """A spaCy pipeline that finds trees."""
    language: str = "en"
    num_threads: int = 1
    """The number of threads of each training."""


class Cost(NamedTuple):
    """The seconds that a run of a system takes: for an epoch, and for all that is not training."""

    epoch: float
    rest: float

    def total(self, epochs: int) -> float:
        return self.rest + epochs * self.epoch


class Share(NamedTuple):
    """The number of epochs of each run of a system, and of its seeds."""

    epochs: int
    seeds: int


def shares(costs: Mapping[str, Cost], full: Mapping[str, Share], num_splits: int, seconds: float) -> Dict[str, Share]:
    """
    Divides time among systems. If there is too little for the full shares, all systems get fewer seeds, down to one,
    since a model that is half trained tells nothing. Then they get fewer epochs, but at least one: each system has the
    same time, and the time that one does not need goes to the others. All times are those of all processes together.
    """
    found = dict(full)

    def needed(name: str) -> float:
        return num_splits * found[name].seeds * costs[name].total(found[name].epochs)

    while sum(map(needed, found)) > seconds and any(share.seeds > 1 for share in found.values()):
        most = max(share.seeds for share in found.values())
        found = {name: share._replace(seeds=min(share.seeds, most - 1)) for name, share in found.items()}
    names = sorted(found, key=needed)
    for place, name in enumerate(names):
        available = seconds / (len(names) - place)
        if needed(name) > available:
            affordable = int((available / num_splits - costs[name].rest) / costs[name].epoch)
            found[name] = found[name]._replace(epochs=max(1, min(affordable, found[name].epochs)))
        seconds -= needed(name)
    return found


class Bench(NamedTuple):
    """
    Trainings of several systems on the same data, in a folder with `bench.json`, the settings and the state; `data`, as
    JSON lines; `pilots`, a run of one epoch for each system, by which the time is divided; and `runs`.
    """

    folder: Path

    @property
    def facts(self) -> Dict[str, Any]:
        """The content of `bench.json`. Raises `ConfigurationError` where there is none."""
        path = self.folder / _BENCH_NAME
        if not path.exists():
            raise ConfigurationError(f"found no {_BENCH_NAME} in {self.folder}, expected the folder of a bench")
        return read_run_file(path, dict)

    @property
    def settings(self) -> Settings:
        return Settings(**self.facts["settings"])

    def start(self, settings: Settings, corpus: Corpus) -> None:
        """
        Prepares the data, or makes sure that the folder holds a bench with the same settings, data and configurations.
        Raises `ConfigurationError` where files are neither three nor one with folds, or are not in their format; a
        system is not known; training data has no entity; test data is a single sentence; or the folder holds another
        bench, or something else.
        """
        if (self.folder / _BENCH_NAME).exists():
            found = differences(asdict(self.settings), asdict(settings), str)
            check_is_same("bench", self.folder, found + self.changes())
            return
        check_is_empty(self.folder, _BENCH_NAME)
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
        for split in data.splits:
            if not any(sentence.entities for document in split["train"] for sentence in document.sentences):
                part = "in the training data of a fold" if settings.folds else "to learn from"
                raise format_error(settings.inputs[0], "no entities", f"some {part}")
        if len(data.order) < 2:
            raise ConfigurationError("found a sentence of test data, expected two at least, to compare systems by")
        facts, *rest = map(corpus_facts, parts)
        # The training data decides everything else.
        facts = replace(facts, has_trees=all(part.has_trees for part in (facts, *rest)))
        chosen = [system for name, system in systems.items() if settings.systems is None or name in settings.systems]
        reasons = {system.name: system.reason_against(facts) for system in chosen}
        if settings.transformer is not None:
            # One that cannot be loaded is an error before the first run.
            build_encoder(load_transformer(settings.transformer), settings.transformer)
        elif TRANSFORMER in reasons:
            reasons[TRANSFORMER] = "--transformer names no folder"
        write_data(self.folder / DATA_NAME, data)
        others = [path for path in (settings.word_vectors, settings.transformer) if path]
        write_json(
            self.folder / _BENCH_NAME,
            {
                "settings": asdict(settings),
                "sha256": {path: digest(path) for path in [*settings.inputs, *others]},
                "facts": asdict(facts),
                "num_splits": len(data.splits),
                "systems": [name for name, reason in reasons.items() if reason is None],
                "left_out": {name: reason for name, reason in reasons.items() if reason is not None},
                "fingerprints": {system.name: system.fingerprint for system in chosen},
                "machine": machine(),
                "versions": versions(),
                "vector_size": vector_size(settings.word_vectors) if settings.word_vectors else _LEARNED_VECTOR_SIZE,
            },
        )

    def changes(self) -> List[str]:
        """Names each file of data or vectors, and each system by its configuration, that is not what it was."""
        facts = self.facts
        systems, before = all_systems(Path(facts["settings"]["configs"])), facts["fingerprints"]
        changed = [name for name in facts["systems"] if systems[name].fingerprint != before[name]]
        return [*other_files(facts["sha256"]), *(f"the configuration of {name} is another one" for name in changed)]

    def run(self, jobs: int = 1) -> None:
        """
        Does missing runs, `jobs` at a time, after pilots if time is limited. Raises `ConfigurationError` where another
        process is at a pilot.
        """
        facts = self.facts
        if "shares" not in facts:
            write_json(self.folder / _BENCH_NAME, {**facts, **self._shares(jobs)})
        runs = self.runs
        for run in runs:
            self.specification(run).write(run.folder)
        do_runs(runs, jobs)

    def specification(self, run: BenchRun, epochs: Optional[int] = None) -> RunSpecification:
        """Returns the specification of a run, by default with the epochs of its system's share."""
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
            settings.transformer or "",
            settings.language,
            settings.num_threads,
        )

    @property
    def runs(self) -> List[BenchRun]:
        """All runs, done or missing: the first seed of all systems first."""
        facts = self.facts
        return [
            BenchRun.below(self.folder / "runs", name, seed, split)
            for seed in range(1, max((share["seeds"] for share in facts["shares"].values()), default=0) + 1)
            for split in range(facts["num_splits"])
            for name, share in facts["shares"].items()
            if seed <= share["seeds"]
        ]

    def _shares(self, jobs: int) -> Dict[str, Any]:
        """Returns the share of each system, its full one, and its cost as the pilots measured it."""
        facts, settings = self.facts, self.settings
        known = all_systems(Path(settings.configs))
        systems = [known[name] for name in facts["systems"]]
        full = {each.name: Share(each.full_epochs, settings.seeds if each.has_seeds else 1) for each in systems}
        costs: Dict[str, Cost] = {}
        found = full
        if settings.minutes is not None:
            pilots = [BenchRun.below(self.folder / "pilots", name, 1, 0) for name in full]
            for pilot in pilots:
                self.specification(pilot, 1).write(pilot.folder)
            if others := do_runs(pilots, jobs):
                found_names = ", ".join(pilot.name for pilot in others)
                expected = "none, to divide the time: the same command goes on after it"
                raise ConfigurationError(f"{self.folder}: found another process at {found_names}, expected {expected}")
            # Processor time, which other programs on the machine hardly change.
            left = 60 * settings.minutes * jobs
            # A system whose pilot has failed is not tried again.
            for pilot in pilots:
                record = pilot.record
                if record is not None:
                    epoch, whole = record["epoch_seconds"], record["process_seconds"]
                    costs[pilot.system] = Cost(epoch, whole - epoch)
                    left -= whole
            found = shares(costs, {name: full[name] for name in costs}, facts["num_splits"], left)
        groups: Dict[str, Mapping[str, Any]] = {"shares": found, "full": full, "costs": costs}
        as_json = {key: {name: value._asdict() for name, value in group.items()} for key, group in groups.items()}
        return {**as_json, "jobs": jobs}


def machine() -> Dict[str, str]:
    """Names the processor, its cores, the memory, the GPU and the operating system."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    lines = _CPU_INFO.read_text().splitlines() if _CPU_INFO.exists() else []
    processors = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": processors[0] if processors else platform.processor() or "unknown",
        "cores": str(os.cpu_count()),
        "memory": f"{memory:.0f} GiB",
        "GPU": torch.cuda.get_device_name() if torch.cuda.is_available() else "none",
        "system": f"{platform.system()} {platform.machine()}",
    }


def versions() -> Dict[str, str]:
    """Returns the versions of Python and of the installed packages that a result may depend on."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


if __name__ == "__main__":
    execute(Path(sys.argv[1]))
