"""Predicts with exported taggers, without PyTorch and AllenNLP."""

import os
from itertools import accumulate, islice
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy
from numpy.typing import NDArray

from nerzoo.errors import nearest
from nerzoo.runtime.items import Item, Object, ReadItem, column, num_words, read_item
from nerzoo.runtime.linear_chain import IMPOSSIBLE
from nerzoo.runtime.spans import SpanDecoding
from nerzoo.runtime.tags import TagDecoding, length_mask
from nerzoo.runtime.word_input import (
    EMISSIONS,
    ENCODER,
    TRANSITIONS,
    Encode,
    LabelInput,
    ModelFolder,
    PieceInput,
    WordInput,
    tree_inputs,
)
from nerzoo.text.annotation import SYNTAX
from nerzoo.text.splitting import DEFAULT_SPLITTER, completed
from nerzoo.text.token_batches import (
    BATCH_TOKENS,
    check_batch_tokens,
    predict_ahead,
    token_batches,
)

_BATCH_SPANS = 8192
"""The number of spans that are classified at a time: the scores of more of them do not stay in a processor's cache."""


class OnnxTagger:
    """
    Predicts the tags and entities of texts with a tagger that `nerzoo export-onnx` has exported:

        tagger = OnnxTagger.load("output/ner_onnx")
        tagger("Mara lived in Calder. She left.")["entities"]
        for prediction in tagger.predict(texts):
            ...

    It needs only NumPy and ONNX Runtime, for a transformer also the package `tokenizers`. An item is a text of any
    length, which is split into sentences: a string, or `{"text": "..."}`; or a sentence: `{"sentence": "..."}`, a list
    of its words, or a JSON object with `words` and perhaps `space_after`, whether white space follows each of them in
    the text. A model that reads parts of speech or dependency trees needs such objects, with `pos`, `heads`, counted
    from 1, 0 for a root, or `dep_labels`. Where an object has `types`, the tagger chooses among the entities of these
    types alone. For a model of documents, a text is one, or several where it has more than 4,096 words; so is
    `{"sentences": [...]}`, of such objects, perhaps with a `doc_id`, or a sentence alone. Predictions are the JSON
    objects of `nerzoo predict`. Several threads may use it. It can be pickled: the other process loads the folder
    again.
    """

    def __init__(self, folder: ModelFolder, session: Any, batch_tokens: int, num_threads: Optional[int] = None) -> None:
        self.folder = folder.path
        """The folder of the model."""
        self.settings = folder.settings
        """The settings of the model, those of its folder."""
        self.splitter: str = folder.settings.get("splitter", DEFAULT_SPLITTER)
        """The way in which texts are split, one of `nerzoo.text.splitting.SPLITTERS`."""
        self.reads_documents: bool = folder.settings.get("documents", False)
        """`True` if the sentences of a document are encoded together."""
        self._session = session
        # Not all that could be: the graph has only inputs that it reads.
        self._names = [part.name for part in session.get_inputs()]
        self._batch_tokens = batch_tokens
        self._num_threads = num_threads
        inputs = folder.settings["inputs"]
        self._inputs = [
            WordInput(folder, settings) for settings in inputs if settings["type"] not in ("pieces", "labels")
        ]
        self._label_inputs = [LabelInput(folder, settings) for settings in inputs if settings["type"] == "labels"]
        self._reads_trees: bool = folder.settings.get("trees", False)
        read = {"heads"} if self._reads_trees else set()
        read |= {part.annotation for part in self._label_inputs}
        self.annotations = [name for name in SYNTAX if name in read]
        """The annotation that each sentence needs beside its words, some of `nerzoo.text.annotation.SYNTAX`."""
        self._piece_inputs = [
            PieceInput(folder, settings, load_encoder(folder.path / f"{settings['name']}.{ENCODER}", num_threads))
            for settings in inputs
            if settings["type"] == "pieces"
        ]
        self.has_decoders: bool = folder.settings.get("decoders", False)
        """`True` if decoders find the tags, each given those before it, so that types cannot be chosen."""
        self.decoding = _decoding(folder, batch_tokens)
        """The decoding of scores, those of tags or of spans."""

    @classmethod
    def load(
        cls, folder: Union[str, PathLike], batch_tokens: int = BATCH_TOKENS, num_threads: Optional[int] = None
    ) -> "OnnxTagger":
        """
        Loads an exported tagger that predicts `batch_tokens` tokens at a time, padding included, in `num_threads`
        threads, by default one a core. Raises `ValueError` where the folder is of another release or cannot be read,
        `ImportError` where ONNX Runtime is missing or, for a transformer, the extra `tokenizers` of nerzoo.
        """
        check_batch_tokens(batch_tokens, ValueError)
        files = ModelFolder(folder)
        return cls(files, load_graph(files.path / EMISSIONS, num_threads), batch_tokens, num_threads)

    @property
    def finds_entities(self) -> bool:
        """`True` unless its tags stand for themselves."""
        return self.decoding.finds_entities

    @property
    def labels(self) -> List[str]:
        """The types of entities that it can predict, or the tags, where these do not stand for entities."""
        return self.decoding.labels

    def __call__(self, item: Item) -> Object:
        """Predicts a text or a sentence. Raises `ValueError` where it is not in one of the forms above."""
        (result,) = self.results([item])
        if isinstance(result, Exception):
            raise result
        return result

    def predict(self, items: Iterable[Item]) -> Iterator[Object]:
        """
        Predicts any number of items, in order, in batches of sentences of similar lengths. Raises `ValueError` with the
        index of an item that is not in one of the forms above, after the predictions for those before it.
        """
        for index, result in enumerate(self.results(items)):
            if isinstance(result, ValueError):
                raise ValueError(f"item {index}: {result}") from result
            if isinstance(result, Exception):
                result.add_note(f"in item {index}")
                raise result
            yield result

    def results(self, items: Iterable[Union[Item, Exception]]) -> Iterator[Union[Object, Exception]]:
        """Yields the prediction for each item of a stream, or in its place the error why there is none."""
        return predict_ahead(items, self._readable, lambda item: item.size, self.predict_items, self._batch_tokens)

    def read(self, item: Item) -> ReadItem:
        """Reads an item for `predict_items`. Raises `ValueError` where it is not in one of the forms above."""
        return read_item(item, self.splitter, self.reads_documents)

    def emissions(self, documents: Sequence[Sequence[Object]]) -> Tuple[NDArray[numpy.float32], NDArray[numpy.bool_]]:
        """
        Returns the scores of the tags, (B, T, L), or of spans, (B, T, n, 1 + L), see `SpanDecoding`, arbitrary at
        padding, and the mask, (B, T), given B documents, lists of sentences with `words`; for a model of sentences of
        one each. Raises `ValueError` where a sentence lacks an annotation that the model reads.
        """
        for name in self.annotations:
            if any(sentence.get(name) is None for document in documents for sentence in document):
                expected = f'{{"words": [...]}} with {", ".join(self.annotations)}, which this model reads'
                raise ValueError(f"found a sentence without {name}, expected {expected}")
        lengths = [len(column("words", document)) for document in documents]
        mask = length_mask(lengths)
        if not isinstance(self.decoding, SpanDecoding):
            return self._run(documents, mask), mask
        emissions = numpy.zeros((*mask.shape, *self.decoding.scores_shape), numpy.float32)
        for batch in token_batches([length * self.decoding.max_length for length in lengths], _BATCH_SPANS):
            batch_mask = length_mask([lengths[place] for place in batch])
            scores = self._run([documents[place] for place in batch], batch_mask)
            emissions[batch, : batch_mask.shape[1]] = scores
        return emissions, mask

    def _run(self, documents: Sequence[Sequence[Object]], mask: NDArray[numpy.bool_]) -> NDArray[numpy.float32]:
        """Runs the graph on documents, given their mask."""
        texts = [column("words", document) for document in documents]
        distinct: Dict[str, int] = {}
        places = [distinct.setdefault(word, len(distinct)) for text in texts for word in text]
        rows = numpy.zeros(mask.shape, numpy.int64)
        rows[mask] = places
        words = list(distinct)
        inputs = {"rows": rows, "mask": mask, **{part.name: part(words) for part in self._inputs}}
        for piece_input in self._piece_inputs:
            inputs.update(piece_input(texts))
        for part in self._label_inputs:
            inputs[part.name] = part([column(part.annotation, document) for document in documents])
        if self._reads_trees:
            inputs.update(tree_inputs([column("heads", document) for document in documents]))
        (emissions,) = self._session.run(None, {name: inputs[name] for name in self._names})
        return emissions

    def predict_batch(self, documents: Sequence[Sequence[Object]]) -> List[List[Object]]:
        """
        Predicts the sentences of documents, all at once. Each has `words`, at least one, `text`, and `offsets`, the
        position in the text of each word; with `types`, only these are possible. Raises `ValueError` for a type that is
        not the model's.
        """
        sentences = [sentence for document in documents for sentence in document]
        by_document, mask = self.emissions(documents)
        scores = by_document[mask]
        for sentence, end in zip(sentences, accumulate(map(num_words, sentences)), strict=True):
            if sentence.get("types") is not None:
                scores[end - num_words(sentence) : end, ..., self._is_excluded(sentence["types"])] = IMPOSSIBLE
        predictions = iter(self.decoding(sentences, scores))
        return [list(islice(predictions, len(document))) for document in documents]

    def predict_items(
        self, items: Sequence[Union[ReadItem, Exception]], batch_tokens: Optional[int] = None
    ) -> List[Union[Object, Exception]]:
        """
        Returns the predictions for items, or the errors why there are none; errors stay in their places. It predicts
        `batch_tokens` tokens at a time, by default as many as `load` was given.
        """
        documents = [document for item in items if isinstance(item, ReadItem) for document in item.documents]
        predictions: Dict[int, Union[List[Object], Exception]] = {}
        sizes = [size for item in items if isinstance(item, ReadItem) for size in item.sizes]
        for batch in token_batches(sizes, batch_tokens or self._batch_tokens):
            predictions.update(zip(batch, self._results([documents[place] for place in batch]), strict=True))
        in_order = map(predictions.__getitem__, range(len(documents)))
        results: List[Union[Object, Exception]] = []
        for item in items:
            if isinstance(item, Exception):
                results.append(item)
                continue
            found = list(islice(in_order, len(item.documents)))
            error = next((part for part in found if isinstance(part, Exception)), None)
            sentences = [sentence for part in found if not isinstance(part, Exception) for sentence in part]
            results.append(error or completed(item.item, item.join(sentences)))
        return results

    def _readable(self, item: Union[Item, Exception]) -> Union[ReadItem, Exception]:
        """Returns what `read` does, or the error in its place."""
        if isinstance(item, Exception):
            return item
        try:
            return self.read(item)
        except ValueError as error:
            return error

    def _is_excluded(self, types: Sequence[str]) -> List[bool]:
        """Returns for each score if it is of another type of entities. Raises `ValueError` where there is no choice."""
        if self.has_decoders:
            raise ValueError(f"found the types {types!r}, expected none: decoders choose among all of them")
        known = self.labels if self.finds_entities else []
        for name in types:
            if name not in known:
                raise ValueError(f"found the type {name!r}, expected {nearest(name, known)}")
        return self.decoding.is_excluded(types)

    def _results(self, batch: Sequence[List[Object]]) -> Sequence[Union[List[Object], Exception]]:
        """Predicts a batch of documents, or one by one where one of them fails."""
        try:
            return self.predict_batch(batch)
        except Exception as error:
            return (
                [error] if len(batch) == 1 else [result for document in batch for result in self._results([document])]
            )

    def __reduce__(self) -> Tuple[Any, ...]:
        return OnnxTagger.load, (self.folder, self._batch_tokens, self._num_threads)


