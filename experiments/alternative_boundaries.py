r"""
The scores of genes as the task BC2GM counts them, next to those of exact boundaries: a predicted mention is correct,
too, if it has one of the alternative boundaries that the annotators allowed.

    python -m experiments.alternative_boundaries PREDICTIONS.jsonl ... --sentences test.in --gold GENE.eval \\
        --alternatives ALTGENE.eval

The last three are the original files of the task, not BC2GM in IOB columns, which the configurations read. A sentence
is a line with its id, a space and its text; a mention, or one of its alternatives, is a line `id|start end|text`, where
start and end are the positions of its first and its last character, spaces not counted. Predictions are matched with
sentences by their text without spaces; several in a row may make up one.

An alternative stands for the gold mentions that it overlaps. Each gold mention is found once at most: the second
prediction for a mention is wrong. Several files of predictions are several runs over the same text; the program prints
mean and standard deviation over them.
"""

from bisect import bisect_left
from collections import defaultdict
from pathlib import Path
from typing import Any, Dict, Iterable, List, Set, Tuple

import numpy
from allennlp.common.checks import ConfigurationError
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from experiments.common import argument_parser, read, report
from nerzoo.errors import format_error
from nerzoo.formats.lines import read_lines
from nerzoo.text.matching import MatchCounts

Span = Tuple[int, int]
"""The positions of the first and the last character of a mention, spaces not counted."""


def read_sentences(path: Path) -> Dict[str, List[str]]:
    """The ids of the sentences with each text, which is without spaces; few sentences have the text of another."""
    ids: Dict[str, List[str]] = defaultdict(list)
    for line in read_lines(path):
        if not line.is_blank:
            id, _, text = line.text.partition(" ")
            if not text.strip():
                raise format_error(line, repr(line.text), "an id, a space and a sentence")
            ids["".join(text.split())].append(id)
    return ids


def read_mentions(path: Path) -> Dict[str, Set[Span]]:
    """The mentions of each sentence by its id, from lines `id|start end|text`."""
    mentions: Dict[str, Set[Span]] = defaultdict(set)
    for line in read_lines(path):
        if line.is_blank:
            continue
        id, *rest = line.text.split("|", 2)
        numbers = rest[0].split() if len(rest) == 2 else []
        if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
            raise format_error(line, repr(line.text), "id|start end|text")
        start, end = map(int, numbers)
        length = len("".join(rest[1].split()))
        if end - start + 1 != length:
            expected = f"an end of {start + length - 1}, since the text has {length} characters"
            raise format_error(line, f"{numbers[0]} {numbers[1]}", expected)
        mentions[id].add((start, end))
    return mentions


def predicted_mentions(
    predictions: Iterable[Dict[str, Any]], sentences: Dict[str, List[str]], path: Path
) -> Dict[str, Set[Span]]:
    """
    The predicted mentions of each sentence by its id. Raises `ConfigurationError` where the predictions are not those
    for the sentences, each once.
    """
    open_ids = {text: list(reversed(ids)) for text, ids in sentences.items()}
    texts = sorted(sentences)
    found: Dict[str, Set[Span]] = {}
    text, mentions = "", set()
    for number, prediction in enumerate(predictions, 1):
        # Position of each word's first character, and of the one after the last word.
        offsets = len(text) + numpy.cumsum([0, *map(len, prediction["words"])])
        text += "".join(prediction["words"])
        for entity in prediction["entities"]:
            mentions.add((int(offsets[entity["start"]]), int(offsets[entity["end"]]) - 1))
        if open_ids.get(text):
            found[open_ids[text].pop()] = mentions
            text, mentions = "", set()
            continue
        place = bisect_left(texts, text)
        if text in open_ids or place == len(texts) or not texts[place].startswith(text):
            what = f"the text {text[:60]!r}, without spaces"
            raise ConfigurationError(f"{path}, line {number}: found {what}, expected that of a sentence, or its start")
    missing = [id for ids in open_ids.values() for id in ids]
    if missing:
        raise ConfigurationError(f"{path}: found no predictions for {missing[0]}, expected some for every sentence")
    return found


def count_mentions(
    predicted: Dict[str, Set[Span]], gold: Dict[str, Set[Span]], alternatives: Dict[str, Set[Span]]
) -> Dict[str, MatchCounts]:
    """The counts with `exact` boundaries, and with `alternative` ones allowed."""
    counts = {"exact": MatchCounts(), "alternative": MatchCounts()}
    for id, found in predicted.items():
        mentions = sorted(gold.get(id, set()))
        allowed = alternatives.get(id, set())
        is_found = [
            [
                span == mention or (span in allowed and span[0] <= mention[1] and mention[0] <= span[1])
                for mention in mentions
            ]
            for span in sorted(found)
        ]
        matched = 0
        if found and mentions:
            matched = int((maximum_bipartite_matching(csr_array(numpy.array(is_found, dtype=int))) >= 0).sum())
        for name, number in (("exact", len(found.intersection(mentions))), ("alternative", matched)):
            counts[name].num_correct += number
            counts[name].num_found += number
            counts[name].num_predicted += len(found)
            counts[name].num_gold += len(mentions)
    return counts


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("predictions", type=Path, nargs="+")
    parser.add_argument("--sentences", type=Path, required=True)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--alternatives", type=Path, required=True)
    args = parser.parse_args()
    sentences, gold, alternatives = read_sentences(args.sentences), *map(read_mentions, (args.gold, args.alternatives))
    known = {id for ids in sentences.values() for id in ids}
    for path, mentions in ((args.gold, gold), (args.alternatives, alternatives)):
        strange = sorted(mentions.keys() - known)
        if strange:
            raise ConfigurationError(f"{path}: found the sentence {strange[0]}, expected those of {args.sentences}")
    runs = [
        count_mentions(predicted_mentions(read(path, ("words", "entities")), sentences, path), gold, alternatives)
        for path in args.predictions
    ]
    report("boundaries", runs)


if __name__ == "__main__":
    main()
