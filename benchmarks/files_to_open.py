"""
Lists the files of nerzoo whose functions run on five ways through the package: those that a reader opens to follow it.

    uv run python -m benchmarks.files_to_open
"""

import json
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, List, Set
from unittest.mock import patch

from allennlp.commands import parse_args
from allennlp.training.gradient_descent_trainer import GradientDescentTrainer

import nerzoo
from nerzoo import archives
from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.runs.bench import Bench, Settings, execute
from nerzoo.runs.bench_report import write_bench_report
from nerzoo.training.train_model import train_model_from_file

PACKAGE = Path(nerzoo.__file__).parent
CONFIG = "training_config/ner.jsonnet"
DATA = "fixtures/people_and_places"
TEXT = "Mara lived in Calder."


@contextmanager
def recorded() -> Iterator[Set[str]]:
    """Records the files of nerzoo whose functions are called within the block."""
    files: Set[str] = set()

    def record(frame: Any, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.suffix == ".py" and PACKAGE in path.parents and frame.f_code.co_name != "<module>":
            files.add(str(path.relative_to(PACKAGE)))

    threading.setprofile(record)
    sys.setprofile(record)
    try:
        yield files
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]


def show(way: str, files: Set[str]) -> None:
    print(f"{way}: {len(files)} files\n    {' '.join(sorted(files))}")


def train(folder: Path) -> None:
    """Trains an epoch of a tagger of words and characters, recorded from its first batch to its last."""
    train_epoch = GradientDescentTrainer._train_epoch

    def train_epoch_recorded(trainer: Any, epoch: int) -> Any:
        with recorded() as files:
            metrics = train_epoch(trainer, epoch)
        show("a training step of a tagger", files)
        return metrics

    with patch.object(GradientDescentTrainer, "_train_epoch", train_epoch_recorded):
        train_model_from_file(CONFIG, str(folder), overrides=json.dumps({"trainer.num_epochs": 1}))


def predict(archive: str, folder: Path) -> None:
    with recorded() as loading:
        archives.load(archive)
    # Without the parts of the model, which are built from the configuration.
    built = ("data/", "formats/", "models/", "modules/", "nn/", "text/", "training/")
    show("loading an archive", {file for file in loading if not file.startswith(built)})
    tagger = nerzoo.Tagger.load(archive, device="cpu", engine="torch")
    with recorded() as predicting:
        tagger(TEXT)
    show("text to prediction", predicting)
    lines = folder / "lines.txt"
    lines.write_text(f"{TEXT}\n")
    command = ["allennlp", "tag", archive, str(lines), "--output-file", str(folder / "tagged.jsonl")]
    command += ["--engine", "torch"]
    with patch.object(sys, "argv", command):
        _, args = parse_args("allennlp")
    with recorded() as tagging:
        args.func(args)
    show("nerzoo tag, beside these two", tagging - predicting - loading)


def bench(folder: Path) -> None:
    """Does a run of a bench and its row of the report."""
    inputs = [f"{DATA}/{part}.txt" for part in ("dev", "dev", "test")]
    settings = Settings(inputs, "columns", "training_config/bench", systems=["feature_crf"], seeds=1, minutes=None)

    def run_here(command: List[str], **_: Any) -> None:
        execute(Path(command[-1]))

    with recorded() as files, patch("subprocess.run", run_here):
        bench = Bench(folder)
        bench.start(settings, ColumnsCorpus())
        bench.run()
        write_bench_report(bench, ColumnsCorpus(), {}, "", "")
    show("a row of the bench", files)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        train(Path(name, "model"))
        predict(f"{name}/model/model.tar.gz", Path(name))
        bench(Path(name, "bench"))
