from typing import Any, Dict, List

from allennlp.common.checks import ConfigurationError
from spacy.parts_of_speech import IDS as UNIVERSAL_TAGS
from spacy.tokens import Doc, Span, SpanGroup
from spacy.util import filter_spans

ANNOTATIONS = ("ents", "spans", "tag", "pos")


class DocAnnotator:
    """
    Writes predictions into Docs.

    # Parameters

    annotate : `str`
        `"ents"`: entities into `doc.ents`, of overlapping ones the longest, and all of them, with their probabilities,
        into `doc.spans`; `"spans"`: the latter alone; `"tag"` and `"pos"`: the tag of each word into `token.tag_` or
        `token.pos_`.
    spans_key : `str`
        The key in `doc.spans`.
    overwrite_entities : `bool`
        Which of two stays where one of the `doc.ents` that a Doc has already overlaps a predicted one: the predicted.
    """

    def __init__(self, annotate: str, spans_key: str, overwrite_entities: bool) -> None:
        if annotate not in ANNOTATIONS:
            raise ConfigurationError(f"annotate must be among {', '.join(ANNOTATIONS)}, found {annotate!r}")
        self.annotate = annotate
        self.spans_key = spans_key
        self._overwrite_entities = overwrite_entities

    @property
    def writes_entities(self) -> bool:
        """Whether predictions need entities, not tags that stand for themselves."""
        return self.annotate in ("ents", "spans")

    def write(self, doc: Doc, sentences: List[List[int]], predictions: List[Dict[str, Any]]) -> None:
        """
        # Parameters

        doc : `Doc`
        sentences : `List[List[int]]`
            The positions of the words of each sentence.
        predictions : `List[Dict[str, Any]]`
            The prediction for each sentence.

        # Raises

        `ConfigurationError` where a predicted tag is to be a universal part of speech, and is none.
        """
        if not self.writes_entities:
            self._write_tags(doc, sentences, predictions)
            return
        spans: List[Span] = []
        probabilities: List[float] = []
        for positions, prediction in zip(sentences, predictions, strict=True):
            for entity in prediction["entities"]:
                start, end = positions[entity["start"]], positions[entity["end"] - 1] + 1
                spans.append(Span(doc, start, end, label=entity["label"]))
                probabilities.append(entity["probability"])
        doc.spans[self.spans_key] = SpanGroup(doc, name=self.spans_key, spans=spans, attrs={"scores": probabilities})
        if self.annotate == "ents":
            self._write_entities(doc, filter_spans(spans))

    def _write_entities(self, doc: Doc, predicted: List[Span]) -> None:
        present = list(doc.ents)
        if self._overwrite_entities:
            present = _without_overlap(present, predicted)
        else:
            predicted = _without_overlap(predicted, present)
        doc.set_ents(sorted([*present, *predicted]))

    def _write_tags(self, doc: Doc, sentences: List[List[int]], predictions: List[Dict[str, Any]]) -> None:
        tags = {
            position: tag
            for positions, prediction in zip(sentences, predictions, strict=True)
            for position, tag in zip(positions, prediction["tags"], strict=True)
        }
        unknown = sorted(set(tags.values()) - UNIVERSAL_TAGS.keys())
        if self.annotate == "pos" and unknown:
            raise ConfigurationError(
                f"found the predicted tags {', '.join(map(repr, unknown))}, expected universal parts of speech, which "
                "token.pos_ may have; with annotate: 'tag' they go to token.tag_"
            )
        for token in doc:
            # As spaCy's own taggers have it.
            if self.annotate == "pos":
                token.pos_ = tags.get(token.i, "SPACE")
            else:
                token.tag_ = tags.get(token.i, "_SP")


def _without_overlap(spans: List[Span], others: List[Span]) -> List[Span]:
    """Returns the spans that have no token of the others."""
    taken = {position for span in others for position in range(span.start, span.end)}
    return [span for span in spans if taken.isdisjoint(range(span.start, span.end))]
