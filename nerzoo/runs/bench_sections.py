"""The report of a bench as it is shown: sections in their order, whatever the format."""

import shlex
from typing import Any, Dict, Iterator, List, Mapping, Sequence

from nerzoo.files import write_json
from nerzoo.formats.corpus import Corpus
from nerzoo.reports.charts import Point, ReliabilityDiagram, ScatterChart
from nerzoo.reports.tables import NONE, Column, Section, Table, data_size, make_columns, write_pages
from nerzoo.runs.bench import Bench
from nerzoo.runs.bench_report import SIGNIFICANCE_LEVEL, bench_report, read_results

_NOISE, _REAL = "noise", "real"
_MOST_NAMED = 10


def origin_section(report: Dict[str, Any], command: str) -> Section:
    """Shows all that is needed to get the same figures again."""
    facts = {**report["machine"], "threads of a training": str(report["settings"]["num_threads"])}
    facts["trainings at a time"] = str(report["jobs"])
    verifying = shlex.join(["allennlp", "bench", "--verify", report["folder"], "--rows", "RUN"])
    names = ("name", "epochs", "best_epoch", "predictions_sha256")
    runs = [[run[name] for name in names] for system in report["systems"] for run in system["runs"]]
    columns = make_columns("run", "epochs:count", "best epoch:count", "SHA-256 of predictions")
    tables = [
        Table("Machine", make_columns("what", "is"), [[*pair] for pair in facts.items()]),
        Table("Versions", make_columns("package", "version"), [[*pair] for pair in report["versions"].items()]),
        Table("Files", make_columns("file", "SHA-256"), [[*pair] for pair in report["sha256"].items()]),
        Table("Runs", columns, runs, f"Done again, and compared, by {verifying}, in the same place."),
    ]
    return Section("origin", "Where the figures come from", [f"The command: {command}"], tables)


def score_section(report: Dict[str, Any]) -> Section:
    """Shows the scores of all systems, and where the best of nerzoo's is among them."""
    columns = make_columns("system", "of", "F1:score", "95 % interval:scores", "deviation:score")
    columns += make_columns("precision:score", "recall:score", "seeds:count", "epochs:count")
    names = ("f1", "confidence_interval", "standard_deviation", "precision", "recall")
    rows = []
    for system in report["systems"]:
        origin = ("nerzoo" if system["is_nerzoos"] else "others") if system["is_trained"] else "file"
        scores = [system[name] for name in names]
        rows.append([system["name"], origin, *scores, len(system["f1_of_runs"]), system["epochs"]])
    note = (
        "Strict scores, by boundary and type; means over seeds, with the standard deviation of F1. Intervals are over "
        "sentences and seeds, by bootstrap. Epochs are those that were trained, of feature_crf iterations."
    )
    paragraphs = [f"The test data: {data_size(report['data'])}."]
    best = next((system for system in report["systems"] if not system["is_nerzoos"]), None)
    ours = next((system for system in report["systems"] if system["is_nerzoos"]), None)
    if best is not None and ours is not None:
        paragraphs.append(_verdict(report, ours, best))
    return Section("scores", "Scores", paragraphs, [Table("Scores", columns, rows, note)])


def _verdict(report: Dict[str, Any], ours: Dict[str, Any], best: Dict[str, Any]) -> str:
    names = {ours["name"], best["name"]}
    pair = next(pair for pair in report["differences"] if {pair["first"], pair["second"]} == names)
    gap = 100 * (ours["f1"] - best["f1"])
    kind = "noise" if pair["corrected"] >= SIGNIFICANCE_LEVEL else "more than noise"
    side = "ahead of" if gap >= 0 else "behind"
    return (
        f"The best of nerzoo's systems, {ours['name']}, is {abs(gap):.2f} points {side} the best of the others, "
        f"{best['name']}, which is {kind} (p = {pair['corrected']:.4f} after Holm's correction)."
    )


def difference_section(report: Dict[str, Any]) -> Section:
    """Shows the differences of all pairs, and which of them are noise."""
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
        difference = sign * pair["difference"]
        rows.append([f"{first} – {second}", difference, interval, pair["p_value"], pair["corrected"], kind])
    rows.sort(key=lambda row: -row[1])
    matrix = Table(
        "p values, corrected",
        [Column("system"), *(Column(name, "p") for name in scores)],
        [[name, *(corrected.get((name, other)) for other in scores)] for name in scores],
    )
    columns = make_columns("pair", "difference in F1:difference", "95 % interval:interval")
    columns += make_columns("p:p", "p corrected:p", "is")
    noise = [row[0] for row in rows if row[-1] == _NOISE]
    named = f": {', '.join(noise)}" if 0 < len(noise) <= _MOST_NAMED else ""
    text = (
        f"p values by approximate randomisation over sentences and seeds, after Holm's correction over all {len(rows)} "
        f"pairs. A difference whose corrected p is {SIGNIFICANCE_LEVEL} or more is noise, as far as this data can tell."
    )
    found = f"{len(noise)} of these differences are noise{named}."
    return Section("differences", "Which differences are real", [text, found], [matrix, Table("Pairs", columns, rows)])


