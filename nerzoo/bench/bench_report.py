import statistics
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

from nerzoo.bench.bench import Bench
from nerzoo.bench.findings import alone, differences
from nerzoo.bench.results import done_runs
from nerzoo.bench.systems import all_systems
from nerzoo.reporting.averages import averaged
from nerzoo.reporting.calibration import calibration
from nerzoo.reporting.scores import scheme_counts, scores
from nerzoo.reporting.system import System

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
        "calibration": calibration([sentence for run in system.runs for sentence in run], types),
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
