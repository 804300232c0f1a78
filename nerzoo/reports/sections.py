"""The sections of a report, in order, for all formats."""

from itertools import compress
from typing import Any, Dict, Iterator, List, Sequence

from nerzoo.evaluation.matching import CORRECT, ERRORS
from nerzoo.reports.charts import BarChart, ReliabilityDiagram
from nerzoo.reports.scores import SCHEMES
from nerzoo.reports.sentence_sections import difference_section, error_section, label_error_section, repetition_table
from nerzoo.reports.tables import Column, Section, Table

_MEASURES = {"precision": "precision", "recall": "recall", "f1": "F1"}
_SCORES = [Column("precision", "score"), Column("recall", "score"), Column("F1", "score")]


def report_sections(report: Dict[str, Any], num_sentences: int) -> Iterator[Section]:
    """
    Yields the sections of a report that `build_report` returns. A table of sentences has at most `num_sentences`.
    """
    yield _score_section(report)
    for number, comparison in enumerate(report["comparisons"], start=1):
        yield _comparison_section(comparison, number)
    if report["data"]["types"]:
        yield _type_section(report)
        yield _error_kind_section(report)
        yield _group_section(report)
    if report["training"] is not None:
        yield _training_section(report, num_sentences)
    if any(system["calibration"] for system in report["systems"]):
        yield _calibration_section(report)
    yield error_section(report, num_sentences)
    if report["label_errors"]:
        yield label_error_section(report, num_sentences)
    for comparison in report["comparisons"]:
        yield difference_section(report, comparison, num_sentences)


def _score_section(report: Dict[str, Any]) -> Section:
    counts = ("correct", "predicted", "gold")
    rows = [
        [system["name"], scheme, *(system["scores"][scheme][name] for name in (*_MEASURES, *counts))]
        for system in report["systems"]
        for scheme in SCHEMES
    ]
    runs = [
        f"{system['name']}: means over {len(system['files'])} runs, whose F1 has the standard deviation "
        f"{100 * system['standard_deviation']:.2f}."
        for system in report["systems"]
        if system["standard_deviation"] is not None
    ]
    data = report["data"]
    documents = "" if data["num_documents"] is None else f", {data['num_documents']:,} documents"
    size = f"{data['num_entities']:,} entities in {data['num_sentences']:,} sentences, {data['num_words']:,} words"
    note = (
        "An entity is correct, strict: by boundary and type; boundary: by its boundary; type: by its type, if it "
        "overlaps; partial: by its boundary or, by half, if it overlaps."
    )
    columns = [Column("system"), Column("counted"), *_SCORES, *(Column(name, "count") for name in counts)]
    table = Table("Scores", columns, rows, note)
    return Section("scores", "Scores", [f"{size}{documents}.", *runs], [table])


def _comparison_section(comparison: Dict[str, Any], number: int) -> Section:
    columns = [
        Column("score"),
        Column(comparison["first"], "score"),
        Column(comparison["second"], "score"),
        Column("difference", "difference"),
        Column("95 % interval", "interval"),
        Column("p", "p"),
        Column("p, Holm", "p"),
    ]
    names = ("first", "second", "difference", "confidence_interval", "p_value", "corrected_p_value")
    rows = [
        [f"{_MEASURES[row['measure']]}, {row['type'] or row['scheme']}", *(row[name] for name in names)]
        for row in comparison["rows"]
    ]
    title = f"{comparison['first']} and {comparison['second']}"
    note = (
        "Differences are the first less the second; intervals by bootstrap, p values by approximate randomisation, "
        "each for one comparison: of twenty scores that do not differ, one has p below 0.05. Scores of types are "
        "strict; as there are several, their p values are corrected by Holm's method, too."
    )
    return Section(f"comparison-{number}", title, [], [Table(f"Differences: {title}", columns, rows, note)])


def _type_section(report: Dict[str, Any]) -> Section:
    columns = [Column("type"), Column("gold", "count")]
    rows = [[type_, count] for type_, count in report["data"]["types"].items()]
    series = {}
    for system in report["systems"]:
        own = [*_SCORES, Column("F1 by type", "score"), Column("F1 partial", "score")]
        columns += _named_columns(report, system, own)
        for row in rows:
            by_scheme = system["by_type"][row[0]]
            row += [by_scheme["strict"][name] for name in _MEASURES]
            row += [by_scheme["type"]["f1"], by_scheme["partial"]["f1"]]
        series[system["name"]] = [by_scheme["strict"]["f1"] for by_scheme in system["by_type"].values()]
    note = "Each type by itself, as if there were no other one; F1 by type counts any overlap."
    chart = BarChart("F1 of types, strict", list(report["data"]["types"]), series)
    return Section("types", "Types", [], [Table("Scores by type", columns, rows, note)], [chart])


