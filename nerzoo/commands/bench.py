"""
The `bench` subcommand:

    nerzoo bench train.conll dev.conll test.conll --corpus columns -s output/bench
    nerzoo bench all.conll --corpus columns --folds 5 -s output/bench --predictions flair=flair.conll
    nerzoo bench --verify output/bench --rows ner
"""

import argparse
import os
import shlex
import sys
from dataclasses import fields
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from nerzoo.commands.arguments import Command, from_name_or_json
from nerzoo.configuration.sources import CONFIGURATIONS
from nerzoo.formats.corpus import Corpus
from nerzoo.reports.tables import written
from nerzoo.runs.bench import Bench, Settings
from nerzoo.runs.bench_report import write_bench_report
from nerzoo.runs.verification import verify
from nerzoo.text.rendering import aligned


@Subcommand.register("bench")
class BenchCommand(Command):
    """
    Trains nerzoo's systems, crf_tagger of allennlp-models, spaCy's ner and a CRF on hand-made features on the same
    corpus, within a limited time, and reports on them side by side: scores, which differences are significant, time,
    probabilities. The same command goes on where it was interrupted.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("inputs", nargs="*", help="training, development and test data; with --folds, one file of all data")
        options = 'its name, or JSON with its options, e.g. \'{"type": "columns", "coding_scheme": "IOB1"}\''
        add("--corpus", help=f"the format of the data: {options}")
        add("-s", "--serialization-dir", help="folder of the bench")
        add("--folds", type=int, help="number of folds of documents to divide one file into")
        add("--fold-seed", type=int, default=13370, help="decides which document is in which fold")
        add("--systems", nargs="+", metavar="NAME", help="names of systems; default: all that fit the data")
        add("--seeds", type=int, default=3, help="number of seeds: 1, 2 and so on")
        minutes = "limit of the processor time, kept by fewer seeds and epochs; 0: no limit"
        add("--minutes", type=float, default=60, help=minutes)
        add("--jobs", type=int, default=1, help="number of trainings at a time")
        add("--word-vectors", metavar="FILE", help="text file of word vectors; default: they are learned")
        add("--transformer", metavar="FOLDER", help="folder of a transformer, which is tuned as one more system")
        layers = ["outermost", "innermost"]
        add("--layer", dest="flat_layer", choices=layers, help="layer of nested entities to keep; default: all")
        add("--parser", help="spaCy pipeline that predicts trees, if the data has none")
        add("--language", default="en", help="spaCy's code of the language")
        predictions = (
            "predictions of another system for the test data, in the format of the data or as JSON lines (*.jsonl); "
            "repeat it for other systems, and for other runs of a system"
        )
        add("--predictions", action="append", default=[], metavar="NAME=FILE", help=predictions)
        configs = "folder with the configurations of systems; by default, training_config/bench of the repository"
        add("--configs", help=configs)
        add("--title", default="Bench", help="the heading of the report")
        add("--num-resamples", type=int, default=9999, help="number of resamples of each comparison")
        add("--verify", metavar="FOLDER", help="repeat runs of a bench, and compare their results")
        add("--rows", nargs="+", metavar="NAME", help="systems or runs to verify; default: all")

    def run(self, args: argparse.Namespace) -> None:
        if args.verify is not None:
            _verify(Bench(Path(args.verify)), args.rows, args.jobs)
            return
        given = {"files": args.inputs, "--corpus": args.corpus, "-s": args.serialization_dir}
        if missing := [name for name, value in given.items() if not value]:
            expected = "files, --corpus and -s, or --verify FOLDER"
            raise ConfigurationError(f"found no {', no '.join(missing)}, expected {expected}")
        for name in ("seeds", "jobs"):
            if getattr(args, name) < 1:
                raise ConfigurationError(f"found --{name} {getattr(args, name)}, expected at least 1")
        corpus = from_name_or_json(Corpus, args.corpus)
        others = _named_files(args.predictions)
        given = {
            **vars(args),
            "configs": args.configs or os.path.relpath(CONFIGURATIONS / "bench"),
            "minutes": args.minutes or None,
        }
        names = given.keys() & {field.name for field in fields(Settings)}
        bench = Bench(Path(args.serialization_dir))
        bench.start(Settings(**{name: given[name] for name in names}), corpus)
        bench.run(args.jobs)
        command = shlex.join(["nerzoo", *sys.argv[1:]])
        report = write_bench_report(bench, corpus, others, command, args.title, args.num_resamples)
        kinds = {"f1": "score", "confidence_interval": "scores", "words_per_second": "count"}
        rows = [["", "F1", "95 % interval", "words/s"]]
        for system in report["systems"]:
            rows.append([system["name"], *(written(system[name], kind) for name, kind in kinds.items())])
        print(f"{aligned(rows, to_the_right=True)}\n{bench.folder / 'report.html'}", flush=True)


def _verify(bench: Bench, names: Optional[Sequence[str]], jobs: int) -> None:
    found = verify(bench, names, jobs)
    rows = [["", "", "F1", "F1 now", ""]]
    for run in found:
        scores = [written(run[name], "score") for name in ("f1", "f1_now")]
        rows.append([run["name"], "same" if run["is_same"] else "DIFFERENT", *scores, "; ".join(run["remarks"])])
    print(aligned(rows), flush=True)
    if not all(run["is_same"] for run in found):
        raise SystemExit(1)


def _named_files(arguments: Sequence[str]) -> Dict[str, List[str]]:
    files: Dict[str, List[str]] = {}
    for argument in arguments:
        name, equals, path = argument.partition("=")
        if not (name and equals and path):
            raise ConfigurationError(f"found --predictions {argument}, expected NAME=FILE")
        files.setdefault(name, []).append(path)
    return files
