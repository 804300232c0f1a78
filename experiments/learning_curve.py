"""
A simulated learning curve: the scores of a tagger over the number of annotated sentences, where
`nerzoo.inference.select` chooses the next ones, against sentences drawn at random.

    DATA=FOLDER WORD_VECTORS=output/glove.100d.txt python -m experiments.learning_curve [--seeds 5] [--strategies ...]

A fifth of the documents of Wikigold is test data, another one for each of five seeds, and the sentences of all others
can be annotated. A batch of them drawn at random, the same for all strategies, is the first training data. Then a
tagger is trained on the sentences selected so far, from scratch, to the last epoch, as there is no development data; it
is scored on the test data, and selects another batch. Folders are output/learning_curve/STRATEGY-SEED/STEP/: `train/`,
in the end without weights, and `result.json`, which is written at the end of the step; the same command goes on after
it. `curve.json` has all results.
"""

import random
import statistics
from pathlib import Path
from typing import Any, Dict, List, Sequence

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import with_overrides

from experiments.common import argument_parser, corpus, markdown
from nerzoo.files import read_run_file, write_json
from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.corpus import AnnotationWriter
from nerzoo.inference.select import select
from nerzoo.inference.sources import SourceItem
from nerzoo.inference.tagger import Tagger
from nerzoo.runs.folds import divide
from nerzoo.runs.runner import train
from nerzoo.text.annotation import Document, Sentence

CONFIG = "training_config/ner.jsonnet"
NUM_FOLDS = 5
STRATEGIES: Dict[str, Dict[str, Any]] = {
    "random": {},
    "sequence_entropy": {"criterion": "sequence_entropy"},
    "sequence_entropy_per_token": {"criterion": "sequence_entropy", "per_token": True},
    "least_confidence": {"criterion": "least_confidence"},
    "least_confidence_per_token": {"criterion": "least_confidence", "per_token": True},
}


def learning_curve(
    documents: Sequence[Document],
    output: Path,
    strategies: Sequence[str],
    seeds: int,
    batch: int,
    steps: int,
    overrides: str = "",
) -> Dict[str, Any]:
    """
    Does the missing steps of all strategies and seeds, and returns the content of `curve.json`: for each strategy and
    seed a list of the results of its steps. Raises `ConfigurationError` where there are fewer sentences than the last
    step and the batch after it have.
    """
    curves: Dict[str, Dict[str, List[Dict[str, Any]]]] = {strategy: {} for strategy in strategies}
    # Strategies side by side, so that there is something to compare after the first seed.
    for seed in range(1, seeds + 1):
        pool, test = divided(documents, seed)
        if len(pool) < batch * (steps + 1):
            raise ConfigurationError(f"found {len(pool)} sentences, expected {batch * (steps + 1)} for {steps} steps")
        for strategy in strategies:
            folder = output / f"{strategy}-{seed}"
            results: List[Dict[str, Any]] = []
            selected = random.Random(seed).sample(range(len(pool)), batch)
            for step in range(steps):
                result = _step(folder / str(step), pool, test, selected, strategy, seed, batch, overrides)
                results.append({name: result[name] for name in ("sentences", "words", "precision", "recall", "f1")})
                selected = [*selected, *result["next"]]
                print(f"{strategy}, seed {seed}: {results[-1]}", flush=True)
            curves[strategy][str(seed)] = results
            write_json(output / "curve.json", curves)
    return curves


def divided(documents: Sequence[Document], seed: int) -> Any:
    """Returns the sentences to be annotated and those of the test documents, another fifth for each of five seeds."""
    folds = divide([str(number) for number in range(len(documents))], NUM_FOLDS, seed=0)
    is_test = set(map(int, folds[(seed - 1) % NUM_FOLDS]))
    pool = [s for number, document in enumerate(documents) if number not in is_test for s in document.sentences]
    test = [s for number, document in enumerate(documents) if number in is_test for s in document.sentences]
    return pool, test


