"""The findings of a bench: its systems side by side, as data and as the sections of a report."""

import json
import shlex
import statistics
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Sequence, Tuple

import numpy
from allennlp.common.checks import ConfigurationError

from nerzoo.evaluation.gold import check_same_words, read_gold, sentence_counts
from nerzoo.evaluation.significance import SIGNIFICANCE_LEVEL, holm, paired_significance
from nerzoo.files import read_run_file, write_json, write_text
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import JsonlCorpus, read_corpus, read_predictions
from nerzoo.reports.systems import System, averaged, entity_reliability, read_systems, scheme_counts, scores
from nerzoo.reports.tables import (
    NONE,
    Column,
    Point,
    ReliabilityDiagram,
    ScatterChart,
    Section,
    Table,
    data_size,
    make_columns,
    write_pages,
)
from nerzoo.runs.bench import DATA_NAME, Bench, BenchRun
from nerzoo.runs.bench_data import GOLD_NAME, ORDER_NAME, in_order
from nerzoo.runs.systems import all_systems
from nerzoo.text.annotation import Entity

_NOT_SIGNIFICANT, _SIGNIFICANT = "not significant", "significant"
_MOST_NAMED = 10
_EXAMPLES = 5
_MEANS = ("seconds", "processor_seconds", "epochs", "parameters", "words_per_second")


def read_results(bench: Bench, others: Mapping[str, Sequence[str]], corpus: Corpus) -> List[System]:
    """
    Writes the predictions of each system with each seed for all test data into the folder `predictions`, and reads
    them. `others` has for each other system the files of predictions of its runs: JSON lines, where their names end in
    `.jsonl`, or files in the format of the data, which is `corpus`. Raises `ConfigurationError` where another system
    has the name of a trained one, or predictions for other sentences; and where there are no predictions.
    """
    folder, data = bench.folder / "predictions", bench.folder / DATA_NAME
    folder.mkdir(exist_ok=True)
    gold, order = read_gold(str(data / GOLD_NAME), JsonlCorpus()), read_run_file(data / ORDER_NAME, list)
    files: Dict[str, List[str]] = {}

    def write(name: str, number: int, lines: Sequence[str]) -> None:
        write_text(folder / f"{name}-{number}.jsonl", "".join(lines))
        files.setdefault(name, []).append(str(folder / f"{name}-{number}.jsonl"))

    for name, seed, runs in done_runs(bench):
        write(name, seed, in_order(order, [line for run in runs for line in run.predictions]))
    for name, paths in others.items():
        if name in bench.facts["systems"]:
            raise ConfigurationError(f"found --predictions of {name}, which is trained here, expected another name")
        for number, path in enumerate(paths, start=1):
            is_jsonl = path.endswith(".jsonl")
            sentences = list(read_predictions(path, "entities") if is_jsonl else read_corpus(path, corpus))
            check_same_words(sentences, path, gold, "the test data")
            items = [{"words": sentence.words, "entities": sentence.predicted_json()} for sentence in sentences]
            write(name, number, [json.dumps(item, ensure_ascii=False) + "\n" for item in items])
    if not files:
        raise ConfigurationError(f"{bench.folder}: found no run that is done, expected one at least; see the logs")
    return read_systems(list(files.values()), list(files), gold, str(data / GOLD_NAME))


def done_runs(bench: Bench) -> Iterator[Tuple[str, int, List[BenchRun]]]:
    """Yields each system and seed whose runs on all splits are done, with these runs."""
    runs_by_seed: Dict[Tuple[str, int], List[BenchRun]] = {}
    for run in bench.runs:
        runs_by_seed.setdefault((run.system, run.seed), []).append(run)
    order = bench.facts["systems"]
    for (name, seed), runs in sorted(runs_by_seed.items(), key=lambda item: (order.index(item[0][0]), item[0][1])):
        if all(run.product.exists() for run in runs):
            yield name, seed, runs


