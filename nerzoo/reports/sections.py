"""The sections of a report, in order, for all formats."""

from collections import Counter
from itertools import compress
from typing import Any, Dict, Iterator, List, Sequence

from nerzoo.evaluation.gold import CORRECT, ERRORS
from nerzoo.evaluation.significance import SIGNIFICANCE_LEVEL
from nerzoo.reports.systems import SCHEMES
from nerzoo.reports.tables import (
    NONE,
    Column,
    MarkedText,
    ReliabilityDiagram,
    Section,
    Table,
    data_size,
    make_columns,
    mark,
)

_MEASURES = {"precision": "precision", "recall": "recall", "f1": "F1"}
_SCORES = make_columns("precision:score", "recall:score", "F1:bar")


def report_sections(report: Dict[str, Any], num_sentences: int) -> Iterator[Section]:
    """Yields the sections of what `build_report` returns. A table of sentences has at most `num_sentences`."""
    if report["origin"] is not None:
        yield _origin_section(report["origin"])
    yield _score_section(report)
    yield error_section(report, num_sentences)
    for comparison in report["comparisons"]:
        yield difference_section(report, comparison, num_sentences)
    if report["label_errors"]:
        yield label_error_section(report, num_sentences)
    for number, comparison in enumerate(report["comparisons"], start=1):
        yield _comparison_section(comparison, number)
    if report["data"]["types"]:
        yield _type_section(report)
        yield _error_kind_section(report)
        yield _group_section(report)
    if any(system["calibration"] for system in report["systems"]):
        yield _calibration_section(report)
    if report["training"] is not None:
        yield _training_section(report, num_sentences)


def _origin_section(origin: Dict[str, Any]) -> Section:
    paragraphs = [f"Written by nerzoo {origin['version']} at {origin['date']}."]
    if origin["command"]:
        paragraphs.append(f"Command: {origin['command']}")
    rows = [[file["kind"], file["path"], file["sha256"]] for file in origin["files"]]
    table = Table("Files of this report", make_columns("content", "file", "SHA-256"), rows)
    return Section("origin", "Origin", paragraphs, [table])


def _score_section(report: Dict[str, Any]) -> Section:
    counts = ("correct", "predicted", "gold")
    rows = [
        [
            system["name"],
            scheme,
            *(system["scores"][scheme][name] for name in _MEASURES),
            system["f1_interval"] if scheme == "strict" else None,
            *(system["scores"][scheme][name] for name in counts),
        ]
        for system in report["systems"]
        for scheme in SCHEMES
    ]
    runs = [
        f"{system['name']}: means over {len(system['files'])} runs, whose F1 has the standard deviation "
        f"{100 * system['standard_deviation']:.1f}."
        for system in report["systems"]
        if system["standard_deviation"] is not None
    ]
    data = report["data"]
    documents = "" if data["num_documents"] is None else f", {data['num_documents']:,} documents"
    note = (
        "An entity is correct, strict: by boundary and type; boundary: by its boundary; type: by its type, if it "
        "overlaps; partial: by its boundary or, by half, if it overlaps. The interval of F1 is by bootstrap over "
        "sentences, and over runs if there are several."
    )
    interval = Column("95 % interval of F1", "scores")
    columns = [*make_columns("system", "counted"), *_SCORES, interval, *(Column(name, "count") for name in counts)]
    return Section(
        "scores", "Scores", [f"{data_size(data)}{documents}.", *runs], [Table("Scores", columns, rows, note)]
    )


def _comparison_section(comparison: Dict[str, Any], number: int) -> Section:
    columns = [Column("score"), *(Column(comparison[which], "score") for which in ("first", "second"))]
    columns += make_columns("difference:difference", "95 % interval:interval", "p:p", "p, Holm:p", "verdict")
    names = ("first", "second", "difference", "confidence_interval", "p_value", "corrected_p_value")
    rows = [
        [f"{_MEASURES[row['measure']]}, {row['type'] or row['scheme']}", *(row[name] for name in names), _verdict(row)]
        for row in comparison["rows"]
    ]
    title = f"Differences between {comparison['first']} and {comparison['second']}"
    note = (
        "Differences are the first less the second; intervals by bootstrap, p values by approximate randomisation, "
        "each for one comparison: of twenty scores that do not differ, one has p below 0.05. Scores of types are "
        "strict; as there are several, their p values are corrected by Holm's method, too. A difference is significant "
        "if its last p value is below 0.05. An interval may be without 0 although the difference is not significant: "
        "it is by another method, and not corrected."
    )
    return Section(f"comparison-{number}", title, [], [Table(title, columns, rows, note)])


