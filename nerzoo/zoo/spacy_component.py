import io
import os
import tarfile
import tempfile
from collections import deque
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from spacy.parts_of_speech import IDS as UNIVERSAL_TAGS
from spacy.scorer import Scorer, get_ner_prf
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example
from spacy.util import filter_spans, raise_error

from nerzoo.errors import check_choice, configuration_error, format_error, is_mistake, needs_training, worded
from nerzoo.runtime.onnx_tagger import OnnxTagger
from nerzoo.text.token_batches import BATCH_TOKENS, check_batch_tokens
from nerzoo.zoo.finding import DEFAULT_MODEL, find_model, folder_of, is_exported
from nerzoo.zoo.tagger import ExportedTagger

_ARCHIVE, _EXPORTED = "model.tar.gz", "exported.tar"
_GZIPPED = b"\x1f\x8b"

ErrorHandler = Callable[[str, Any, List[Doc], Exception], Any]
Object = Dict[str, Any]


class NerzooComponent:
    """
    A component of spaCy pipelines, `nlp.add_pipe("nerzoo", config={"model": "output/ner/model.tar.gz"})`, that adds the
    entities or tags of a model to Docs. It reads words, tags and trees of the components before it. See docs/spacy.md.

    `add_pipe` loads the model; a pipeline that was saved has it in its folder, and reads it when it is first needed. An
    exported one needs neither PyTorch nor AllenNLP; errors are then `ValueError` where AllenNLP is not installed.
    Raises `ConfigurationError` where an option has an unknown value.

    # Parameters

    name : `str`
    model : `str`, optional
        The name of a model of the zoo or an archive, as in `Tagger.load`; by default `en`, unless a saved pipeline is
        loaded.
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
        self._loaded: Optional[Tuple[Any, DocReader]] = None
        self._process = os.getpid()
        self._error_handler: ErrorHandler = raise_error

    def load(self) -> None:
        """
        Loads the model that the option `model` names, or the default one, if that is here. Raises `ConfigurationError`
        where there is none of that name, or it predicts other annotation.
        """
        if self._model is not None or find_model(DEFAULT_MODEL) is not None:
            self._parts()

    @property
    def labels(self) -> Tuple[str, ...]:
        """The types of entities or the tags that the model can predict; none before it is loaded or taken."""
        return () if self._content is None else tuple(self.tagger.labels)

    @property
    def tagger(self) -> Any:
        """
        The tagger, as `Tagger.load` returns it. Raises `ConfigurationError` where there is none, or its model predicts
        other annotation.
        """
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
                except Exception as error:
                    if not is_mistake(error):
                        raise
                    items = DocItems([error], [])
                waiting.append((doc, items))
                yield from items.inputs

        results = tagger.results(inputs())
        for first in results:
            doc, items = waiting.popleft()
            predictions: List[Any] = [first, *islice(results, len(items.inputs) - 1)]
            error = next((result for result in predictions if isinstance(result, Exception)), None)
            if error is not None and is_mistake(error):
                error = configuration_error(f"the Doc {doc.text!r:.60}: {error}")
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
        """Returns the archive, or the exported model as a tar file. Raises `ConfigurationError` where there is none."""
        if self._content is None:
            with worded():
                folder = folder_of(self._model or DEFAULT_MODEL)
            if is_exported(folder):
                self._content = _packed(Path(folder))
            else:
                self._content = _archive_part("archives").content(folder)
        return self._content

    def from_bytes(self, content: bytes, *, exclude: Iterable[str] = ()) -> "NerzooComponent":
        """Takes an archive or an exported model in place of the one that the option `model` names."""
        self._content, self._loaded = content, None
        return self

    def to_disk(self, path: Union[str, Path], *, exclude: Iterable[str] = ()) -> None:
        """Writes the model into a folder."""
        content = self.to_bytes()
        Path(path).mkdir(parents=True, exist_ok=True)
        (Path(path) / (_ARCHIVE if content.startswith(_GZIPPED) else _EXPORTED)).write_bytes(content)

    def from_disk(self, path: Union[str, Path], *, exclude: Iterable[str] = ()) -> "NerzooComponent":
        """Takes the model in a folder. Raises `ConfigurationError` where there is none."""
        exported = Path(path) / _EXPORTED
        if exported.is_file():
            return self.from_bytes(exported.read_bytes())
        return self.from_bytes(_archive_part("archives").content(Path(path) / _ARCHIVE))

    def _parts(self) -> Tuple[Any, "DocReader"]:
        # A fork, by `nlp.pipe(n_process=...)`, would wait forever for threads that only its parent has, even to delete
        # the tagger with them.
        is_fork = self._process != os.getpid()
        self._process = os.getpid()
        content = self.to_bytes()
        if not content.startswith(_GZIPPED):
            if self._loaded is None or is_fork:
                self._inherited = self._loaded
                self._loaded = self._exported(content, 1 if is_fork else None)
        elif self._loaded is None or is_fork:
            part = _archive_part("inference.spacy_component")
            if is_fork:
                part.use_one_thread()
            if self._loaded is None:
                options = (self._device, self._batch_tokens, self._allow_unknown_labels)
                self._loaded = part.load(self.name, content, self._annotator, *options)
        return self._loaded

    def _exported(self, content: bytes, num_threads: Optional[int]) -> Tuple[ExportedTagger, "DocReader"]:
        """Returns the exported tagger in a tar file and its reader. Raises `ConfigurationError` where it is none."""
        if self._device not in (None, "cpu"):
            raise format_error(self.name, f"the device {self._device}", "cpu: an exported model computes there")
        with tempfile.TemporaryDirectory() as folder, worded():
            try:
                with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as file:
                    file.extractall(folder, filter="data")
            except (tarfile.TarError, OSError) as error:
                raise ValueError(f"{self.name}: found a saved model that cannot be read ({error})") from error
            # Its files stay in memory when the folder is gone.
            tagger = OnnxTagger.load(folder, self._batch_tokens, num_threads)
            self._annotator.check(self.name, tagger.finds_entities)
            return ExportedTagger(tagger), DocReader(tagger.reads_documents)


def _archive_part(module: str) -> Any:
    """Returns a module that needs AllenNLP. Raises `NotInstalledError` where that is missing."""
    with needs_training("an archive"):
        return import_module(f"nerzoo.{module}")


def _packed(folder: Path) -> bytes:
    """Returns the files of a folder as a tar file, without their times."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as packed:
        for path in sorted(filter(Path.is_file, folder.iterdir())):
            member = tarfile.TarInfo(path.name)
            member.size = path.stat().st_size
            with path.open("rb") as file:
                packed.addfile(member, file)
    return content.getvalue()


