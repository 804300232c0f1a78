from typing import Any, Dict, List, NamedTuple, Set, cast

from allennlp.common.checks import ConfigurationError
from allennlp.data.token_indexers import SingleIdTokenIndexer
from spacy.parts_of_speech import IDS as UNIVERSAL_TAGS
from spacy.tokens import Doc, Span, SpanGroup, Token
from spacy.util import filter_spans

from nerzoo.allennlp_private import feature_name
from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader
from nerzoo.inference.ner import DocumentNerPredictor, NerPredictor

Object = Dict[str, Any]


class DocItems(NamedTuple):
    """What a predictor takes of a Doc, and the positions in the Doc of the words of each sentence."""

    inputs: List[Object]
    sentences: List[List[int]]


class DocReader:
    """
    Turns Docs into what a predictor takes: their words, and the annotation that the model reads, sentence by sentence,
    or as documents. A Doc without sentences is one sentence. Tokens of white space are no words.

    # Parameters

    predictor : `NerPredictor`
    allow_unknown_labels : `bool`, optional (default = `False`)
        Whether Docs may have dependency labels and tags that the model does not know.
    """

    def __init__(self, predictor: NerPredictor, allow_unknown_labels: bool = False) -> None:
        self._reads_documents = isinstance(predictor, DocumentNerPredictor)
        self._allow_unknown_labels = allow_unknown_labels
        # By the attribute of tokens that the model reads.
        self._known: Dict[str, Set[str]] = {}
        model = predictor.model
        for indexer in cast(AnnotatedTextReader, predictor.dataset_reader).token_indexers.values():
            feature = feature_name(indexer)
            if feature in ("tag_", "dep_") and isinstance(indexer, SingleIdTokenIndexer) and indexer.namespace:
                names = model.vocab.get_token_to_index_vocabulary(indexer.namespace)
                self._known[feature] = {label for label in names if not label.startswith("@@")}
        self._reads_heads = "heads" in getattr(getattr(model, "encoder", None), "context", ())
        tags = self._known.get("tag_", set())
        self._tag_names = ["tag_", "pos_"]
        if tags <= {*UNIVERSAL_TAGS, "_"}:
            self._tag_names.reverse()
        dep_labels = self._known.get("dep_", set())
        # Treebanks write root, spaCy ROOT.
        self._root = "ROOT" if "ROOT" in dep_labels and "root" not in dep_labels else "root"

    def read(self, doc: Doc) -> DocItems:
        """
        Returns the items of a Doc, at least one.

        # Raises

        `ConfigurationError` where the Doc lacks annotation that the model reads, or has labels that it does not know.
        """
        spans: List[Span] = list(doc.sents) if doc.has_annotation("SENT_START") else []
        sentences = [[token.i for token in span if not token.is_space] for span in spans or [doc[:]]]
        if not any(sentences):
            # A document without words has no sentences in its prediction.
            return DocItems([{"words": []}], [] if self._reads_documents else [[]])
        annotation = self._annotation(doc)
        inputs = [_sentence(doc, positions, annotation) for positions in sentences]
        return DocItems([{"sentences": inputs}] if self._reads_documents else inputs, sentences)

    def _annotation(self, doc: Doc) -> Object:
        """Returns the annotation of all tokens of a Doc that the model reads."""
        annotation: Object = {}
        if "tag_" in self._known:
            present = [name for name in self._tag_names if doc.has_annotation(name.rstrip("_").upper())]
            if not present:
                raise _missing(doc, "part-of-speech tags", "a tagger")
            annotation["pos"] = [getattr(token, present[0]) for token in doc]
            self._check(doc, "tag_", f"part-of-speech tags ({present[0]})", annotation["pos"])
        if self._reads_heads or "dep_" in self._known:
            if not doc.has_annotation("DEP"):
                raise _missing(doc, "dependency parse", "a parser")
            annotation["dep_labels"] = [self._root if token.head.i == token.i else token.dep_ for token in doc]
            annotation["root"] = self._root
            self._check(doc, "dep_", "dependency labels", annotation["dep_labels"])
        return annotation

    def _check(self, doc: Doc, feature: str, what: str, labels: List[str]) -> None:
        if self._allow_unknown_labels or feature not in self._known:
            return
        found = {label for token, label in zip(doc, labels, strict=True) if not token.is_space}
        unknown = sorted(found - self._known[feature])
        if unknown:
            raise ConfigurationError(
                f"{_excerpt(doc)}: found the {what} {', '.join(map(repr, unknown))}, which the model does not know, "
                f"expected those that it was trained on: {', '.join(map(repr, sorted(self._known[feature])))}. With "
                "another parser or tagger before nerzoo, the Doc would have them; the option allow_unknown_labels lets "
                "the model take them for unknown ones"
            )


def _sentence(doc: Doc, positions: List[int], annotation: Object) -> Object:
    """Returns the words at some positions of a Doc with their annotation."""
    inputs: Object = {"words": [doc[position].text for position in positions]}
    if not positions:
        return inputs
    if "pos" in annotation:
        inputs["pos"] = [annotation["pos"][position] for position in positions]
    if "dep_labels" in annotation:
        # Counted from 1, within the sentence.
        places = {position: place for place, position in enumerate(positions, start=1)}
        inputs["heads"] = [_head(doc[position], places) for position in positions]
        inputs["dep_labels"] = [
            annotation["dep_labels"][position] if head else annotation["root"]
            for position, head in zip(positions, inputs["heads"], strict=True)
        ]
    return inputs


def _head(token: Token, places: Dict[int, int]) -> int:
    """Returns the place of the nearest ancestor that is a word of the sentence, or 0."""
    while token.head.i != token.i:
        token = token.head
        if token.i in places:
            return places[token.i]
    return 0


def _missing(doc: Doc, what: str, component: str) -> ConfigurationError:
    return ConfigurationError(
        f"{_excerpt(doc)}: found no {what}, which the model reads, expected {component} before nerzoo in the pipeline"
    )


def _excerpt(doc: Doc) -> str:
    return f"the Doc {doc.text!r:.60}"


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
