"""
What the report of a bench shows of scores and their differences.

What the report of a bench shows, in order, whatever the format.
"""

import shlex
from typing import Any, Dict, Iterator, List, Mapping, Sequence

from nerzoo.files import write_json, write_text
from nerzoo.formats.corpus import Corpus
from nerzoo.reports.charts import Point, ReliabilityDiagram, ScatterChart
from nerzoo.reports.tables import NONE, Column, Section, Table, to_html, to_markdown
from nerzoo.runs.bench import Bench
from nerzoo.runs.bench_report import SIGNIFICANCE_LEVEL, bench_report
from nerzoo.runs.results import results


def origin_section(report: Dict[str, Any], command: str) -> Section:
    """Shows what it takes to get the same figures again."""
    facts = {**report["machine"], "threads of a training": str(report["settings"]["num_threads"])}
    facts["trainings at a time"] = str(report["jobs"])
    tables = [
        Table("Machine", [Column("what"), Column("is")], [[name, value] for name, value in facts.items()]),
        Table("Versions", [Column("package"), Column("version")], [[*pair] for pair in report["versions"].items()]),
        Table("Files", [Column("file"), Column("SHA-256")], [[*pair] for pair in report["sha256"].items()]),
        Table(
            "Runs",
            [Column("run"), Column("epochs", "count"), Column("best epoch", "count"), Column("SHA-256 of predictions")],
            [
                [run["name"], run["epochs"], run["best_epoch"], run["predictions_sha256"]]
                for system in report["systems"]
                for run in system["runs"]
            ],
            "Done again, and compared, by "
            f"{shlex.join(['allennlp', 'bench', '--verify', report['folder'], '--rows', 'RUN'])}, in the same place.",
        ),
    ]
    return Section("origin", "Where the figures come from", [f"The command: {command}"], tables)


_NOISE, _REAL = "noise", "real"
_MOST_NAMED = 10


def score_section(report: Dict[str, Any]) -> Section:
    """Shows the scores of all systems, and where the best of nerzoo's stands among them."""
    columns = [Column("system"), Column("of"), Column("F1", "score"), Column("95 % interval", "scores")]
    columns += [Column("deviation", "score"), Column("precision", "score"), Column("recall", "score")]
    columns += [Column("seeds", "count"), Column("epochs", "count")]
    rows: List[List[Any]] = [
        [
            system["name"],
            _origin(system),
            system["f1"],
            system["confidence_interval"],
            system["standard_deviation"],
            system["precision"],
            system["recall"],
            len(system["f1_of_runs"]),
            system["epochs"],
        ]
        for system in report["systems"]
    ]
    data = report["data"]
    size = f"{data['num_entities']:,} entities in {data['num_sentences']:,} sentences, {data['num_words']:,} words"
    note = (
        "Strict scores, by boundary and type; means over seeds, with the standard deviation of F1. Intervals are over "
        "sentences and seeds, by bootstrap. Epochs are those that were trained, of feature_crf iterations."
    )
    best = next((system for system in report["systems"] if not system["is_nerzoos"]), None)
    ours = next((system for system in report["systems"] if system["is_nerzoos"]), None)
    said = [f"The test data: {size}."]
    if best is not None and ours is not None:
        said.append(_verdict(report, ours, best))
    return Section("scores", "Scores", said, [Table("Scores", columns, rows, note)])


def _verdict(report: Dict[str, Any], ours: Dict[str, Any], best: Dict[str, Any]) -> str:
    names = {ours["name"], best["name"]}
    pair = next(pair for pair in report["differences"] if {pair["first"], pair["second"]} == names)
    gap = 100 * (ours["f1"] - best["f1"])
    kind = "noise" if pair["corrected"] >= SIGNIFICANCE_LEVEL else "more than noise"
    than = "ahead of" if gap >= 0 else "behind"
    return (
        f"The best of nerzoo's systems, {ours['name']}, is {abs(gap):.2f} points {than} the best of the others, "
        f"{best['name']}, which is {kind} (p = {pair['corrected']:.4f} after Holm's correction)."
    )


def _origin(system: Dict[str, Any]) -> str:
    if not system["is_trained"]:
        return "file"
    return "nerzoo" if system["is_nerzoos"] else "others"


def difference_section(report: Dict[str, Any]) -> Section:
    """Shows the differences of all pairs, and which of them are noise."""
    names = [system["name"] for system in report["systems"]]
    scores = {system["name"]: system["f1"] for system in report["systems"]}
    corrected: Dict[Any, float] = {}
    rows: List[List[Any]] = []
    for pair in report["differences"]:
        first, second, sign = pair["first"], pair["second"], 1
        if scores[first] < scores[second]:
            first, second, sign = second, first, -1
        corrected[first, second] = corrected[second, first] = pair["corrected"]
        interval = sorted(sign * bound for bound in pair["confidence_interval"])
        kind = _NOISE if pair["corrected"] >= SIGNIFICANCE_LEVEL else _REAL
        row = [f"{first} – {second}", sign * pair["difference"], interval, pair["p_value"], pair["corrected"], kind]
        rows.append(row)
    rows.sort(key=lambda row: -row[1])
    matrix = Table(
        "p values, corrected",
        [Column("system"), *(Column(name, "p") for name in names)],
        [[name, *(corrected.get((name, other)) for other in names)] for name in names],
    )
    columns = [Column("pair"), Column("difference in F1", "difference"), Column("95 % interval", "interval")]
    columns += [Column("p", "p"), Column("p corrected", "p"), Column("is")]
    noise = [row[0] for row in rows if row[-1] == _NOISE]
    named = f": {', '.join(noise)}" if 0 < len(noise) <= _MOST_NAMED else ""
    text = (
        f"p values by approximate randomisation over sentences and seeds, after Holm's correction over all {len(rows)} "
        f"pairs. A difference whose corrected p is {SIGNIFICANCE_LEVEL} or more is noise, as far as this data can tell."
    )
    found = f"{len(noise)} of these differences are noise{named}."
    return Section("differences", "Which differences are real", [text, found], [matrix, Table("Pairs", columns, rows)])