def compare_pairs(
    systems: Sequence[System], num_resamples: int, seed: int
) -> Tuple[Dict[str, Any], List[Dict[str, Any]]]:
    """
    Compares the F1 of all pairs of systems. Returns the 95 % interval of each system's F1, by its name; and for each
    pair its `first` and `second` system, the `difference`, its `confidence_interval`, its `p_value` and, after Holm's
    correction over all pairs, `corrected`.
    """
    # shape: (R, N, 2) each
    counts = {system.name: numpy.stack([sentence_counts("f1", run) for run in system.runs]) for system in systems}
    intervals: Dict[str, Any] = {}
    found: List[Dict[str, Any]] = []
    # A single system is compared with itself, for its interval.
    for first, second in list(combinations(counts, 2)) or [(systems[0].name, systems[0].name)]:
        result = paired_significance(counts[first], counts[second], num_resamples, seed)
        intervals.setdefault(first, list(result.first_interval))
        intervals.setdefault(second, list(result.second_interval))
        found.append({"first": first, "second": second, **result.difference_json()})
    if len(counts) == 1:
        return intervals, []
    corrected = holm([pair["p_value"] for pair in found])
    return intervals, [{**pair, "corrected": p_value} for pair, p_value in zip(found, corrected, strict=True)]


def found_alone(systems: Sequence[System]) -> Dict[str, Any]:
    """
    Finds gold entities that one system finds and no other does. A system finds what most of its runs find. Returns for
    each system, `by_system`, their `count` and some `examples`; and numbers of entities, found `by_none` and `by_any`.
    """
    found: Dict[str, List[Dict[str, Any]]] = {system.name: [] for system in systems}
    by_none = by_any = 0
    for sentences in zip(*(zip(*system.runs, strict=True) for system in systems), strict=True):
        finders: Dict[Entity, List[str]] = {entity: [] for entity in sentences[0][0].gold}
        for name, runs in zip(found, sentences, strict=True):
            votes = Counter(entity for sentence in runs for entity in {*sentence.predicted})
            for entity, names in finders.items():
                if 2 * votes[entity] > len(runs):
                    names.append(name)
        words = sentences[0][0].words
        for entity, names in finders.items():
            by_none += not names
            by_any += bool(names)
            if len(names) == 1:
                text = " ".join(words[entity.start : entity.end])
                found[names[0]].append({"text": text, "label": entity.label, "sentence": " ".join(words)})
    by_system = {name: {"count": len(alone), "examples": alone[:_EXAMPLES]} for name, alone in found.items()}
    return {"by_system": by_system, "by_none": by_none, "by_any": by_any}


def bench_report(
    bench: Bench, systems: Sequence[System], num_resamples: int = 9999, seed: int = 13370
) -> Dict[str, Any]:
    """
    Returns the content of `report.json`, which docs/bench.md describes: numbers, strings, lists and dictionaries alone.
    `systems` are those of `read_results`; other parameters are those of `paired_significance`.
    """
    facts = bench.facts
    sentences = systems[0].runs[0]
    types = Counter(entity.label for sentence in sentences for entity in sentence.gold)
    intervals, pairs = compare_pairs(systems, num_resamples, seed)
    done = {(name, seed): runs for name, seed, runs in done_runs(bench)}
    missing = sorted({f"{run.system} (seed {run.seed})" for run in bench.runs if (run.system, run.seed) not in done})
    missing += [f"{name} (in its pilot)" for name in facts["full"] if name not in facts["shares"]]
    described = []
    for system in systems:
        runs = [run for (name, _), found in done.items() if name == system.name for run in found]
        described.append(_describe(bench, system, sorted(types), intervals[system.name], runs))
    return {
        **{key: facts[key] for key in ("settings", "sha256", "facts", "machine", "versions", "left_out", "jobs")},
        "folder": str(bench.folder),
        "data": {
            "num_sentences": len(sentences),
            "num_words": sum(len(sentence.words) for sentence in sentences),
            "num_entities": types.total(),
            "types": dict(sorted(types.items())),
        },
        "systems": sorted(described, key=lambda system: -system["f1"]),
        "differences": pairs,
        "alone": found_alone(systems),
        "missing": missing,
    }


