"""The findings of a bench: the predictions of its systems, and of others, side by side."""

import json
import statistics
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Sequence, Tuple

import numpy
from allennlp.common.checks import ConfigurationError

from nerzoo.evaluation.gold import check_same_words, read_gold
from nerzoo.evaluation.matching import sentence_counts
from nerzoo.evaluation.significance import holm, paired_significance
from nerzoo.files import read_run_file, write_text
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.formats.predictions import read_corpus, read_predictions
from nerzoo.reports.scores import averaged, entity_reliability, scheme_counts, scores
from nerzoo.reports.systems import System, read_systems
from nerzoo.runs.bench import DATA_NAME, Bench
from nerzoo.runs.bench_data import GOLD_NAME, ORDER_NAME, in_order
from nerzoo.runs.bench_run import BenchRun
from nerzoo.runs.systems.all_systems import all_systems
from nerzoo.text.annotation import Entity

SIGNIFICANCE_LEVEL = 0.05
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