def _verdict(row: Dict[str, Any]) -> str:
    if row["is_significant"] is None:
        return NONE
    if row["is_significant"]:
        return "significant"
    return "not significant" if row["p_value"] >= SIGNIFICANCE_LEVEL else "not significant after Holm's correction"


def _type_section(report: Dict[str, Any]) -> Section:
    columns = make_columns("type", "gold:count")
    rows = [[type_, count] for type_, count in report["data"]["types"].items()]
    for system in report["systems"]:
        own = [*_SCORES, *make_columns("F1 by type:score", "F1 partial:score")]
        columns += _named_columns(report, system, own)
        for row in rows:
            by_scheme = system["by_type"][row[0]]
            row += [by_scheme["strict"][name] for name in _MEASURES]
            row += [by_scheme["type"]["f1"], by_scheme["partial"]["f1"]]
    note = "Each type by itself, as if there were no other one; F1 by type counts any overlap."
    return Section("types", "Types", [], [Table("Scores by type", columns, rows, note)])


def _named_columns(report: Dict[str, Any], system: Dict[str, Any], columns: Sequence[Column]) -> List[Column]:
    """Adds the name of a system to the titles of its columns, if there are several systems."""
    if len(report["systems"]) == 1:
        return list(columns)
    return [column._replace(title=f"{system['name']}: {column.title}") for column in columns]


def _error_kind_section(report: Dict[str, Any]) -> Section:
    types = list(report["data"]["types"])
    columns = [Column("system"), *(Column(kind, "count") for kind in ERRORS)]
    rows = [[system["name"], *system["errors"].values()] for system in report["systems"]]
    tables = [Table("Kinds of errors", columns, rows)]
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
    return Section("errors", "Errors", [text], tables)


def _group_section(report: Dict[str, Any]) -> Section:
    tables = []
    for grouping in report["groupings"]:
        every = [system["groups"][grouping["name"]] for system in report["systems"]]
        # An empty group has no score.
        present = [any(group["gold"] + group["predicted"] for group in groups) for groups in zip(*every, strict=True)]
        columns = [Column(grouping["title"]), Column("gold", "count")]
        rows: List[List[Any]] = [[group["name"], group["gold"]] for group in compress(every[0], present)]
        for system, groups in zip(report["systems"], every, strict=True):
            columns += _named_columns(report, system, [Column("predicted", "count"), *_SCORES])
            shown = list(compress(groups, present))
            for row, group in zip(rows, shown, strict=True):
                row += [group["predicted"], *(group[name] for name in _MEASURES)]
        tables.append(Table(f"By {grouping['title']}", columns, rows, grouping["note"]))
    return Section("groups", "What is hard", ["Strict scores of groups of entities."], tables)


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
    return Section("training", "Training data", paragraphs, _repetition_table(training, num_sentences))


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
    columns = make_columns("system", "type", "predicted:count", "calibration error:number", "Brier score:number")
    text = (
        "How many of the predicted entities of a probability are correct, by boundary and type, over all runs. The "
        "expected calibration error is the difference of the two in a bin, averaged over entities; the Brier score is "
        "the mean square of how far probabilities are from 1 of what is correct and 0 of what is not. Of both, 0 is "
        "best."
    )
    table = Table("Calibration of the probabilities of entities", columns, rows)
    return Section("calibration", "Probabilities", [text], [table], charts)


def error_section(report: Dict[str, Any], num_sentences: int) -> Section:
    """Shows the sentences with the most errors, at most `num_sentences` of them."""
    sentences = report["sentences"]
    if not sentences:
        return Section("sentences", "Sentences", ["All entities of all sentences are right."])
    title = "Sentences with most errors"
    text = f"{len(sentences):,} of {report['data']['num_sentences']:,} sentences have errors."
    table = _sentence_table(title, report, sentences[:num_sentences])
    return Section("sentences", title, [text, *_cut(sentences, num_sentences)], [table])


