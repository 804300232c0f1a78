"""Gold annotation beside predictions: its files, counts of matches for scores, and the kinds of errors."""

from operator import eq
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple, Union, cast

import numpy
from allennlp.data import DatasetReader
from allennlp.data.fields import MetadataField

from nerzoo.archives import reader_configuration
from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import Prediction, read_corpus, read_predictions
from nerzoo.formats.threads import Link
from nerzoo.text.annotation import Entity, tags_to_entities
from nerzoo.text.matching import exact_matches
from nerzoo.training.metrics.concept_error_rate import concept_errors


def read_gold(path: str, source: Union[Corpus, str], kind: str = "entities") -> List[Prediction]:
    """
    Reads the gold annotation of a file, of one kind: `"entities"`, `"tags"` or `"links"`. The `source` is the format of
    the file, which gives entities; or the path of a configuration whose `validation_dataset_reader`, or else its
    `dataset_reader`, reads it. Raises `ConfigurationError` where the reader does not give the annotation.
    """
    if isinstance(source, Corpus):
        return [sentence._replace(gold=sentence.predicted, predicted=()) for sentence in read_corpus(path, source)]
    config = reader_configuration(source)
    reader = DatasetReader.from_params(config.get("validation_dataset_reader") or config["dataset_reader"])
    sentences: List[Prediction] = []
    for instance in reader.read(path):
        metadata = cast(MetadataField, instance["metadata"]).metadata
        # The metadata of a document holds the metadata of each of its sentences.
        for sentence in metadata.get("sentences", [metadata]):
            location = f"{path}, {'thread' if kind == 'links' else 'sentence'} {len(sentences) + 1}"
            gold = _gold_annotation(sentence, kind)
            if gold is None:
                what = "links" if kind == "links" else "tags"
                raise format_error(location, f"no {what}", f"a dataset reader in {source} that gives {what}")
            words = sentence["post_ids" if kind == "links" else "words"]
            sentences.append(Prediction(location, words, gold=gold, document_id=metadata.get("document_id")))
    return sentences


def _gold_annotation(metadata: Dict[str, Any], kind: str) -> Optional[Sequence]:
    if f"gold_{kind}" in metadata or kind == "links" or "gold_tags" not in metadata:
        return metadata.get(f"gold_{kind}")
    # conlleval, too, reads all schemes as BIO, and finds the same entities.
    return tags_to_entities(metadata["gold_tags"], "BIO")


def read_with_gold(
    paths: Sequence[str],
    kind: str = "entities",
    gold: Optional[Sequence[Prediction]] = None,
    gold_path: str = "",
    corpus: Optional[Corpus] = None,
) -> Dict[str, List[Prediction]]:
    """
    Reads the predictions of several runs for the same sentences or threads, a file for each run, and adds their gold
    annotation, of the `kind` of `read_predictions`: `gold`, with its file in error messages, `gold_path`, or else that
    in the files of predictions, of which one needs to hold it. Their format is `corpus`, by default what `nerzoo
    predict` writes. Each file is read once; the result has the predictions by path. Raises `ConfigurationError`, naming
    file and line, where the files do not hold the same sentences in the same order, or not the same gold annotation, or
    none of them has it.
    """
    runs = {
        path: list(read_predictions(path, kind) if corpus is None else read_corpus(path, corpus))
        for path in dict.fromkeys(paths)
    }
    (reference_path, reference), *others = runs.items()
    for path, run in others:
        check_same_words(run, path, reference, reference_path)
    if gold is None:
        gold = [_common_gold(sentences) for sentences in zip(*(runs[path] for path in paths), strict=True)]
    else:
        check_same_words(reference, reference_path, gold, gold_path)
    return {path: with_gold(run, gold) for path, run in runs.items()}


def with_gold(predictions: Sequence[Prediction], gold: Sequence[Prediction]) -> List[Prediction]:
    """Returns predictions with the gold annotation of the same sentences."""
    return [found._replace(gold=truth.gold) for found, truth in zip(predictions, gold, strict=True)]


def check_same_words(
    found: Sequence[Prediction], path: str, expected: Sequence[Prediction], expected_path: str
) -> None:
    """Raises `ConfigurationError` where two files do not have the same sentences in the same order."""
    if len(found) != len(expected):
        raise format_error(path, f"{len(found)} sentences", f"{len(expected)} as in {expected_path}")
    for sentence, other in zip(found, expected, strict=True):
        if sentence.words != other.words:
            what = f"{' '.join(other.words)!r} as in {other.location}: the same sentences in the same order"
            raise format_error(sentence.location, repr(" ".join(sentence.words)), what)


def _common_gold(sentences: Sequence[Prediction]) -> Prediction:
    """Returns one of the predictions of several runs for a sentence that have its gold annotation; all must agree."""
    known = [sentence for sentence in sentences if sentence.has_gold]
    if not known:
        others = ", ".join(sentence.location for sentence in sentences[1:])
        found = "no gold annotation" + (f", and none in {others}" if others else "")
        expected = "gold_tags, gold_entities or gold_links, as `predict --use-dataset-reader` writes them, or --gold"
        raise format_error(sentences[0].location, found, expected)
    for sentence in known[1:]:
        if sentence.gold != known[0].gold:
            expected = f"{known[0].gold} as in {known[0].location}"
            raise format_error(sentence.location, f"the gold annotation {sentence.gold}", expected)
    return known[0]


