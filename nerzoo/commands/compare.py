"""
The `compare` subcommand says whether two systems' predictions for the same sentences differ by more than chance:

    allennlp compare A.jsonl B.jsonl [--metric f1|accuracy|cer] [--gold FILE --config CONFIG] [--output-file FILE]
"""

import argparse
from operator import eq
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

import numpy
from allennlp.commands.subcommand import Subcommand
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader

from nerzoo.commands.table import aligned
from nerzoo.compatibility import SubParsers
from nerzoo.data.corpora import sentence_from_json
from nerzoo.data.corpora.jsonl import json_object
from nerzoo.data.lines import format_error, read_lines
from nerzoo.data.tag_schemes import tags_to_entities
from nerzoo.evaluation.significance import paired_significance
from nerzoo.files import write_json
from nerzoo.training.metrics.concept_error_rate import concept_errors

# Of each metric, what of a prediction it is of.
METRICS = {"f1": "entities", "accuracy": "tags", "cer": "entities"}


@Subcommand.register("compare")
class Compare(Subcommand):
    """The scores of both systems with intervals of confidence, and the p value of their difference."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Compare what two systems predict for the same sentences: their scores, with 95 % intervals of confidence "
            "by bootstrap, and the p value of the difference by approximate randomisation over sentences."
        )
        subparser = parser.add_parser(self.name, description=description, help="Compare two systems' predictions.")
        what = "what `allennlp predict` wrote for the one system, with --use-dataset-reader unless there is --gold"
        subparser.add_argument("first", type=str, help=what)
        subparser.add_argument("second", type=str, help="the same for the other system")
        subparser.add_argument("--metric", choices=list(METRICS), default="f1", help="f1 and cer are of entities")
        subparser.add_argument("--gold", type=str, help="file with the gold annotation, to be read as --config says")
        subparser.add_argument("--config", type=str, help="configuration with the dataset reader for --gold")
        subparser.add_argument(
            "--num-resamples", type=int, default=9999, help="of the randomisation, and of the bootstrap"
        )
        subparser.add_argument("--seed", type=int, default=13370, help="decides which resamples, and nothing else")
        subparser.add_argument("--output-file", type=str, help="optional path to write the numbers to, as JSON")
        subparser.set_defaults(func=_compare_from_args)
        return subparser


def _compare_from_args(args: argparse.Namespace) -> Dict[str, Any]:
    return compare(
        args.first, args.second, args.metric, args.gold, args.config, args.num_resamples, args.seed, args.output_file
    )


def compare(
    first: str,
    second: str,
    metric: str = "f1",
    gold_file: Optional[str] = None,
    config_file: Optional[str] = None,
    num_resamples: int = 9999,
    seed: int = 13370,
    output_file: Optional[str] = None,
) -> Dict[str, Any]:
    """
    Prints and, if asked to, writes what it returns. See `nerzoo.evaluation.significance` for what is computed.

    # Parameters

    first, second : `str`
        The files of predictions.
    metric : `str`, optional (default = `"f1"`)
        `"f1"`: of entities; `"accuracy"`: of tags; `"cer"`: the concept error rate, of the types of entities in order.
    gold_file : `str`, optional
        By default, the gold tags are those that the predictions hold.
    config_file : `str`, optional
        Its `validation_dataset_reader`, or else its `dataset_reader`, reads `gold_file`.
    num_resamples : `int`, optional (default = `9999`)
    seed : `int`, optional (default = `13370`)
    output_file : `str`, optional

    # Returns

    `Dict[str, Any]`
        `metric`, `num_sentences`, `p_value`, and under `first`, `second` and `difference` a `score` and its
        `confidence_interval`, for systems beside their `file`.

    # Raises

    `ConfigurationError`, naming file and line, where the files do not hold the same sentences in the same order, or not
    the same gold tags, or a sentence lacks what is scored.
    """
    if (gold_file is None) != (config_file is None):
        raise ConfigurationError("found one of --gold and --config, expected both or neither")
    if num_resamples < 1:
        raise ConfigurationError(f"found --num-resamples {num_resamples}, expected at least 1")
    systems = [_read_predictions(path, METRICS[metric]) for path in (first, second)]
    _check_same_words(systems[1], second, systems[0], first)
    if gold_file is None:
        gold = [_gold_of_predictions(*pair) for pair in zip(*systems, strict=True)]
    else:
        annotated = _read_gold(gold_file, config_file, METRICS[metric])
        _check_same_words(systems[0], first, annotated, gold_file)
        gold = [sentence.annotation for sentence in annotated]
    if len(gold) < 2:
        raise format_error(first, f"{len(gold)} sentences", "at least 2")
    counts = [_counts(metric, [sentence.annotation for sentence in system], gold) for system in systems]
    result = paired_significance(*counts, num_resamples, seed)
    summary = {
        "metric": metric,
        "num_sentences": len(gold),
        "first": {"file": first, "score": result.first, "confidence_interval": result.first_interval},
        "second": {"file": second, "score": result.second, "confidence_interval": result.second_interval},
        "difference": {"score": result.difference, "confidence_interval": result.difference_interval},
        "p_value": result.p_value,
    }
    if output_file is not None:
        write_json(Path(output_file), summary)
    print(_table(summary), flush=True)
    return summary


class _Sentence(NamedTuple):
    """
    Where it stands, its words, the tags or entities in question and, of predictions, the gold ones, if they are there.
    """

    where: object
    words: List[str]
    annotation: Sequence
    gold: Optional[Sequence] = None


def _read_predictions(path: str, name: str) -> List[_Sentence]:
    sentences = []
    for line in read_lines(path):
        if line.is_blank:
            continue
        obj = json_object(line)
        if obj.get(name) is None:
            raise format_error(line, f"no {name}", f"{name}, which the metric is of")
        sentence = sentence_from_json({"words": obj.get("words"), name: obj[name]}, line)
        gold = None
        if obj.get("gold_tags") is not None:
            tags = sentence_from_json({"words": sentence.words, "tags": obj["gold_tags"]}, line).tags
            gold = _of_tags(tags, name)
        sentences.append(_Sentence(line, sentence.words, getattr(sentence, name), gold))
    return sentences


def _read_gold(path: str, config_file: str, name: str) -> List[_Sentence]:
    config = Params.from_file(config_file)
    reader = DatasetReader.from_params(config.get("validation_dataset_reader") or config["dataset_reader"])
    sentences = []
    for instance in reader.read(path):
        metadata = instance["metadata"].metadata
        # Of a document, that of each of its sentences.
        for sentence in metadata.get("sentences", [metadata]):
            where = f"{path}, sentence {len(sentences) + 1}"
            if name == "entities" and "gold_entities" in sentence:
                annotation = sentence["gold_entities"]
            elif "gold_tags" in sentence:
                annotation = _of_tags(sentence["gold_tags"], name)
            else:
                raise format_error(where, "no tags", f"a dataset reader in {config_file} that gives tags")
            sentences.append(_Sentence(where, sentence["words"], annotation))
    return sentences


def _of_tags(tags: List[str], name: str) -> Sequence:
    # The same entities whatever the scheme, which conlleval is not told either.
    return tags if name == "tags" else tags_to_entities(tags, "BIO")


def _check_same_words(found: List[_Sentence], path: str, expected: List[_Sentence], expected_path: str) -> None:
    if len(found) != len(expected):
        raise format_error(path, f"{len(found)} sentences", f"{len(expected)} as in {expected_path}")
    for sentence, other in zip(found, expected, strict=True):
        if sentence.words != other.words:
            what = f"{' '.join(other.words)!r} as in {other.where}: the same sentences in the same order"
            raise format_error(sentence.where, repr(" ".join(sentence.words)), what)


def _gold_of_predictions(first: _Sentence, second: _Sentence) -> Sequence:
    """What either holds, or both."""
    if first.gold is None and second.gold is None:
        expected = "gold_tags, as `allennlp predict --use-dataset-reader` writes them, or --gold"
        raise format_error(first.where, f"no gold_tags, and none in {second.where}", expected)
    if first.gold is not None and second.gold is not None and first.gold != second.gold:
        raise format_error(second.where, f"the gold annotation {second.gold}", f"{first.gold} as in {first.where}")
    return second.gold if first.gold is None else first.gold


def _counts(metric: str, predicted: List[Sequence], gold: List[Sequence]) -> numpy.ndarray:
    """Of each sentence the numerator and the denominator of the score, (N, 2)."""
    if metric == "cer":
        types = [[[entity.label for entity in entities] for entities in side] for side in (predicted, gold)]
        *errors, num_gold = concept_errors(*types)
        return numpy.stack([sum(errors), num_gold], axis=1)
    pairs = zip(predicted, gold, strict=True)
    if metric == "accuracy":
        return numpy.array([(sum(map(eq, tags, truth)), len(truth)) for tags, truth in pairs])
    return numpy.array([(2 * len({*found} & {*truth}), len(found) + len(truth)) for found, truth in pairs])


def _table(summary: Dict[str, Any]) -> str:
    rows = [["", summary["metric"], "95 % interval", ""]]
    for name in ("first", "second", "difference"):
        low, high = summary[name]["confidence_interval"]
        rows.append([name, f"{summary[name]['score']:.4f}", f"{low:.4f} to {high:.4f}", summary[name].get("file", "")])
    rows[-1][-1] = f"p = {summary['p_value']:.4f}, {summary['num_sentences']} sentences"
    return aligned(rows)
