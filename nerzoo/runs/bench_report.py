"""What the predictions of several systems say beside each other."""

import statistics
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy

from nerzoo.evaluation.matching import sentence_counts
from nerzoo.evaluation.significance import holm, paired_significance
from nerzoo.reports.scores import averaged, entity_reliability, scheme_counts, scores
from nerzoo.reports.systems import System
from nerzoo.runs.bench import Bench
from nerzoo.runs.results import done_runs
from nerzoo.runs.systems.all_systems import all_systems
from nerzoo.text.annotation import Entity

SIGNIFICANCE_LEVEL = 0.05
_EXAMPLES = 5


def differences(
    systems: Sequence[System], num_resamples: int, seed: int
) -> Tuple[Dict[str, Any], List[Dict[str, Any]]]:
    """
    Compares the F1 of all pairs of systems.

    # Returns

    `Tuple[Dict[str, Any], List[Dict[str, Any]]]`
        The 95 % interval of each system's F1, by its name; and of each pair its `first` and `second` system, the
        `difference`, its `confidence_interval`, its `p_value` and, after Holm's correction over all pairs, `corrected`.
    """
    # shape: (R, N, 2) each
    counts = {system.name: numpy.stack([sentence_counts("f1", run) for run in system.runs]) for system in systems}
    intervals: Dict[str, Any] = {}
    found: List[Dict[str, Any]] = []
    pairs = list(combinations(counts, 2)) or [(systems[0].name, systems[0].name)]
    for first, second in pairs:
        result = paired_significance(counts[first], counts[second], num_resamples, seed)
        intervals.setdefault(first, list(result.first_interval))
        intervals.setdefault(second, list(result.second_interval))
        found.append(
            {
                "first": first,
                "second": second,
                "difference": result.difference,
                "confidence_interval": list(result.difference_interval),
                "p_value": result.p_value,
            }
        )
    if len(counts) == 1:
        return intervals, []
    corrected = holm([pair["p_value"] for pair in found])
    return intervals, [{**pair, "corrected": p_value} for pair, p_value in zip(found, corrected, strict=True)]


def alone(systems: Sequence[System]) -> Dict[str, Any]:
    """
    Says which gold entities are found by one system and by no other one. A system finds what most of its runs find.

    # Returns

    `Dict[str, Any]`
        `by_system`: for each the `count` and some `examples`; `by_none` and `by_any`, numbers of entities.
    """
    found: Dict[str, List[Dict[str, Any]]] = {system.name: [] for system in systems}
    by_none = by_any = 0
    for sentences in zip(*(zip(*system.runs, strict=True) for system in systems), strict=True):
        finders: Dict[Entity, List[str]] = {entity: [] for entity in sentences[0][0].gold}
        for system, of_runs in zip(systems, sentences, strict=True):
            votes = Counter(entity for sentence in of_runs for entity in {*sentence.predicted})
            for entity, names in finders.items():
                if 2 * votes[entity] > len(of_runs):
                    names.append(system.name)
        for entity, names in finders.items():
            by_none += not names
            by_any += bool(names)
            if len(names) == 1:
                words = sentences[0][0].words
                text = " ".join(words[entity.start : entity.end])
                found[names[0]].append({"text": text, "label": entity.label, "sentence": " ".join(words)})
    return {
        "by_system": {
            name: {"count": len(entities), "examples": entities[:_EXAMPLES]} for name, entities in found.items()
        },
        "by_none": by_none,
        "by_any": by_any,
    }


_MEANS = ("seconds", "processor_seconds", "epochs", "parameters", "words_per_second")


def bench_report(
    bench: Bench, systems: Sequence[System], num_resamples: int = 9999, seed: int = 13370
) -> Dict[str, Any]:
    """
    Says what a bench has found.

    # Parameters

    bench : `Bench`
    systems : `Sequence[System]`
        What `results` gives.
    num_resamples, seed : `int`, optional
        As in `paired_significance`.

    # Returns

    `Dict[str, Any]`
        What docs/bench.md describes, of numbers, strings, lists and dictionaries alone.
    """
    facts = bench.facts
    sentences = systems[0].runs[0]
    types = sorted({entity.label for sentence in sentences for entity in sentence.gold})
    intervals, pairs = differences(systems, num_resamples, seed)
    described = [_system(bench, system, types, intervals[system.name]) for system in systems]
    done = {(name, seed) for name, seed, _ in done_runs(bench)}
    missing = sorted({f"{run.system} (seed {run.seed})" for run in bench.runs if (run.system, run.seed) not in done})
    missing += [f"{name} (in its pilot)" for name in facts["full"] if name not in facts["shares"]]
    return {
        **{key: facts[key] for key in ("settings", "sha256", "facts", "machine", "versions", "left_out", "jobs")},
        "folder": str(bench.folder),
        "data": {
            "num_sentences": len(sentences),
            "num_words": sum(len(sentence.words) for sentence in sentences),
            "num_entities": sum(len(sentence.gold) for sentence in sentences),
            "types": {
                type_: sum(entity.label == type_ for sentence in sentences for entity in sentence.gold)
                for type_ in types
            },
        },
        "systems": sorted(described, key=lambda system: -system["f1"]),
        "differences": pairs,
        "alone": alone(systems),
        "missing": missing,
    }


def _system(bench: Bench, system: System, types: Sequence[str], interval: Any) -> Dict[str, Any]:
    facts = bench.facts
    of_runs = [scores(scheme_counts(run))["strict"] for run in system.runs]
    f1 = [of_run["f1"] for of_run in of_runs]
    known = all_systems(Path(bench.settings.configs)).get(system.name)
    runs = [run for name, _, of_seed in done_runs(bench) if name == system.name for run in of_seed]
    records = [run.record or {} for run in runs]
    by_type = [{type_: scores(scheme_counts(run, type_))["strict"]["f1"] for type_ in types} for run in system.runs]
    return {
        "name": system.name,
        "is_trained": bool(runs),
        "is_nerzoos": known is not None and known.is_nerzoos,
        "finds_nested": known is None or known.finds_nested,
        **averaged(of_runs),
        "confidence_interval": interval,
        "f1_of_runs": f1,
        "standard_deviation": statistics.stdev(f1) if len(f1) > 1 else None,
        "by_type": averaged(by_type),
        "calibration": entity_reliability([sentence for run in system.runs for sentence in run], types),
        **{name: _mean([record[name] for record in records]) for name in _MEANS},
        "share": facts["shares"].get(system.name),
        "full": facts["full"].get(system.name),
        "interrupted": sum(record["starts"] > 1 for record in records),
        "runs": [
            {"name": run.folder.name, "seed": run.seed, "split": run.split, **record}
            for run, record in zip(runs, records, strict=True)
        ],
    }


def _mean(values: List[float]) -> Optional[float]:
    return statistics.mean(values) if values else None