class DocItems(NamedTuple):
    """The items of a predictor for a Doc, and the positions in the Doc of the words of each sentence."""

    inputs: Sequence[Union[Object, Exception]]
    sentences: List[List[int]]


class DocReader:
    """
    Turns Docs into items of a predictor: their words, sentence by sentence. A Doc without sentences is one sentence.
    Tokens of white space are no words. Subclasses add the annotation that their model reads.
    """

    def __init__(self, reads_documents: bool = False) -> None:
        self._reads_documents = reads_documents

    def read(self, doc: Doc) -> DocItems:
        """Returns the items of a Doc, at least one. Raises `ConfigurationError` where its annotation does not fit."""
        spans: List[Span] = list(doc.sents) if doc.has_annotation("SENT_START") else []
        sentences = [[token.i for token in span if not token.is_space] for span in spans or [doc[:]]]
        if not any(sentences):
            return DocItems([{"words": []}], [[]])
        annotation = self._annotation(doc)
        inputs = [sentence_inputs(doc, positions, annotation) for positions in sentences]
        return DocItems([{"sentences": inputs}] if self._reads_documents else inputs, sentences)

    def _annotation(self, doc: Doc) -> Object:
        """Returns the annotation of all tokens of a Doc that the model reads."""
        return {}


def sentence_inputs(doc: Doc, positions: List[int], annotation: Object) -> Object:
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

    def check(self, name: str, finds_entities: bool) -> None:
        """Raises `ConfigurationError` where a model finds entities, but tags are to be written, or the other way."""
        if finds_entities != self.writes_entities:
            kind, expected = ("entities", "ents or spans") if finds_entities else ("tags of words", "tag or pos")
            raise format_error(name, f"annotate: {self.annotate!r} with a model of {kind}", expected)

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
            raise configuration_error(f"{found}, which token.pos_ may have; with annotate: 'tag' they go to token.tag_")
        for token in doc:
            # White space gets the tags that spaCy's own taggers give it.
            if self.annotate == "pos":
                token.pos_ = tags.get(token.i, "SPACE")
            else:
                token.tag_ = tags.get(token.i, "_SP")
