"""A report of files, and the files of a report."""

from os import PathLike
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Union

from allennlp.common.checks import ConfigurationError

from nerzoo.evaluation.label_errors import find_label_errors, holds_gold_probabilities
from nerzoo.evaluation.predictions import ScoredSentence, read_corpus, read_gold
from nerzoo.files import check_is_new, write_json, write_text
from nerzoo.formats.corpus import Corpus
from nerzoo.reports.report import build_report
from nerzoo.reports.sections import report_sections
from nerzoo.reports.system import read_systems
from nerzoo.reports.tables import to_html, to_markdown

_MARKDOWN_SENTENCES = 20


def report_of_files(
    files: Sequence[Sequence[str]],
    names: Optional[Sequence[str]] = None,
    gold_file: Optional[str] = None,
    train_file: Optional[str] = None,
    corpus: Optional[Corpus] = None,
    config_file: Optional[str] = None,
    predictions_corpus: Optional[Corpus] = None,
    num_resamples: int = 9999,
    seed: int = 13370,
) -> Dict[str, Any]:
    """
    Reports on files of predictions.

    # Parameters

    files, names
        As in `read_systems`.
    gold_file : `str`, optional
        By default, the gold entities are those that the predictions hold.
    train_file : `str`, optional
        What the systems were trained on, with its entities.
    corpus : `Corpus`, optional
        The format of `gold_file` and `train_file`.
    config_file : `str`, optional
        A configuration, in place of `corpus`: its `validation_dataset_reader`, or else its `dataset_reader`, reads
        them.
    predictions_corpus : `Corpus`, optional
        The format of the predictions; by default, what `allennlp predict` writes.
    num_resamples, seed : `int`, optional
        As in `build_report`.

    # Returns

    `Dict[str, Any]`
        What `build_report` gives.

    # Raises

    `ConfigurationError` as `read_systems` does; where a file has no sentence; and where nothing tells the format of
    gold or training data, or two things do.
    """
    if (corpus is not None and config_file is not None) or (
        (gold_file or train_file) and corpus is None and config_file is None
    ):
        found = "neither of --corpus and --config" if corpus is None else "both --corpus and --config"
        raise ConfigurationError(f"found {found}, expected one of them, which reads --gold and --train")
    if num_resamples < 1:
        raise ConfigurationError(f"found --num-resamples {num_resamples}, expected at least 1")

    def annotated(path: Optional[str]) -> Optional[List[ScoredSentence]]:
        if path is None:
            return None
        return read_corpus(path, corpus) if corpus is not None else read_gold(path, str(config_file), "entities")

    systems = read_systems(files, names, annotated(gold_file), gold_file or "", predictions_corpus)
    is_own = gold_file is None and predictions_corpus is None
    label_errors = find_label_errors(files[0][:1]) if is_own and holds_gold_probabilities(files[0][0]) else ()
    return build_report(systems, annotated(train_file), label_errors, num_resamples, seed)


def write_report(
    report: Dict[str, Any], folder: Union[str, PathLike], title: str = "Report", num_sentences: int = 200
) -> None:
    """
    Writes `report.json`, `report.md` and `report.html` into a new folder.

    # Parameters

    report : `Dict[str, Any]`
        What `build_report` gives.
    folder : `Union[str, PathLike]`
    title : `str`, optional (default = `"Report"`)
    num_sentences : `int`, optional (default = `200`)
        The highest number of sentences in a table of the page; the Markdown has at most 20, the JSON all.

    # Raises

    `ConfigurationError` where the folder exists.
    """
    check_is_new(folder)
    folder = Path(folder)
    folder.mkdir(parents=True)
    write_json(folder / "report.json", report)
    warnings = report["warnings"]
    in_markdown = report_sections(report, min(num_sentences, _MARKDOWN_SENTENCES))
    write_text(folder / "report.md", to_markdown(title, in_markdown, warnings))
    write_text(folder / "report.html", to_html(title, report_sections(report, num_sentences), warnings))