def _decoding(folder: ModelFolder, batch_tokens: int) -> Union[TagDecoding, SpanDecoding]:
    settings = folder.settings
    if settings.get("spans") is not None:
        return SpanDecoding(settings["spans"], settings["tags"], settings["temperature"])
    transitions = numpy.load(folder.path / TRANSITIONS)
    return TagDecoding(transitions, settings["tags"], settings["coding_scheme"], settings["temperature"], batch_tokens)


def load_encoder(path: Path, num_threads: Optional[int] = None) -> Encode:
    """Loads the graph of the encoder of a transformer, with the errors of `load_graph`."""
    session = load_graph(path, num_threads)
    return lambda pieces: session.run(None, {"pieces": pieces})[0]


def load_graph(path: Path, num_threads: Optional[int] = None) -> Any:
    """
    Returns the session of ONNX Runtime for a graph, in `num_threads` threads, by default one a core. Raises
    `ImportError` where ONNX Runtime is missing, `ValueError` where it cannot load the file.
    """
    try:
        import onnxruntime
    except ImportError as error:
        message = "found no onnxruntime, expected it, which computes exported taggers: pip install onnxruntime"
        raise ImportError(message) from error
    options = onnxruntime.SessionOptions()
    # Its own default counts cores that the process may not use.
    options.intra_op_num_threads = num_threads or _available_cores()
    # Threads that spin while they wait take a third of the processor time, and files take no less time by them.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ValueError(f"{path}: found a file that ONNX Runtime cannot load ({error})") from error


def _available_cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