METRICS = {
    "f1": "entities",
    "accuracy": "tags",
    "cer": "entities",
    "link_f1": "links",
    "act_f1": "links",
    "joint_f1": "links",
}
"""The kind of annotation that each metric scores."""


def sentence_counts(metric: str, predictions: Sequence[Prediction], sclite_weights: bool = False) -> numpy.ndarray:
    """
    Returns two numbers for each of N sentences or threads with predicted and gold annotation, shape (N, 2). The score
    of a file is the sum of the first numbers, divided by the sum of the second ones: of `"f1"`, F1 of entities;
    `"accuracy"`, accuracy of tags; `"cer"`, the concept error rate, of the types of entities in order; or `"link_f1"`,
    `"act_f1"` and `"joint_f1"`, F1 of links of posts, as in `ThreadScores`. With `sclite_weights`, `"cer"` counts the
    errors of an alignment with the weights of sclite, see `concept_errors`.
    """
    pairs = [(sentence.predicted, sentence.gold) for sentence in predictions]
    if metric == "cer":
        found, annotated = ([[entity.label for entity in side] for side in sides] for sides in zip(*pairs, strict=True))
        *errors, num_gold = concept_errors(found, annotated, sclite_weights)
        return numpy.stack([sum(errors), num_gold], axis=1)
    if metric == "accuracy":
        return numpy.array([(sum(map(eq, tags, truth)), len(truth)) for tags, truth in pairs])
    if METRICS[metric] == "links":
        return numpy.array([_thread_counts(metric, links, truth) for links, truth in pairs])
    return numpy.array([(2 * len(exact_matches(*pair)), sum(map(len, pair))) for pair in pairs])


def document_sums(counts: numpy.ndarray, sentences: Sequence[Prediction]) -> numpy.ndarray:
    """
    Returns the sums of counts (..., N, 2) of sentences over the D documents, (..., D, 2), in order. Raises
    `ConfigurationError` where a sentence has no document.
    """
    places: Dict[str, int] = {}
    for sentence in sentences:
        if sentence.document_id is None:
            raise format_error(sentence.location, "no document", "a doc_id, to resample documents")
        places.setdefault(sentence.document_id, len(places))
    sums = numpy.zeros((len(places), *counts.shape[:-2], 2), counts.dtype)
    numpy.add.at(sums, [places[sentence.document_id or ""] for sentence in sentences], numpy.moveaxis(counts, -2, 0))
    return numpy.moveaxis(sums, 0, -2)


def _thread_counts(metric: str, predicted: Sequence[Sequence[Link]], gold: Sequence[Sequence[Link]]) -> Tuple[int, int]:
    def items(links: Sequence[Link]) -> Set[object]:
        return {*links} if metric == "joint_f1" else {to if metric == "link_f1" else act for to, act in links}

    pairs = [(items(links), items(truth)) for links, truth in zip(predicted, gold, strict=True)]
    return sum(2 * len(exact_matches(*pair)) for pair in pairs), sum(len(side) for pair in pairs for side in pair)


CORRECT = "correct"
ERRORS = ("missed", "spurious", "wrong type", "wrong boundary", "wrong type and boundary")
"""The kinds of errors."""


class Match(NamedTuple):
    """A gold entity and its predicted counterpart; `None` where an entity has no counterpart."""

    gold: Optional[Entity]
    predicted: Optional[Entity]

    @property
    def kind(self) -> str:
        """`CORRECT`, or one of `ERRORS`."""
        if self.gold is None:
            return "spurious"
        if self.predicted is None:
            return "missed"
        wrong = ["type"] if self.predicted.label != self.gold.label else []
        wrong += ["boundary"] if self.predicted[:2] != self.gold[:2] else []
        return f"wrong {' and '.join(wrong)}" if wrong else CORRECT


def match_entities(gold: Sequence[Entity], predicted: Sequence[Entity]) -> List[Match]:
    """
    Matches each gold entity of a sentence with at most one predicted entity, and vice versa. Equal entities are matched
    first, then entities with the same span, then overlapping entities of the same type, then other overlapping
    entities; within each step, the entities with the closest boundaries. Entities may be nested. Returns the matches of
    the gold entities, in their order, and then the spurious entities.
    """
    found = {entity: entity for entity in exact_matches(predicted, gold)}
    rest = [entity for entity in predicted if entity not in found]
    taken = set()
    candidates = []
    for truth in (entity for entity in gold if entity not in found):
        for entity in (entity for entity in rest if overlap(truth, entity)):
            apart = distance(truth, entity)
            candidates.append(((apart > 0, truth.label != entity.label, apart), truth, entity))
    for _, truth, entity in sorted(candidates):
        if truth not in found and entity not in taken:
            found[truth] = entity
            taken.add(entity)
    matches = [Match(entity, found.get(entity)) for entity in gold]
    return matches + [Match(None, entity) for entity in rest if entity not in taken]


def overlap(first: Entity, second: Entity) -> bool:
    """Returns whether two entities have a word in common."""
    return first.start < second.end and second.start < first.end


def distance(first: Entity, second: Entity) -> int:
    """Returns the number of words by which the boundaries of two entities differ."""
    return abs(first.start - second.start) + abs(first.end - second.end)
