"""
Scores on development data of the configurations that `nerzoo init` writes for eight corpora, beside the best of those
made by hand, by their records in docs/results/runs, or, for two corpora, by output/zoo after `nerzoo zoo train`.

    DATA=FOLDER python -m experiments.fitted --vectors output/glove.100d.txt [CORPUS ...]

A configuration is output/fitted/CORPUS.jsonnet, the output of its training is in the folder output/fitted/CORPUS. The
same command goes on where it was interrupted.
"""

from pathlib import Path
from typing import Dict, Iterator, NamedTuple, Sequence

from experiments.common import argument_parser, corpus, markdown, train_for_metrics
from experiments.runs import RECORDS
from nerzoo.configuration.check import read_configuration
from nerzoo.files import read_run_file
from nerzoo.runs.runner import TrainingRun, run_in_turn, run_logged

OUTPUT = Path("output/fitted")


class Corpus(NamedTuple):
    """The training and the development part of a corpus, and the table and row, or the model, with the best score."""

    train: str
    dev: str
    best: str
    corpus: str = ""
    metric: str = "f1"

    @property
    def best_score(self) -> float:
        """The best score of a configuration made by hand on the development data, in percent."""
        if self.best.startswith("zoo/"):
            return 100 * read_run_file(Path("output", self.best, "metrics.json"), dict)["best_validation_f1"]
        return 100 * read_run_file(RECORDS / f"{self.best}-1.json", dict)["development"][self.metric]


CORPORA = {
    "bc2gm": Corpus("bc2gm/train.tsv.gz", "bc2gm/devel.tsv.gz", "char_bc2gm/concat"),
    "ewt": Corpus(
        "ud_english_ewt/en_ewt-ud-train.conllu.gz",
        "ud_english_ewt/en_ewt-ud-dev.conllu.gz",
        "char_ewt/concat",
        metric="accuracy",
    ),
    "germeval": Corpus(
        "germeval2014/germ.train.iob2.gz",
        "germeval2014/germ.dev.iob2.gz",
        "fofe_germeval/bilstm_crf",
        '{"type": "columns", "tag_column": [1, 2], "allow_crossing": true}',
    ),
    "gum": Corpus("gum/train.conllu.gz", "gum/dev.conllu.gz", "fofe_gum/nested"),
    "redocred": Corpus("redocred/train.jsonl.gz", "redocred/dev.jsonl.gz", "zoo/en-documents"),
    "snips": Corpus("snips/goo2018/train", "snips/goo2018/valid", "snips/bigru_crf", "slot_filling"),
    "uner_ewt": Corpus("uner_ewt/train.conllu.gz", "uner_ewt/dev.conllu.gz", "zoo/en-trees"),
    "wnut17": Corpus("wnut17/wnut17train.conll", "wnut17/emerging.dev.conll", "fofe_wnut17/bilstm_crf_lexical"),
}


def fitted_runs(names: Sequence[str], vectors: str) -> Iterator[TrainingRun]:
    """Writes the configurations that are not there, and yields their runs."""
    for name in names:
        parts, path = CORPORA[name], OUTPUT / f"{name}.jsonnet"
        if not path.exists():
            options = ["--corpus", parts.corpus] if parts.corpus else []
            files = [corpus(parts.train), corpus(parts.dev)]
            OUTPUT.mkdir(parents=True, exist_ok=True)
            run_logged(
                OUTPUT, ["-m", "nerzoo", "init", *files, *options, "--vectors", vectors, "--output-file", str(path)], {}
            )
        config = read_configuration(path, {"trainer.checkpointer": {"save_completed_epochs": False}})
        yield TrainingRun(name, OUTPUT / name, OUTPUT / name / "metrics.json", config)


def fitted_table(scores: Dict[str, float]) -> str:
    """Returns the scores by corpus, in percent, beside the best ones of configurations made by hand."""
    rows = []
    for name, score in scores.items():
        best = CORPORA[name].best_score
        rows.append([name, f"{score:.1f}", f"`{CORPORA[name].best}`", f"{best:.1f}", f"{score - best:+.1f}"])
    return markdown(["", "`init`", "best by hand", "", "difference"], rows)


def main() -> None:
    parser = argument_parser(__doc__ or "")
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=f"by default all of {', '.join(CORPORA)}")
    parser.add_argument("--vectors", required=True, help="file of word vectors")
    args = parser.parse_args()
    names = args.corpora or [*CORPORA]
    runs = list(fitted_runs(names, args.vectors))

    def read(path: Path) -> float:
        return 100 * read_run_file(path, dict)[f"best_validation_{CORPORA[path.parent.name].metric}"]

    scores = run_in_turn(runs, train_for_metrics, read, "development {:.1f}".format)
    print(fitted_table(dict(zip(names, scores, strict=True))))


if __name__ == "__main__":
    main()
