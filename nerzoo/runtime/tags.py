from typing import Any, List, Optional, Sequence, Tuple

import numpy
from numpy.typing import NDArray

from nerzoo.runtime.items import Object, num_words
from nerzoo.runtime.linear_chain import LinearChain
from nerzoo.text.annotation import entities_to_json, labels_of_tags, read_tag
from nerzoo.text.token_batches import token_batches

Span = Tuple[int, int, str]


class TagDecoding:
    """
    Decodes the scores of L tags as `nerzoo.models.sequence_tagger.SequenceTagger` does, up to `batch_tokens` tokens at
    a time, padding included. `transitions` and `temperature` are as in `LinearChain`; without a `coding_scheme`, tags
    stand for themselves.
    """

    def __init__(
        self,
        transitions: NDArray[numpy.float32],
        tags: List[str],
        coding_scheme: Optional[str],
        temperature: float,
        batch_tokens: int,
    ) -> None:
        self.labels = labels_of_tags(tags, coding_scheme)
        """The types of entities that it can predict, or the tags, where these do not stand for entities."""
        self.scores_shape: Tuple[int, ...] = (len(tags),)
        """The shape of the scores of a word."""
        self._chain = LinearChain(transitions, temperature)
        self._tags = tags
        self._names = numpy.array(tags, dtype=object)
        prefixes, labels = map(numpy.array, zip(*map(read_tag, tags), strict=True))
        self._is_inside = prefixes != "O"
        self._opens, self._closes = numpy.isin(prefixes, ["B", "S"]), numpy.isin(prefixes, ["E", "S"])
        self._labels, self._label_ids = numpy.unique(labels, return_inverse=True)
        # BIOUL ends an entity by its own last tag, BIO by a tag that is not its I.
        inside = {tag: index for index, tag in enumerate(tags)} if coding_scheme == "BIO" else {}
        self._continuation = numpy.array([inside.get(f"I-{label}", -1) for label in self._labels])
        self._coding_scheme = coding_scheme
        self._batch_tokens = batch_tokens

    @property
    def finds_entities(self) -> bool:
        """`True` unless its tags stand for themselves."""
        return self._coding_scheme is not None

    def is_excluded(self, types: Sequence[str]) -> List[bool]:
        """Returns for each score of a word if it is of another type of entities than these."""
        return [tag != "O" and tag[2:] not in types for tag in self._tags]

    def __call__(self, sentences: Sequence[Object], scores: NDArray[numpy.float32]) -> List[Object]:
        """Returns the predictions for sentences, given the scores of all their words, (sum of lengths, L)."""
        lengths = list(map(num_words, sentences))
        parts = numpy.split(scores, numpy.cumsum(lengths)[:-1])
        predictions: List[Any] = [None] * len(sentences)
        for batch in token_batches(lengths, self._batch_tokens):
            decoded = self._decoded([sentences[place] for place in batch], [parts[place] for place in batch])
            for place, prediction in zip(batch, decoded, strict=True):
                predictions[place] = prediction
        return predictions

    def _decoded(self, sentences: Sequence[Object], scores: Sequence[NDArray[numpy.float32]]) -> List[Object]:
        """Returns the predictions for sentences, given the scores of each, (T, L)."""
        mask = length_mask(list(map(num_words, sentences)))
        emissions = numpy.zeros((*mask.shape, *self.scores_shape), numpy.float32)
        emissions[mask] = numpy.concatenate(scores)
        tags = self._chain.viterbi(emissions, mask)
        predictions: List[Object] = [
            {"words": sentence["words"], "tags": row[: num_words(sentence)]}
            for sentence, row in zip(sentences, self._names[tags].tolist(), strict=True)
        ]
        if not self.finds_entities:
            return predictions
        spans, labels = self._spans(tags, mask)
        probabilities = self._chain.entity_probabilities(emissions, mask, tags, spans, self._continuation[labels])
        entities: List[List[Tuple[Span, float]]] = [[] for _ in sentences]
        found = zip(spans.tolist(), self._labels[labels].tolist(), probabilities.tolist(), strict=True)
        for (row, start, end), label, probability in found:
            entities[row].append(((start, end, label), probability))
        for sentence, prediction, scored in zip(sentences, predictions, entities, strict=True):
            prediction["entities"] = entities_to_json(scored, sentence)
        return predictions

    def _spans(self, tags: NDArray[numpy.int64], mask: NDArray[numpy.bool_]) -> Tuple[NDArray, NDArray]:
        """
        Returns row, start and end, exclusive, of the S entities that `tag_spans` finds in `tags` (B, T), shape (S, 3),
        and the indices of their labels, (S,).
        """
        is_inside = self._is_inside[tags] & mask
        labels = self._label_ids[tags]
        goes_on = is_inside[:, 1:] & is_inside[:, :-1] & ~self._opens[tags[:, 1:]] & ~self._closes[tags[:, :-1]]
        goes_on &= labels[:, 1:] == labels[:, :-1]
        outside = numpy.zeros_like(mask[:, :1])
        rows, starts = (is_inside & ~numpy.hstack([outside, goes_on])).nonzero()
        _, lasts = (is_inside & ~numpy.hstack([goes_on, outside])).nonzero()
        return numpy.stack([rows, starts, lasts + 1], axis=1), labels[rows, starts]


def length_mask(lengths: Sequence[int]) -> NDArray[numpy.bool_]:
    """Returns the mask (B, T) of the words of B sentences or documents, given their numbers of words."""
    return numpy.arange(max(lengths)) < numpy.array(lengths)[:, numpy.newaxis]
