"""
The `tune-thresholds` subcommand:

    allennlp tune-thresholds ARCHIVE DEV_FILE --output-file TUNED.tar.gz --include-package nerzoo
"""

import argparse
from typing import Any, Dict, List, Sequence, Tuple

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import Archive
from allennlp.nn.util import get_text_field_mask

from nerzoo.archives import copy_archive
from nerzoo.commands.arguments import Command, add_development_arguments, aligned
from nerzoo.evaluation.model_scores import load_to_rewrite, run_model
from nerzoo.evaluation.thresholds import THRESHOLDS, ScoredLevels, search_levels
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.modules.span_decoders import ScoredEntity, SpanDecoder, span_candidates
from nerzoo.text.annotation import Entity

NUM_ROWS = 10


@Subcommand.register("tune-thresholds")
class TuneThresholds(Command):
    """
    Finds the algorithm and the threshold of each level of a fofe_ner's decoder with the highest F1 on development data,
    and writes an archive with them. Never use test data here.
    """

    help = "Tune the thresholds of a fofe_ner."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_development_arguments(parser, "a trained fofe_ner")

    def run(self, args: argparse.Namespace) -> None:
        tune_thresholds(args.archive_file, args.dev_file, args.output_file, args.batch_size, args.cuda_device)


def tune_thresholds(
    archive_file: str, dev_file: str, output_file: str, batch_size: int = 32, cuda_device: int = -1
) -> List[ScoredLevels]:
    """
    Writes an archive that differs from `archive_file` only in the levels of its decoder; each level keeps its
    `merge_adjacent`. Prints the scores of the best combinations and of the archive's own levels. Returns all
    combinations, best first. Raises `ConfigurationError` where the archive has another model, the file has no entities,
    or the output exists.
    """
    archive = load_to_rewrite(archive_file, output_file, cuda_device)
    if not isinstance(archive.model, FofeNer):
        raise ConfigurationError(
            f"{archive_file}: found a model of type {archive.config['model']['type']}, expected fofe_ner"
        )
    levels: List[SpanDecoder] = archive.model.decoder.levels
    candidates, gold_entities = _run(archive, archive.model, dev_file, batch_size)
    if not any(gold_entities):
        raise ConfigurationError(f"{dev_file}: found no entities, expected some to tune thresholds on")
    found = search_levels(candidates, gold_entities, levels)
    copy_archive(archive_file, output_file, _config(archive, levels, found[0].levels))
    print(f"{len(found)} combinations on {dev_file}, best first\n{_table(found, tuple(levels))}", flush=True)
    return found


def _run(
    archive: Archive, model: FofeNer, dev_file: str, batch_size: int
) -> Tuple[List[List[ScoredEntity]], List[Sequence[Entity]]]:
    """Returns the candidate entities of all decoders and the gold entities, for each sentence."""
    lowest = min(model.decoder.threshold, *THRESHOLDS)
    candidates: List[List[ScoredEntity]] = []
    gold_entities: List[Sequence[Entity]] = []
    for batch, outputs in run_model(archive, dev_file, batch_size):
        mask = get_text_field_mask(batch["tokens"])
        candidates.extend(span_candidates(outputs["probabilities"], mask, model.types, lowest))
        gold_entities.extend(sentence["gold_entities"] for sentence in outputs["metadata"])
    return candidates, gold_entities


def _config(archive: Archive, own: Sequence[SpanDecoder], best: Sequence[SpanDecoder]) -> Dict[str, Any]:
    """Returns the archive's configuration with the best levels. Levels that do not change stay as written there."""
    config = archive.config.duplicate().as_dict(quiet=True)
    decoder = config["model"].get("decoder") or {"levels": [_level_config(level) for level in own]}
    levels = zip(decoder["levels"], own, best, strict=True)
    config["model"]["decoder"] = {
        "levels": [written if level is before else _level_config(level) for written, before, level in levels]
    }
    return config


def _level_config(level: SpanDecoder) -> Dict[str, Any]:
    name = next(name for name in SpanDecoder.list_available() if SpanDecoder.by_name(name) is type(level))
    return {"type": name, "threshold": level.threshold, "merge_adjacent": level.merge_adjacent}


def _table(found: List[ScoredLevels], own: Tuple[SpanDecoder, ...]) -> str:
    """Formats a table of the best combinations and, marked by a star, the archive's own."""
    rows = [
        [
            f"{scored.precision:.4f}",
            f"{scored.recall:.4f}",
            f"{scored.f1:.4f}",
            *(f"{_level_config(level)['type']} {level.threshold:g}" for level in scored.levels),
            "*" if scored.levels == own else "",
        ]
        for rank, scored in enumerate(found)
        if rank < NUM_ROWS or scored.levels == own
    ]
    rows.insert(0, ["precision", "recall", "f1", *(f"level {place}" for place in range(1, 1 + len(own))), ""])
    return aligned(rows)