def table(curves: Dict[str, Dict[str, List[Dict[str, Any]]]]) -> str:
    """A table of F1 and of words by sentences, means and standard deviations over the seeds of each strategy."""
    rows = []
    for steps in zip(*(zip(*seeds.values(), strict=True) for seeds in curves.values()), strict=True):
        cells = [str(steps[0][0]["sentences"])]
        for results in steps:
            scores = [100 * result["f1"] for result in results]
            deviation = f" ± {statistics.stdev(scores):.1f}" if len(scores) > 1 else ""
            cells.append(f"{statistics.mean(result['words'] for result in results):,.0f}")
            cells.append(f"{statistics.mean(scores):.1f}{deviation}")
        rows.append(cells)
    return markdown(["sentences", *(f"{strategy}: {what}" for strategy in curves for what in ("words", "F1"))], rows)


def _step(
    folder: Path,
    pool: List[Sentence],
    test: List[Sentence],
    selected: List[int],
    strategy: str,
    seed: int,
    batch: int,
    overrides: str,
) -> Dict[str, Any]:
    """Trains on the selected sentences; returns the scores and the `next` batch, from an earlier run if it is done."""
    path = folder / "result.json"
    if path.exists():
        result = read_run_file(path, dict)
        if result["selected"] != selected or len(result["next"]) != batch:
            raise ConfigurationError(f"{path}: found a step of another curve, expected the same batch or a new folder")
        return result
    folder.mkdir(parents=True, exist_ok=True)
    for name, sentences in (("train", [pool[number] for number in selected]), ("test", test)):
        (folder / f"{name}.jsonl").unlink(missing_ok=True)
        AnnotationWriter.by_name("jsonl")().write_all([Document(None, sentences)], folder / f"{name}.jsonl")
    train(_config(folder, seed, overrides), folder / "train")
    metrics = read_run_file(folder / "train" / "metrics.json", dict)
    result = {
        "selected": selected,
        "sentences": len(selected),
        "words": sum(len(pool[number].words) for number in selected),
        **{name: metrics[f"test_{name}"] for name in ("precision", "recall", "f1")},
        "next": _next(folder / "train" / "model.tar.gz", pool, selected, strategy, seed, batch),
    }
    write_json(path, result)
    for pattern in ("*.th", "model.tar.gz"):
        for weights in (folder / "train").glob(pattern):
            weights.unlink()
    return result


def _config(folder: Path, seed: int, overrides: str) -> Params:
    config = Params.from_file(CONFIG, overrides).as_dict(quiet=True)
    config.pop("validation_data_path", None)
    changes = {
        "dataset_reader.corpus": {"type": "jsonl"},
        "train_data_path": str(folder / "train.jsonl"),
        "test_data_path": str(folder / "test.jsonl"),
        "evaluate_on_test": True,
        **{name: seed for name in ("random_seed", "numpy_seed", "pytorch_seed")},
    }
    return Params(with_overrides(config, changes))


def _next(archive: Path, pool: List[Sentence], selected: List[int], strategy: str, seed: int, batch: int) -> List[int]:
    left = sorted(set(range(len(pool))) - set(selected))
    if strategy == "random":
        return random.Random(f"{seed} {len(selected)}").sample(left, batch)
    tagger = Tagger.load(archive, engine="torch")
    items = [SourceItem(str(number), {"words": pool[number].words}) for number in left]
    selection = select(tagger, items, batch, **STRATEGIES[strategy])
    return [left[sentence["index"]] for sentence in selection.sentences]


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("--strategies", nargs="+", choices=list(STRATEGIES), default=["random", "sequence_entropy"])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--batch", type=int, default=50, help="how many sentences are annotated at a time")
    parser.add_argument("--steps", type=int, default=10, help="how many taggers are trained one after another")
    parser.add_argument("--output", type=Path, default=Path("output/learning_curve"))
    parser.add_argument("-o", "--overrides", default="", help=f"changes of {CONFIG}, as JSON")
    args = parser.parse_args()
    documents = list(ColumnsCorpus(coding_scheme="IOB1").read(corpus("wikigold/wikigold.conll.txt")))
    curves = learning_curve(documents, args.output, args.strategies, args.seeds, args.batch, args.steps, args.overrides)
    print(table(curves))


if __name__ == "__main__":
    main()
