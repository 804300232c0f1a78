"""The sections of a report that show sentences."""

from collections import Counter
from typing import Any, Dict, List, Sequence

from nerzoo.reports.tables import Column, MarkedText, Section, Table, mark


def error_section(report: Dict[str, Any], num_sentences: int) -> Section:
    """Shows the sentences with the most errors, at most `num_sentences` of them."""
    sentences = report["sentences"]
    if not sentences:
        return Section("sentences", "Sentences", ["All entities of all sentences are right."])
    text = f"{len(sentences):,} of {report['data']['num_sentences']:,} sentences have errors."
    return Section(
        "sentences",
        "Sentences with most errors",
        [text, *_cut(sentences, num_sentences)],
        [_sentence_table("Sentences with most errors", report, sentences[:num_sentences])],
    )


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
    text = (
        f"{len(found):,} sentences: {names[first]} has more errors in {worse[0]:,} of them, {names[second]} in "
        f"{worse[1]:,}."
    )
    title = f"Sentences on which {names[first]} and {names[second]} differ"
    tables = [_sentence_table(title, report, found[:num_sentences])] if found else []
    return Section(f"differing-{second}", title, [text, *_cut(found, num_sentences)], tables)


def label_error_section(report: Dict[str, Any], num_sentences: int) -> Section:
    """Shows at most `num_sentences` of the probable annotation errors by the first run of the first system."""
    errors = report["label_errors"]
    rows = [
        [
            _place(error["location"]),
            error["kind"],
            error["probability"],
            [MarkedText(mark(error["words"], [error["annotated"]] if error["annotated"] else []))],
            [MarkedText(mark(error["words"], error["believed"]))],
        ]
        for error in errors[:num_sentences]
    ]
    columns = [Column("sentence"), Column("kind"), Column("probability", "score")]
    columns += [Column("annotated", "marked"), Column("believed", "marked")]
    text = (
        f"Where annotation and the first run of {report['systems'][0]['name']} differ, in the order of the probability "
        "that it gives to what is annotated: the first ones are more likely errors of annotation than those further "
        "down, provided that it was not trained on these sentences."
    )
    title = "Annotation that is least believed"
    return Section("label-errors", title, [text, *_cut(errors, num_sentences)], [Table(title, columns, rows)])


def repetition_table(training: Dict[str, Any], num_sentences: int) -> List[Table]:
    """Makes the table of the sentences that training data has, too; no table if there are none."""
    repeated = training["repeated_sentences"]
    if not repeated:
        return []
    rows = [
        [
            _place(each["location"]),
            " ".join(each["words"]),
            _place(each["training_location"]),
            each["similarity"],
            each["num_entities"],
        ]
        for each in repeated[:num_sentences]
    ]
    columns = [Column("sentence"), Column("text"), Column("in training data"), Column("similarity", "score")]
    note = " ".join(_cut(repeated, num_sentences))
    return [Table("Sentences in training data", [*columns, Column("entities", "count")], rows, note)]


def _place(location: str) -> str:
    """Returns a location without the folder of its file."""
    path, colon, line = location.partition(":")
    return f"{path.rpartition('/')[2]}{colon}{line}"


def _cut(sentences: Sequence[Any], num_sentences: int) -> List[str]:
    if len(sentences) <= num_sentences:
        return []
    return [f"Here are the first {num_sentences:,} of {len(sentences):,}; report.json has all."]


def _sentence_table(caption: str, report: Dict[str, Any], sentences: Sequence[Dict[str, Any]]) -> Table:
    columns = [Column("sentence"), Column("errors", "count"), Column("gold", "marked")]
    columns += [Column(system["name"], "marked") for system in report["systems"]]
    rows = [
        [
            _place(sentence["location"]),
            sentence["num_errors"],
            [MarkedText(mark(sentence["words"], sentence["gold"]))],
            *(_predicted(sentence["words"], system["runs"]) for system in sentence["systems"]),
        ]
        for sentence in sentences
    ]
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
    sides = [
        f"{entity['label']} {' '.join(words[entity['start'] : entity['end']])}"
        for entity in (error["gold"], error["predicted"])
        if entity is not None
    ]
    return f"{error['kind']}: {' → '.join(sides)}"
