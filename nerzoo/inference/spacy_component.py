import os
import tempfile
from collections import deque
from itertools import islice
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union, cast

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data.token_indexers import SingleIdTokenIndexer
from spacy.parts_of_speech import IDS as UNIVERSAL_TAGS
from spacy.scorer import Scorer, get_ner_prf
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example
from spacy.util import filter_spans, raise_error

from nerzoo import archives
from nerzoo.allennlp_private import feature_name
from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader
from nerzoo.errors import check_choice, format_error
from nerzoo.inference.ner import DocumentNerPredictor, NerPredictor
from nerzoo.inference.tagger import Tagger
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.text.token_batches import BATCH_TOKENS, check_batch_tokens

ErrorHandler = Callable[[str, Any, List[Doc], Exception], Any]
Object = Dict[str, Any]


class NerzooComponent:
    """
    A component of spaCy pipelines, `nlp.add_pipe("nerzoo", config={"model": "output/ner/model.tar.gz"})`, that adds the
    entities or tags of a model to Docs. It reads words, tags and trees of the components before it. See docs/spacy.md.

    The archive is read when it is first needed, and saved with the pipeline. Raises `ConfigurationError` where an
    option has an unknown value.

    # Parameters

    name : `str`
    model : `str`, optional
        An archive, as in `Tagger.load`. Not needed where a saved pipeline is loaded.
    annotate, spans_key, overwrite_entities
        As in `DocAnnotator`.
    batch_tokens : `int`, optional (default = `4096`)
        The number of tokens that are predicted at a time, padding included.
    allow_unknown_labels : `bool`, optional (default = `False`)
        Whether Docs may have dependency labels and tags that the model does not know.
    device : `str`, optional
        `"cpu"` or `"cuda:0"`. By default the first GPU, or the CPU where there is none.
    """

    def __init__(
        self,
        name: str,
        model: Optional[str] = None,
        annotate: str = "ents",
        spans_key: str = "nerzoo",
        overwrite_entities: bool = False,
        batch_tokens: int = BATCH_TOKENS,
        allow_unknown_labels: bool = False,
        device: Optional[str] = None,
    ) -> None:
        check_batch_tokens(batch_tokens)
        self.name = name
        self._model = model
        self._annotator = DocAnnotator(annotate, spans_key, overwrite_entities)
        self._batch_tokens = batch_tokens
        self._allow_unknown_labels = allow_unknown_labels
        self._device = device
        self._content: Optional[bytes] = None
        self._loaded: Optional[Tuple[Tagger, DocReader]] = None
        self._process = os.getpid()
        self._error_handler: ErrorHandler = raise_error

    @property
    def tagger(self) -> Tagger:
        """The tagger. Raises `ConfigurationError` where there is no archive, or its model predicts other annotation."""
        return self._parts()[0]

    def __call__(self, doc: Doc) -> Doc:
        """Annotates a Doc. Raises `ConfigurationError` where it is too long, or its annotation does not fit."""
        ((_, error),) = self._annotate([doc])
        if error is not None:
            raise error
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 0) -> Iterator[Doc]:
        """
        Annotates a stream of Docs, with a limited number in memory. Docs that cannot be annotated go to the error
        handler, which by default raises the error. Ignores `batch_size`, in favour of `batch_tokens`.
        """
        for doc, error in self._annotate(stream):
            if error is None:
                yield doc
            else:
                self._error_handler(self.name, self, [doc], error)

    def _annotate(self, stream: Iterable[Doc]) -> Iterator[Tuple[Doc, Optional[Exception]]]:
        """Yields each Doc, annotated, or with an error."""
        tagger, reader = self._parts()
        waiting: deque[Tuple[Doc, DocItems]] = deque()

        def inputs() -> Iterator[Union[Object, Exception]]:
            for doc in stream:
                try:
                    items = reader.read(doc)
                except ConfigurationError as error:
                    items = DocItems([error], [])
                waiting.append((doc, items))
                yield from items.inputs

        results = tagger.results(inputs())
        for first in results:
            doc, items = waiting.popleft()
            predictions: List[Any] = [first, *islice(results, len(items.inputs) - 1)]
            error = next((result for result in predictions if isinstance(result, Exception)), None)
            if isinstance(error, ConfigurationError):
                error = ConfigurationError(f"the Doc {doc.text!r:.60}: {error}")
            elif error is None:
                try:
                    parts = (part for result in predictions for part in result.get("sentences", [result]))
                    self._annotator.write(doc, items.sentences, list(parts))
                except Exception as raised:
                    error = raised
            yield doc, error

    def set_error_handler(self, error_handler: ErrorHandler) -> None:
        """Sets the function that handles Docs that cannot be annotated, as in spaCy."""
        self._error_handler = error_handler

    def get_error_handler(self) -> ErrorHandler:
        """Returns the function that handles Docs that cannot be annotated."""
        return self._error_handler

    def score(self, examples: Iterable[Example], **kwargs: Any) -> Dict[str, Any]:
        """Returns spaCy's scores of the annotation: `ents_f`, `spans_nerzoo_f`, `tag_acc`, `pos_acc` and others."""
        annotate, key = self._annotator.annotate, self._annotator.spans_key
        if annotate == "ents":
            return get_ner_prf(examples, **kwargs)
        if annotate == "spans":
            kwargs |= {"getter": lambda doc, _: doc.spans.get(key, []), "has_annotation": lambda doc: key in doc.spans}
            return Scorer.score_spans(examples, f"spans_{key}", allow_overlap=True, **kwargs)
        return Scorer.score_token_attr(examples, annotate, **kwargs)

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Returns the archive. Raises `ConfigurationError` where there is none."""
        if self._content is None:
            if self._model is None:
                expected = "the option model, an archive, or a pipeline that was saved"
                raise format_error(self.name, "no model", expected)
            self._content = archives.content(self._model)
        return self._content

    def from_bytes(self, content: bytes, *, exclude: Iterable[str] = ()) -> "NerzooComponent":
        """Takes an archive in place of the one that the option `model` names."""
        self._content, self._loaded = content, None
        return self

    def to_disk(self, path: Union[str, Path], *, exclude: Iterable[str] = ()) -> None:
        """Writes the archive into a folder."""
        content = self.to_bytes()
        Path(path).mkdir(parents=True, exist_ok=True)
        (Path(path) / archives.ARCHIVE_NAME).write_bytes(content)

    def from_disk(self, path: Union[str, Path], *, exclude: Iterable[str] = ()) -> "NerzooComponent":
        """Takes the archive in a folder. Raises `ConfigurationError` where there is none."""
        return self.from_bytes(archives.content(Path(path) / archives.ARCHIVE_NAME))

    def _parts(self) -> Tuple[Tagger, "DocReader"]:
        if self._loaded is None:
            content = self.to_bytes()
            with tempfile.TemporaryDirectory() as folder:
                # A copy, so that the same archive is loaded and saved, even if the file changes in between.
                path = Path(folder) / archives.ARCHIVE_NAME
                path.write_bytes(content)
                tagger = Tagger.load(path, self._device, self._batch_tokens)
            self._loaded = tagger, DocReader(self._checked(tagger), self._allow_unknown_labels)
            self._process = os.getpid()
        if self._process != os.getpid():
            # A fork, by `nlp.pipe(n_process=...)`, would wait forever for threads that only its parent has.
            torch.set_num_threads(1)
            self._process = os.getpid()
        return self._loaded

    def _checked(self, tagger: Tagger) -> NerPredictor:
        predictor = tagger.predictor
        if not isinstance(predictor, NerPredictor):
            found = f"a {type(predictor.model).__name__}"
            raise format_error(self.name, found, "a model that finds entities or tags")
        model = predictor.model
        finds_entities = not isinstance(model, TaggingModel) or model.head.coding_scheme is not None
        if finds_entities != self._annotator.writes_entities:
            kind, expected = ("entities", "ents or spans") if finds_entities else ("tags of words", "tag or pos")
            found = f"annotate: {self._annotator.annotate!r} with a model of {kind}"
            raise format_error(self.name, found, expected)
        return predictor


class DocItems(NamedTuple):
    """The items of a predictor for a Doc, and the positions in the Doc of the words of each sentence."""

    inputs: Sequence[Union[Object, Exception]]
    sentences: List[List[int]]


class DocReader:
    """
    Turns Docs into items of a predictor: their words, and the annotation that the model reads, sentence by sentence, or
    as documents. A Doc without sentences is one sentence. Tokens of white space are no words.
    """

    def __init__(self, predictor: NerPredictor, allow_unknown_labels: bool = False) -> None:
        self._reads_documents = isinstance(predictor, DocumentNerPredictor)
        self._allow_unknown_labels = allow_unknown_labels
        model = predictor.model
        # The labels that the model knows, by the attribute of tokens.
        self._known: Dict[str, set[str]] = {}
        for indexer in cast(AnnotatedTextReader, predictor.dataset_reader).token_indexers.values():
            feature = feature_name(indexer)
            if feature in ("tag_", "dep_") and isinstance(indexer, SingleIdTokenIndexer) and indexer.namespace:
                names = model.vocab.get_token_to_index_vocabulary(indexer.namespace)
                self._known[feature] = {label for label in names if not label.startswith("@@")}
        self._reads_heads = "heads" in getattr(getattr(model, "encoder", None), "context", ())
        is_universal = self._known.get("tag_", set()) <= {*UNIVERSAL_TAGS, "_"}
        self._tag_names = ("pos_", "tag_") if is_universal else ("tag_", "pos_")
        # Treebanks write root, spaCy ROOT.
        self._root = "ROOT" if {"ROOT", "root"} & self._known.get("dep_", set()) == {"ROOT"} else "root"

    def read(self, doc: Doc) -> DocItems:
        """Returns the items of a Doc, at least one. Raises `ConfigurationError` where its annotation does not fit."""
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
            _check_present("part-of-speech tags", "a tagger", bool(present))
            annotation["pos"] = [getattr(token, present[0]) for token in doc]
            self._check(doc, "tag_", f"part-of-speech tags ({present[0]})", annotation["pos"])
        if self._reads_heads or "dep_" in self._known:
            _check_present("dependency parse", "a parser", doc.has_annotation("DEP"))
            annotation["dep_labels"] = [self._root if token.head.i == token.i else token.dep_ for token in doc]
            annotation["root"] = self._root
            self._check(doc, "dep_", "dependency labels", annotation["dep_labels"])
        return annotation

    def _check(self, doc: Doc, feature: str, description: str, labels: List[str]) -> None:
        if self._allow_unknown_labels or feature not in self._known:
            return
        found = {label for token, label in zip(doc, labels, strict=True) if not token.is_space}
        unknown = sorted(found - self._known[feature])
        if unknown:
            raise ConfigurationError(
                f"found the {description} {', '.join(map(repr, unknown))}, which the model does not know, expected "
                f"those that it was trained on: {', '.join(map(repr, sorted(self._known[feature])))}. With another "
                "parser or tagger before nerzoo, the Doc would have them; the option allow_unknown_labels lets the "
                "model take them for unknown ones"
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
        # The nearest ancestor that is a word of the sentence, or 0.
        ancestors = ((places.get(token.i, 0) for token in doc[position].ancestors) for position in positions)
        inputs["heads"] = [next(filter(None, found), 0) for found in ancestors]
        inputs["dep_labels"] = [
            annotation["dep_labels"][position] if head else annotation["root"]
            for position, head in zip(positions, inputs["heads"], strict=True)
        ]
    return inputs


def _check_present(annotation: str, component: str, is_present: bool) -> None:
    if not is_present:
        found = f"found no {annotation}, which the model reads"
        raise ConfigurationError(f"{found}, expected {component} before nerzoo in the pipeline")


class DocAnnotator:
    """
    Writes predictions into Docs, as `annotate` says. `"ents"`: entities into `doc.ents`, the longest of overlapping
    ones, and all of them, with their probabilities, into `doc.spans[spans_key]`; `"spans"`: the latter alone; `"tag"`
    and `"pos"`: the tag of each word. With `overwrite_entities`, predicted entities replace overlapping `doc.ents`.
    """

    def __init__(self, annotate: str, spans_key: str, overwrite_entities: bool) -> None:
        check_choice("annotate", annotate, ("ents", "spans", "tag", "pos"))
        self.annotate = annotate
        self.spans_key = spans_key
        self._overwrite_entities = overwrite_entities

    @property
    def writes_entities(self) -> bool:
        """Returns whether entities are written, and not tags of words."""
        return self.annotate in ("ents", "spans")

    def write(self, doc: Doc, sentences: List[List[int]], predictions: List[Dict[str, Any]]) -> None:
        """Writes predictions, given the positions of the words of each sentence. Errors as in `_write_tags`."""
        if not self.writes_entities:
            return self._write_tags(doc, sentences, predictions)
        spans: List[Span] = []
        probabilities: List[float] = []
        for positions, prediction in zip(sentences, predictions, strict=True):
            for entity in prediction["entities"]:
                start, end = positions[entity["start"]], positions[entity["end"] - 1] + 1
                spans.append(Span(doc, start, end, label=entity["label"]))
                probabilities.append(entity["probability"])
        doc.spans[self.spans_key] = SpanGroup(doc, name=self.spans_key, spans=spans, attrs={"scores": probabilities})
        if self.annotate == "ents":
            kept, others = list(doc.ents), filter_spans(spans)
            if self._overwrite_entities:
                kept, others = others, kept
            taken = {token.i for span in kept for token in span}
            doc.set_ents(sorted(kept + [span for span in others if taken.isdisjoint(range(span.start, span.end))]))

    def _write_tags(self, doc: Doc, sentences: List[List[int]], predictions: List[Dict[str, Any]]) -> None:
        """Writes tags. Raises `ConfigurationError` where a tag for `"pos"` is no universal part of speech."""
        tags = {
            position: tag
            for positions, prediction in zip(sentences, predictions, strict=True)
            for position, tag in zip(positions, prediction["tags"], strict=True)
        }
        unknown = sorted(set(tags.values()) - UNIVERSAL_TAGS.keys())
        if self.annotate == "pos" and unknown:
            found = f"found the predicted tags {', '.join(map(repr, unknown))}, expected universal parts of speech"
            raise ConfigurationError(f"{found}, which token.pos_ may have; with annotate: 'tag' they go to token.tag_")
        for token in doc:
            # White space gets the tags that spaCy's own taggers give it.
            if self.annotate == "pos":
                token.pos_ = tags.get(token.i, "SPACE")
            else:
                token.tag_ = tags.get(token.i, "_SP")
