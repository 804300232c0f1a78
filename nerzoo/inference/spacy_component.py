import os
import tempfile
from collections import deque
from pathlib import Path
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

import torch
from allennlp.common.checks import ConfigurationError
from spacy.scorer import Scorer, get_ner_prf
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import raise_error

from nerzoo import archives
from nerzoo.inference.ner import NerPredictor
from nerzoo.inference.spacy_docs import DocAnnotator, DocItems, DocReader
from nerzoo.inference.tagger import Tagger
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.text.token_batches import BATCH_TOKENS

ErrorHandler = Callable[[str, Any, List[Doc], Exception], Any]


class _Waiting(NamedTuple):
    """A Doc whose predictions are not all there."""

    doc: Doc
    items: DocItems
    predictions: List[Dict[str, Any]]
    error: Optional[Exception]


class NerzooComponent:
    """
    A component of spaCy pipelines, `nlp.add_pipe("nerzoo", config={"model": "output/ner/model.tar.gz"})`, that adds the
    entities or tags of a model to Docs. It has their words, tags and trees from the components before it, and does not
    split or parse them again. See docs/spacy.md.

    The archive is read when it is first needed, and saved with the pipeline, which, loaded again, needs no other.

    # Parameters

    name : `str`
    model : `str`, optional
        Whatever `Tagger.load` takes. Not needed where the pipeline is loaded from where it was saved.
    annotate, spans_key, overwrite_entities
        As in `DocAnnotator`.
    batch_tokens : `int`, optional (default = `4096`)
        The number of tokens that are predicted at a time, padding included.
    allow_unknown_labels : `bool`, optional (default = `False`)
        Whether Docs may have dependency labels and tags that the model does not know.
    device : `str`, optional
        `"cpu"` or `"cuda:0"`. By default the first GPU, or the CPU where there is none.

    # Raises

    `ConfigurationError` where an option has an unknown value.
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
        if batch_tokens < 1:
            raise ConfigurationError(f"batch_tokens must be positive, found {batch_tokens}")
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
        """
        What predicts. Raises `ConfigurationError` where there is no archive, or its model is not one that annotates
        what is asked for.
        """
        return self._parts()[0]

    def __call__(self, doc: Doc) -> Doc:
        """
        Annotates a Doc. Raises `ConfigurationError` where the Doc lacks annotation that the model reads, or has labels
        that it does not know, or is too long for it.
        """
        tagger, reader = self._parts()
        items = reader.read(doc)
        self._write(doc, items, list(tagger(items.inputs)))
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 0) -> Iterator[Doc]:
        """
        Annotates a stream of Docs, of which a limited number are in memory; see `Tagger`. Docs that cannot be annotated
        go to the error handler, which by default raises what is wrong with them.

        # Parameters

        stream : `Iterable[Doc]`
        batch_size : `int`, optional
            Not used: `batch_tokens` says how much is predicted at a time.
        """
        tagger, reader = self._parts()
        waiting: Deque[_Waiting] = deque()
        for prediction in tagger(_read_ahead(stream, reader, waiting), errors="yield"):
            first = waiting[0]
            first.predictions.append(prediction)
            if len(first.predictions) < len(first.items.inputs):
                continue
            waiting.popleft()
            try:
                if first.error is not None:
                    raise first.error
                self._write(first.doc, first.items, first.predictions)
            except Exception as error:
                self._error_handler(self.name, self, [first.doc], error)
            else:
                yield first.doc

    def set_error_handler(self, error_handler: ErrorHandler) -> None:
        """Sets what is done with Docs that cannot be annotated, as in spaCy."""
        self._error_handler = error_handler

    def get_error_handler(self) -> ErrorHandler:
        """Returns what is done with Docs that cannot be annotated."""
        return self._error_handler

    def score(self, examples: Iterable[Example], **kwargs: Any) -> Dict[str, Any]:
        """Returns spaCy's scores of what is annotated: `ents_f`, `spans_nerzoo_f`, `tag_acc`, `pos_acc` and others."""
        annotate, key = self._annotator.annotate, self._annotator.spans_key
        if annotate == "ents":
            return get_ner_prf(examples, **kwargs)
        if annotate == "spans":
            return Scorer.score_spans(
                examples,
                f"spans_{key}",
                getter=lambda doc, _: doc.spans.get(key, []),
                has_annotation=lambda doc: key in doc.spans,
                allow_overlap=True,
                **kwargs,
            )
        return Scorer.score_token_attr(examples, annotate, **kwargs)

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Returns the archive."""
        if self._content is None:
            self._content = archives.content(self._source())
        return self._content

    def from_bytes(self, content: bytes, *, exclude: Iterable[str] = ()) -> "NerzooComponent":
        """Takes an archive in place of that of the option `model`."""
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

    def _source(self) -> str:
        if self._model is None:
            raise ConfigurationError(
                f"{self.name}: found no model, expected the option model, an archive, or a pipeline that was saved"
            )
        return self._model

    def _parts(self) -> Tuple[Tagger, DocReader]:
        if self._loaded is None:
            content = self.to_bytes()
            with tempfile.TemporaryDirectory() as folder:
                # What is loaded is what will be saved, whatever becomes of the file.
                path = Path(folder) / archives.ARCHIVE_NAME
                path.write_bytes(content)
                tagger = Tagger.load(path, self._device, self._batch_tokens)
            self._loaded = tagger, DocReader(self._checked(tagger), self._allow_unknown_labels)
            self._process = os.getpid()
        if self._process != os.getpid():
            # A process of `nlp.pipe(n_process=...)`, forked from one whose threads it would wait for forever.
            torch.set_num_threads(1)
            self._process = os.getpid()
        return self._loaded

    def _checked(self, tagger: Tagger) -> NerPredictor:
        predictor = tagger.predictor
        if not isinstance(predictor, NerPredictor):
            raise ConfigurationError(
                f"{self.name}: found a {type(predictor.model).__name__}, expected a model that finds entities or tags"
            )
        model = predictor.model
        finds_entities = not isinstance(model, TaggingModel) or model.head.coding_scheme is not None
        if finds_entities != self._annotator.writes_entities:
            kind, expected = ("entities", "ents or spans") if finds_entities else ("tags of words", "tag or pos")
            raise ConfigurationError(
                f"{self.name}: found annotate: {self._annotator.annotate!r} with a model of {kind}, expected {expected}"
            )
        return predictor

    def _write(self, doc: Doc, items: DocItems, predictions: List[Dict[str, Any]]) -> None:
        for prediction in predictions:
            if "error" in prediction:
                raise ConfigurationError(f"the Doc {doc.text!r:.60}: {prediction['error']}")
        sentences = [part for prediction in predictions for part in prediction.get("sentences", [prediction])]
        self._annotator.write(doc, items.sentences, sentences)


def _read_ahead(stream: Iterable[Doc], reader: DocReader, waiting: Deque[_Waiting]) -> Iterator[Dict[str, Any]]:
    """Yields the items of Docs, which from then on wait for their predictions."""
    for doc in stream:
        error = None
        try:
            items = reader.read(doc)
        except ConfigurationError as raised:
            # An item of which nothing is predicted keeps its place.
            items, error = DocItems([{"words": []}], []), raised
        waiting.append(_Waiting(doc, items, [], error))
        yield from items.inputs
