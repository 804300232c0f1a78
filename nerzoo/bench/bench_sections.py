"""What the report of a bench shows, in order, whatever the format."""

from typing import Any, Dict, Iterator, List

from nerzoo.bench.origin_section import origin_section
from nerzoo.bench.score_sections import difference_section, score_section
from nerzoo.reporting.cells import NONE
from nerzoo.reporting.charts import Point, ReliabilityDiagram, ScatterChart
from nerzoo.reporting.section import Section
from nerzoo.reporting.table import Column, Table


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