def bench_sections(report: Dict[str, Any], command: str, with_words: bool = True) -> Iterator[Section]:
    """
    Yields the sections of what `bench_report` gives.

    # Parameters

    report : `Dict[str, Any]`
    command : `str`
        The one that makes the report.
    with_words : `bool`, optional (default = `True`)
        Whether it may have words of the data.
    """
    yield score_section(report)
    if report["differences"]:
        yield difference_section(report)
    yield _time_section(report)
    if report["data"]["types"]:
        yield _type_section(report)
    yield _alone_section(report, with_words)
    yield _calibration_section(report)
    yield origin_section(report, command)


def limits(report: Dict[str, Any]) -> Iterator[str]:
    """Yields what readers should know before they believe a figure: what was cut, left out or has failed."""
    minutes = report["settings"]["minutes"]
    for system in report["systems"]:
        share, full = system["share"], system["full"]
        if share is not None and share != full:
            parts = [
                f"{share[what]} of {full[what]} {what}" for what in ("epochs", "seeds") if share[what] != full[what]
            ]
            yield f"{system['name']} had {' and '.join(parts)}, to stay within {minutes:g} minutes."
        if system["interrupted"]:
            count = system["interrupted"]
            yield f"{system['name']}: runs that were interrupted, {count}; their times are of the last part."
    nested = [system["name"] for system in report["systems"] if not system["finds_nested"]]
    if nested and report["facts"]["depth"] > 1:
        yield (
            f"Entities are nested, up to {report['facts']['depth']} deep. These find the outermost ones alone, and are "
            f"scored by all: {', '.join(nested)}."
        )
    for name, reason in report["left_out"].items():
        yield f"{name} is left out: {reason}."
    for run in report["missing"]:
        yield f"{run} has failed, and is missing; its log says why."


def _time_section(report: Dict[str, Any]) -> Section:
    systems = [system for system in report["systems"] if system["is_trained"]]
    columns = [Column("system"), Column("training, s", "count"), Column("on the clock, s", "count")]
    columns += [Column("words/s", "count"), Column("parameters", "count")]
    rows = [
        [
            system["name"],
            round(system["processor_seconds"]),
            round(system["seconds"]),
            round(system["words_per_second"]),
            system["parameters"],
        ]
        for system in systems
    ]
    note = (
        "Training, with reading and evaluation on development data: processor time, which other programs on the "
        "machine hardly change, and on the clock; the mean of runs. Words of the test data by seconds of processor "
        "time to predict them, the model loaded. Parameters are those that are trained."
    )
    charts = []
    if systems:
        by_time = [Point(system["name"], system["processor_seconds"], system["f1"]) for system in systems]
        by_speed = [Point(system["name"], system["words_per_second"], system["f1"]) for system in systems]
        charts = [
            ScatterChart("F1 by training time", "seconds of processor time", "F1", by_time),
            ScatterChart("F1 by speed of prediction", "words by second of processor time", "F1", by_speed),
        ]
    return Section("time", "Time and size", [], [Table("Time and size", columns, rows, note)], charts)


def _type_section(report: Dict[str, Any]) -> Section:
    types = report["data"]["types"]
    columns = [Column("type"), Column("gold", "count"), Column("best")]
    columns += [Column(system["name"], "score") for system in report["systems"]]
    rows: List[List[Any]] = []
    for type_, count in types.items():
        scores = [system["by_type"][type_] for system in report["systems"]]
        best = [system["name"] for system, score in zip(report["systems"], scores, strict=True) if score == max(scores)]
        rows.append([type_, count, ", ".join(best) if max(scores) else NONE, *scores])
    note = "F1 of each type by itself. Of few entities the best is soon another one."
    return Section("types", "The best by type", [], [Table("F1 by type", columns, rows, note)])


def _alone_section(report: Dict[str, Any], with_words: bool) -> Section:
    found = report["alone"]
    total = report["data"]["num_entities"]
    columns = [Column("system"), Column("entities", "count"), *([Column("such as")] if with_words else [])]
    rows: List[List[Any]] = []
    for system in report["systems"]:
        of_system = found["by_system"][system["name"]]
        examples = "; ".join(f"{example['text']} ({example['label']})" for example in of_system["examples"])
        rows.append([system["name"], of_system["count"], examples][: len(columns)])
    text = (
        f"{found['by_any']:,} of {total:,} entities are found by some system, {found['by_none']:,} by none. A system "
        "finds what most of its runs find."
    )
    table = Table("Found by one system alone", columns, rows)
    return Section("alone", "What each finds and no other does", [text], [table])


def _calibration_section(report: Dict[str, Any]) -> Section:
    rows: List[List[Any]] = []
    charts = []
    for system in report["systems"]:
        overall = None if system["calibration"] is None else system["calibration"]["overall"]
        measures = ("count", "expected_calibration_error", "brier_score")
        rows.append([system["name"], *(None if overall is None else overall[name] for name in measures)])
        if overall is not None:
            charts.append(ReliabilityDiagram(system["name"], overall))
    columns = [Column("system"), Column("predicted", "count"), Column("calibration error", "number")]
    note = (
        "How far the probabilities of predicted entities are from the share of these that is correct, and their Brier "
        "score; 0 is best. Systems without a figure give no probabilities of entities."
    )
    return Section(
        "calibration",
        "Probabilities",
        [],
        [Table("Calibration", [*columns, Column("Brier score", "number")], rows, note)],
        charts,
    )


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
