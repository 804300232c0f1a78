import json
import math
import tempfile
from array import array
from itertools import tee
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple

from allennlp.common.checks import ConfigurationError

from nerzoo.errors import check_choice
from nerzoo.inference.sentence_index import DistinctSentences
from nerzoo.inference.sources import SourceItem, with_inputs
from nerzoo.inference.tagger import Tagger
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.training.progress import progress_bar

CRITERIA = ("sequence_entropy", "least_confidence")
"""The extra outputs of taggers that measure their uncertainty about a sentence."""


class Selection(NamedTuple):
    """
    Selected sentences, in order, and the numbers of sentences with words and of those that are too similar to selected
    ones. Each selected sentence has its prediction, its annotation in the input, its `score`, its `index` among all
    sentences with words, from 0, and the `location` of its item.
    """

    sentences: List[Dict[str, Any]]
    num_sentences: int
    num_skipped: int


def select(
    tagger: Tagger,
    items: Iterable[SourceItem],
    size: int,
    criterion: str = "sequence_entropy",
    per_token: bool = False,
    max_similarity: float = 0.8,
) -> Selection:
    """
    Selects the sentences to annotate next: those about which a tagger is the least certain (Settles and Craven, 2008).
    There may be any number of `items`, sentences or documents: predictions, which have the criterion as an extra output
    from then on, are in a temporary file.

    The `criterion` is `"sequence_entropy"`, the entropy of the tag sequence, or `"least_confidence"`, one minus the
    probability of the best one. `per_token` divides the entropy, or the log probability of the best sequence (Shen et
    al., 2018), by the number of words; otherwise long sentences have high scores. `max_similarity` is the highest
    similarity of two selected sentences, see `DistinctSentences`; 1: any. Raises `ConfigurationError` where the model
    is no tagger, there are too few sentences that differ, an item cannot be predicted, or an option is out of range.
    """
    check_choice("criterion", criterion, CRITERIA)
    if size < 1 or not 0 <= max_similarity <= 1:
        found = f"the size {size} and the highest similarity {max_similarity:g}"
        raise ConfigurationError(f"found {found}, expected a size of 1 or more, and a similarity from 0 to 1")
    model = tagger.predictor.model
    if not isinstance(model, TaggingModel):
        expected = "a tagger: it has no distribution over the tag sequences of sentences"
        raise ConfigurationError(f"found a model that is a {type(model).__name__}, expected {expected}")
    model.add_extra_output(criterion)
    scores, places = array("d"), array("Q")
    with tempfile.TemporaryFile() as file:
        for sentence in progress_bar(_sentences(tagger, items), unit=" sentences", desc="predicting", mininterval=0.5):
            score = _score(sentence.pop(criterion), len(sentence["words"]), criterion, per_token)
            if not math.isfinite(score):
                raise ConfigurationError(f"{sentence['location']}: found the score {score}, expected a number")
            sentence["score"] = score
            scores.append(score)
            places.append(file.tell())
            file.write(json.dumps(sentence).encode() + b"\n")
        if len(scores) < size:
            raise ConfigurationError(f"found {len(scores)} sentences with words, expected {size} of them to select")
        selected: List[Dict[str, Any]] = []
        num_skipped = 0
        distinct = DistinctSentences(max_similarity)
        for index in sorted(range(len(scores)), key=lambda index: -scores[index]):
            file.seek(places[index])
            sentence = {**json.loads(file.readline()), "index": index}
            if not distinct.add(sentence["words"]):
                num_skipped += 1
                continue
            selected.append(sentence)
            if len(selected) == size:
                return Selection(selected, len(scores), num_skipped)
    found = f"{len(scores)} sentences with words, of which {num_skipped} are too similar to others"
    raise ConfigurationError(f"found {found}, expected {size} to select")


def _score(value: float, num_words: int, criterion: str, per_token: bool) -> float:
    if not per_token:
        return value
    # The geometric mean over the words of the best sequence has the order of log P / T.
    return value / num_words if criterion == "sequence_entropy" else 1 - (1 - value) ** (1 / num_words)


def _sentences(tagger: Tagger, items: Iterable[SourceItem]) -> Iterator[Dict[str, Any]]:
    """Yields the prediction for each sentence that has words, its annotation in the input, and the `location`."""
    # The tagger reads some items ahead.
    to_predict, located = tee(items)
    predictions = tagger((item.inputs for item in to_predict), errors="yield")
    for prediction, item in zip(predictions, located, strict=False):
        if "error" in prediction:
            raise ConfigurationError(f"{item.location}: {prediction['error']}")
        entry = with_inputs(item.inputs, prediction)
        doc_id = {"doc_id": entry["doc_id"]} if "doc_id" in entry else {}
        for sentence in entry.get("sentences", [entry]):
            if sentence["words"]:
                text = sentence.pop("running_text", None)
                yield {**doc_id, **sentence, "location": item.location, **({"sentence": text.strip()} if text else {})}
