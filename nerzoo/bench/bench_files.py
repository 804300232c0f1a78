from typing import Any, Dict, Mapping, Sequence

from nerzoo.bench.bench import Bench
from nerzoo.bench.bench_report import bench_report
from nerzoo.bench.bench_sections import bench_sections, limits
from nerzoo.bench.results import results
from nerzoo.data.corpora import Corpus
from nerzoo.files import write_json, write_text
from nerzoo.reporting.rendering import to_html, to_markdown


def write_bench_report(
    bench: Bench,
    corpus: Corpus,
    others: Mapping[str, Sequence[str]],
    command: str,
    title: str,
    num_resamples: int = 9999,
) -> Dict[str, Any]:
    """
    Writes `report.json`, `report.md` and `report.html` into the folder of a bench, in place of those that are there.

    # Parameters

    bench : `Bench`
    corpus : `Corpus`
        The format of its data.
    others : `Mapping[str, Sequence[str]]`
        The files of predictions of each other system, as `results` takes them.
    command : `str`
        The one that makes the report, for its readers.
    title : `str`
    num_resamples : `int`, optional (default = `9999`)
        Of each comparison.

    # Returns

    `Dict[str, Any]`
        What `bench_report` gives.
    """
    report = {"command": command, **bench_report(bench, results(bench, others, corpus), num_resamples)}
    warnings = list(limits(report))
    write_json(bench.folder / "report.json", report)
    # Markdown is for publishing, without a word of the data, which may not be free.
    in_markdown = bench_sections(report, command, with_words=False)
    write_text(bench.folder / "report.md", to_markdown(title, in_markdown, warnings))
    write_text(bench.folder / "report.html", to_html(title, bench_sections(report, command), warnings))
    return report