def bench_sections(report: Dict[str, Any], command: str, with_words: bool) -> Iterator[Section]:
    """Yields the sections of a report by `bench_report`, with or without words of the data."""
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
    """Yields what readers should know before they trust a figure: what was cut or left out, and what has failed."""
    minutes = report["settings"]["minutes"]
    for system in report["systems"]:
        share, full = system["share"], system["full"]
        if share is not None and share != full:
            cut = [what for what in ("epochs", "seeds") if share[what] != full[what]]
            parts = [f"{share[what]} of {full[what]} {what}" for what in cut]
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
    columns = make_columns("system", "training, s:count", "on the clock, s:count", "words/s:count", "parameters:count")
    rounded = ("processor_seconds", "seconds", "words_per_second")
    rows = [[system["name"], *(round(system[name]) for name in rounded), system["parameters"]] for system in systems]
    note = (
        "Training, with reading and evaluation on development data: processor time, which other programs on the "
        "machine hardly change, and on the clock; the mean of runs. Words of the test data by seconds of processor "
        "time to predict them, the model loaded. Parameters are those that are trained."
    )
    axes = {
        "F1 by training time": ("seconds of processor time", "processor_seconds"),
        "F1 by speed of prediction": ("words by second of processor time", "words_per_second"),
    }
    charts = [
        ScatterChart(title, axis, "F1", [Point(system["name"], system[key], system["f1"]) for system in systems])
        for title, (axis, key) in axes.items()
        if systems
    ]
    return Section("time", "Time and size", [], [Table("Time and size", columns, rows, note)], charts)


def _type_section(report: Dict[str, Any]) -> Section:
    columns = make_columns("type", "gold:count", "best")
    columns += [Column(system["name"], "score") for system in report["systems"]]
    rows: List[List[Any]] = []
    for type_, count in report["data"]["types"].items():
        scores = [system["by_type"][type_] for system in report["systems"]]
        best = [system["name"] for system, score in zip(report["systems"], scores, strict=True) if score == max(scores)]
        rows.append([type_, count, ", ".join(best) if max(scores) else NONE, *scores])
    note = "F1 of each type by itself. Of few entities the best is soon another one."
    return Section("types", "The best by type", [], [Table("F1 by type", columns, rows, note)])


def _alone_section(report: Dict[str, Any], with_words: bool) -> Section:
    found = report["alone"]
    columns = make_columns("system", "entities:count", *(["such as"] if with_words else []))
    rows = []
    for system in report["systems"]:
        own = found["by_system"][system["name"]]
        examples = "; ".join(f"{example['text']} ({example['label']})" for example in own["examples"])
        rows.append([system["name"], own["count"], examples][: len(columns)])
    text = (
        f"{found['by_any']:,} of {report['data']['num_entities']:,} entities are found by some system, "
        f"{found['by_none']:,} by none. A system finds what most of its runs find."
    )
    table = Table("Found by one system alone", columns, rows)
    return Section("alone", "What each finds and no other does", [text], [table])


def _calibration_section(report: Dict[str, Any]) -> Section:
    overall = {system["name"]: (system["calibration"] or {}).get("overall") for system in report["systems"]}
    columns = make_columns("system", "predicted:count", "calibration error:number", "Brier score:number")
    keys = ("count", "expected_calibration_error", "brier_score")
    rows = [[name, *((measures or {}).get(key) for key in keys)] for name, measures in overall.items()]
    note = (
        "How far the probabilities of predicted entities are from the share of these that is correct, and their Brier "
        "score; 0 is best. Systems without a figure give no probabilities of entities."
    )
    charts = [ReliabilityDiagram(name, measures) for name, measures in overall.items() if measures is not None]
    return Section("calibration", "Probabilities", [], [Table("Calibration", columns, rows, note)], charts)


def write_bench_report(
    bench: Bench,
    corpus: Corpus,
    others: Mapping[str, Sequence[str]],
    command: str,
    title: str,
    num_resamples: int = 9999,
) -> Dict[str, Any]:
    """
    Writes `report.json`, `report.md` and `report.html` into the folder of a bench, in place of earlier ones, and
    returns the report. `others` and `corpus` are as in `read_results`; `command` is the one that makes the report.
    """
    report = {"command": command, **bench_report(bench, read_results(bench, others, corpus), num_resamples)}
    warnings = list(limits(report))
    write_json(bench.folder / "report.json", report)
    # Markdown is for publishing, without a word of the data, which may not be free.
    page, markdown = (bench_sections(report, command, with_words) for with_words in (True, False))
    write_pages(bench.folder, title, page, markdown, warnings)
    return report
