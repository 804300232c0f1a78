"""What the report of a bench shows of scores and their differences."""

from typing import Any, Dict, List

from nerzoo.bench.findings import SIGNIFICANCE_LEVEL
from nerzoo.reporting.section import Section
from nerzoo.reporting.table import Column, Table

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