def _named_columns(report: Dict[str, Any], system: Dict[str, Any], columns: Sequence[Column]) -> List[Column]:
    """Adds the name of a system to the titles of its columns, if there are several systems."""
    if len(report["systems"]) == 1:
        return list(columns)
    return [column._replace(title=f"{system['name']}: {column.title}") for column in columns]


def _error_kind_section(report: Dict[str, Any]) -> Section:
    types = list(report["data"]["types"])
    kinds = Table(
        "Kinds of errors",
        [Column("system"), *(Column(kind, "count") for kind in ERRORS)],
        [[system["name"], *system["errors"].values()] for system in report["systems"]],
    )
    tables = [kinds]
    for system in report["systems"]:
        rows = [[type_, *system["errors_by_type"][type_].values()] for type_ in types]
        columns = [Column("type"), *(Column(kind, "count") for kind in (CORRECT, *ERRORS))]
        tables.append(Table(f"Kinds of errors by type: {system['name']}", columns, rows))
    for system in report["systems"]:
        labels = [*types, "spurious"]
        rows = [[label, *row] for label, row in zip(labels, system["confusion"], strict=True)]
        columns = [Column("gold \\ predicted"), *(Column(label, "heat") for label in (*types, "missed"))]
        tables.append(Table(f"Which types were taken for which: {system['name']}", columns, rows))
    text = (
        "Each gold entity is matched with one predicted entity at most: with one that is equal, or else has the same "
        "boundary, or else overlaps and has the same type, or else overlaps. Spurious entities count at the type that "
        "was predicted, all else at the gold one. Where types are taken for others, boundaries may be wrong, too."
    )
    series = {system["name"]: list(system["errors"].values()) for system in report["systems"]}
    return Section("errors", "Errors", [text], tables, [BarChart("Kinds of errors", ERRORS, series, is_share=False)])


def _group_section(report: Dict[str, Any]) -> Section:
    tables, charts = [], []
    for grouping in report["groupings"]:
        every = [system["groups"][grouping["name"]] for system in report["systems"]]
        # An empty group has no score.
        present = [any(group["gold"] + group["predicted"] for group in groups) for groups in zip(*every, strict=True)]
        columns = [Column(grouping["title"]), Column("gold", "count")]
        rows: List[List[Any]] = [[group["name"], group["gold"]] for group in compress(every[0], present)]
        series = {}
        for system, groups in zip(report["systems"], every, strict=True):
            columns += _named_columns(report, system, [Column("predicted", "count"), *_SCORES])
            shown = list(compress(groups, present))
            for row, group in zip(rows, shown, strict=True):
                row += [group["predicted"], *(group[name] for name in _MEASURES)]
            series[system["name"]] = [group["f1"] for group in shown]
        tables.append(Table(f"By {grouping['title']}", columns, rows, grouping["note"]))
        charts.append(BarChart(f"F1 by {grouping['title']}", [row[0] for row in rows], series))
    return Section("groups", "What is hard", ["Strict scores of groups of entities."], tables, charts)


def _training_section(report: Dict[str, Any], num_sentences: int) -> Section:
    training, data = report["training"], report["data"]
    unknown = training["out_of_vocabulary"]
    paragraphs = [
        f"Training data: {training['num_sentences']:,} sentences, {training['num_words']:,} words, "
        f"{training['num_mentions']:,} different mentions.",
        f"{100 * unknown['tokens']:.1f} % of the words of the text, and {100 * unknown['words']:.1f} % of the "
        "different ones, are not in training data, as they are written.",
        f"Training data has {training['num_duplicates']:,} of the {data['num_sentences']:,} sentences, and "
        f"near-duplicates of {training['num_near_duplicates']:,} more.",
    ]
    return Section("training", "Training data", paragraphs, repetition_table(training, num_sentences))


def _calibration_section(report: Dict[str, Any]) -> Section:
    rows: List[List[Any]] = []
    charts = []
    for system in report["systems"]:
        if system["calibration"] is None:
            continue
        parts = {"all": system["calibration"]["overall"], **system["calibration"]["by_type"]}
        for name, part in parts.items():
            rows.append([system["name"], name, part["count"], part["expected_calibration_error"], part["brier_score"]])
            if part["count"]:
                charts.append(ReliabilityDiagram(f"{system['name']}, {name}", part))
    columns = [Column("system"), Column("type"), Column("predicted", "count")]
    columns += [Column("calibration error", "number"), Column("Brier score", "number")]
    text = (
        "How many of the predicted entities of a probability are correct, by boundary and type, over all runs. The "
        "expected calibration error is the difference of the two in a bin, averaged over entities; the Brier score is "
        "the mean square of how far probabilities are from 1 of what is correct and 0 of what is not. Of both, 0 is "
        "best."
    )
    table = Table("Calibration of the probabilities of entities", columns, rows)
    return Section("calibration", "Probabilities", [text], [table], charts)