def difference_section(report: Dict[str, Any], comparison: Dict[str, Any], num_sentences: int) -> Section:
    """Shows the sentences on which two systems differ, those with the largest difference in errors first."""
    names = [system["name"] for system in report["systems"]]
    first, second = (names.index(comparison[which]) for which in ("first", "second"))
    # Where they differ, one of them is wrong, so that all these sentences have errors.
    by_index = {sentence["index"]: sentence for sentence in report["sentences"]}
    differences = {
        index: by_index[index]["systems"][first]["num_errors"] - by_index[index]["systems"][second]["num_errors"]
        for index in comparison["differing"]
    }
    found = [by_index[index] for index in sorted(differences, key=lambda index: -abs(differences[index]))]
    worse = [sum(value * sign > 0 for value in differences.values()) for sign in (1, -1)]
    text = f"{len(found):,} sentences: {names[first]} has more errors in {worse[0]:,} of them, "
    text += f"{names[second]} in {worse[1]:,}."
    title = f"Sentences on which {names[first]} and {names[second]} differ"
    tables = [_sentence_table(title, report, found[:num_sentences])] if found else []
    return Section(f"differing-{second}", title, [text, *_cut(found, num_sentences)], tables)


def label_error_section(report: Dict[str, Any], num_sentences: int) -> Section:
    """Shows at most `num_sentences` of the probable annotation errors by the first run of the first system."""
    errors = report["label_errors"]
    rows = []
    for error in errors[:num_sentences]:
        sides = [error["annotated"]] if error["annotated"] else [], error["believed"]
        marked = [[MarkedText(mark(error["words"], entities))] for entities in sides]
        rows.append([_place(error["location"]), error["kind"], error["probability"], *marked])
    columns = make_columns("sentence", "kind", "probability:score", "annotated:marked", "believed:marked")
    text = (
        f"Where annotation and the first run of {report['systems'][0]['name']} differ, in the order of the probability "
        "that it gives to what is annotated: the first ones are more likely errors of annotation than those further "
        "down, provided that it was not trained on these sentences."
    )
    title = "Annotation that is least believed"
    return Section("label-errors", title, [text, *_cut(errors, num_sentences)], [Table(title, columns, rows)])


def _repetition_table(training: Dict[str, Any], num_sentences: int) -> List[Table]:
    """Makes the table of the sentences that training data has, too; no table if there are none."""
    repeated = training["repeated_sentences"]
    if not repeated:
        return []
    rows = []
    for each in repeated[:num_sentences]:
        places = _place(each["location"]), " ".join(each["words"]), _place(each["training_location"])
        rows.append([*places, each["similarity"], each["num_entities"]])
    columns = make_columns("sentence", "text", "in training data", "similarity:score", "entities:count")
    return [Table("Sentences in training data", columns, rows, " ".join(_cut(repeated, num_sentences)))]


def _place(location: str) -> str:
    """Returns a location without the folder of its file."""
    path, colon, line = location.partition(":")
    return f"{path.rpartition('/')[2]}{colon}{line}"


def _cut(sentences: Sequence[Any], num_sentences: int) -> List[str]:
    if len(sentences) <= num_sentences:
        return []
    return [f"Here are the first {num_sentences:,} of {len(sentences):,}; report.json has all."]


def _sentence_table(caption: str, report: Dict[str, Any], sentences: Sequence[Dict[str, Any]]) -> Table:
    columns = make_columns("sentence", "errors:count", "gold:marked")
    columns += [Column(system["name"], "marked") for system in report["systems"]]
    rows: List[List[Any]] = []
    for sentence in sentences:
        gold = [MarkedText(mark(sentence["words"], sentence["gold"]))]
        predicted = [_predicted(sentence["words"], system["runs"]) for system in sentence["systems"]]
        rows.append([_place(sentence["location"]), sentence["num_errors"], gold, *predicted])
    return Table(caption, columns, rows)


def _predicted(words: Sequence[str], runs: Sequence[Dict[str, Any]]) -> List[MarkedText]:
    """Shows the different predictions of the runs of a system for a sentence, with their errors as remarks."""
    shown: Counter = Counter()
    for run in runs:
        wrong = [error["predicted"] for error in run["errors"] if error["predicted"] is not None]
        remarks = tuple(_remark(words, error) for error in run["errors"])
        shown[tuple(mark(words, run["predicted"], wrong)), remarks] += 1
    return [
        MarkedText(list(segments), remarks, f"{count} of {len(runs)} runs" if len(runs) > 1 else "")
        for (segments, remarks), count in shown.most_common()
    ]


def _remark(words: Sequence[str], error: Dict[str, Any]) -> str:
    sides = [error[side] for side in ("gold", "predicted") if error[side] is not None]
    texts = [f"{entity['label']} {' '.join(words[entity['start'] : entity['end']])}" for entity in sides]
    return f"{error['kind']}: {' → '.join(texts)}"