def _describe(
    bench: Bench, system: System, types: Sequence[str], interval: Any, runs: Sequence[BenchRun]
) -> Dict[str, Any]:
    facts = bench.facts
    strict = [scores(scheme_counts(run))["strict"] for run in system.runs]
    f1 = [run["f1"] for run in strict]
    by_type = [{type_: scores(scheme_counts(run, type_))["strict"]["f1"] for type_ in types} for run in system.runs]
    known = all_systems(Path(bench.settings.configs)).get(system.name)
    records = [run.record or {} for run in runs]
    return {
        "name": system.name,
        "is_trained": bool(runs),
        "is_nerzoos": known is not None and known.is_nerzoos,
        "finds_nested": known is None or known.finds_nested,
        **averaged(strict),
        "confidence_interval": interval,
        "f1_of_runs": f1,
        "standard_deviation": statistics.stdev(f1) if len(f1) > 1 else None,
        "by_type": averaged(by_type),
        "calibration": entity_reliability([sentence for run in system.runs for sentence in run], types),
        **{name: statistics.mean(record[name] for record in records) if runs else None for name in _MEANS},
        "share": facts["shares"].get(system.name),
        "full": facts["full"].get(system.name),
        "interrupted": sum(record["starts"] > 1 for record in records),
        "runs": [{"name": run.folder.name, "seed": run.seed, "split": run.split, **(run.record or {})} for run in runs],
    }


def origin_section(report: Dict[str, Any], command: str) -> Section:
    """Shows all that is needed to get the same figures again."""
    facts = {**report["machine"], "threads of a training": str(report["settings"]["num_threads"])}
    facts["trainings at a time"] = str(report["jobs"])
    verifying = shlex.join(["nerzoo", "bench", "--verify", report["folder"], "--rows", "RUN"])
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
    kind = _NOT_SIGNIFICANT if pair["corrected"] >= SIGNIFICANCE_LEVEL else _SIGNIFICANT
    side = "ahead of" if gap >= 0 else "behind"
    return (
        f"The best of nerzoo's systems, {ours['name']}, is {abs(gap):.1f} points {side} the best of the others, "
        f"{best['name']}, which is {kind} (p = {pair['corrected']:.4f} after Holm's correction)."
    )


def difference_section(report: Dict[str, Any]) -> Section:
    """Shows the differences of all pairs, and which of them are significant."""
    scores = {system["name"]: system["f1"] for system in report["systems"]}
    corrected: Dict[Any, float] = {}
    rows: List[List[Any]] = []
    for pair in report["differences"]:
        first, second, sign = pair["first"], pair["second"], 1
        if scores[first] < scores[second]:
            first, second, sign = second, first, -1
        corrected[first, second] = corrected[second, first] = pair["corrected"]
        interval = sorted(sign * bound for bound in pair["confidence_interval"])
        kind = _NOT_SIGNIFICANT if pair["corrected"] >= SIGNIFICANCE_LEVEL else _SIGNIFICANT
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
    others = [row[0] for row in rows if row[-1] == _NOT_SIGNIFICANT]
    named = f": {', '.join(others)}" if 0 < len(others) <= _MOST_NAMED else ""
    text = (
        f"p values by approximate randomisation over sentences and seeds, after Holm's correction over all {len(rows)} "
        f"pairs. A difference whose corrected p is {SIGNIFICANCE_LEVEL} or more is not significant."
    )
    found = f"{len(others)} of these differences are not significant{named}."
    return Section(
        "differences", "Which differences are significant", [text, found], [matrix, Table("Pairs", columns, rows)]
    )


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
