"""Predicts with exported taggers, without PyTorch and AllenNLP."""

import os
import reprlib
from functools import partial
from itertools import accumulate, islice
from os import PathLike
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy
from numpy.typing import NDArray

from nerzoo.errors import nearest
from nerzoo.runtime.linear_chain import IMPOSSIBLE, LinearChain
from nerzoo.runtime.spans import SpanDecoding
from nerzoo.runtime.word_input import (
    EMISSIONS,
    TRANSITIONS,
    LabelInput,
    ModelFolder,
    PieceInput,
    Pieces,
    WordInput,
    tree_inputs,
)
from nerzoo.text.annotation import SYNTAX, entities_to_json, labels_of_tags, running_text, tag_spans, word_offsets
from nerzoo.text.span_levels import ScoredEntity
from nerzoo.text.splitting import DEFAULT_SPLITTER, SplitSentence, completed, split_text, text_prediction
from nerzoo.text.token_batches import (
    BATCH_TOKENS,
    check_batch_tokens,
    predict_ahead,
    sentence_size,
    text_documents,
    token_batches,
)

_BATCH_PIECES = 512
"""The number of pieces that a transformer reads at a time, as fast as more of them."""
_BATCH_SPANS = 8192
"""The number of spans that are classified at a time: the scores of more of them do not stay in a processor's cache."""


Item = Union[str, Sequence[str], Mapping[str, Any]]
Object = Dict[str, Any]


class ReadItem(NamedTuple):
    """
    The documents of an item, each a list of sentences that are encoded together, for a model of sentences of one each;
    the number of tokens of each document, see `sentence_size`; and the function that makes the prediction for the item
    of those for all of its sentences. A sentence has `words`, `text`, `offsets` of words in it, and `types`, by default
    `None`.
    """

    item: Item
    documents: List[List[Object]]
    sizes: List[int]
    join: Callable[[List[Object]], Object]

    @property
    def size(self) -> int:
        """The number of tokens of all documents."""
        return sum(self.sizes)


class OnnxTagger:
    """
    Predicts the tags and entities of texts with a tagger that `allennlp export-onnx` has exported:

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
    objects of `allennlp predict`. Several threads may use it. It can be pickled: the other process loads the folder
    again.
    """

    def __init__(self, folder: ModelFolder, session: Any, batch_tokens: int, num_threads: Optional[int] = None) -> None:
        self.folder = folder.path
        """The folder of the model."""
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
        self._piece_inputs = [PieceInput(folder, settings) for settings in inputs if settings["type"] == "pieces"]
        self.has_decoders: bool = folder.settings.get("decoders", False)
        """`True` if decoders find the tags, each given those before it, so that types cannot be chosen."""
        self._tags: List[str] = folder.settings["tags"]
        self.labels = labels_of_tags(self._tags, folder.settings["coding_scheme"])
        """The types of entities that it can predict, or the tags, where these do not stand for entities."""
        self._tag_ids = {tag: index for index, tag in enumerate(self._tags)}
        self._coding_scheme: Optional[str] = folder.settings["coding_scheme"]
        temperature: float = folder.settings["temperature"]
        spans = folder.settings.get("spans")
        self.spans: Optional[SpanDecoding] = None
        """The decoding of a model that classifies spans."""
        self._scores_shape: Tuple[int, ...] = (len(self._tags),)
        if spans is None:
            self._chain = LinearChain(numpy.load(folder.path / TRANSITIONS), temperature)
        else:
            self.spans = SpanDecoding(spans, self._tags, temperature)
            self._scores_shape = (self.spans.max_length, 1 + len(self._tags))

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
        return cls(files, _session(files.path / EMISSIONS, num_threads), batch_tokens, num_threads)

    @property
    def finds_entities(self) -> bool:
        """`True` unless its tags stand for themselves."""
        return self._coding_scheme is not None or self.spans is not None

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
        return _read_item(item, self.splitter, self.reads_documents)

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
        texts = list(map(_words, documents))
        mask = _mask(texts)
        pieces = [list(map(part.split, texts)) for part in self._piece_inputs]
        if pieces:
            # Sentences of equally many words may have different numbers of pieces, and all are padded to the most.
            sizes, limit = [sum(len(part.ids) for part in text) for text in zip(*pieces, strict=True)], _BATCH_PIECES
        elif self.spans is not None:
            sizes, limit = [len(text) * self.spans.max_length for text in texts], _BATCH_SPANS
        else:
            return self._run(documents, mask, []), mask
        emissions = numpy.zeros((*mask.shape, *self._scores_shape), numpy.float32)
        for batch in token_batches(sizes, limit):
            batch_mask = _mask([texts[place] for place in batch])
            batch_pieces = [[part[place] for place in batch] for part in pieces]
            scores = self._run([documents[place] for place in batch], batch_mask, batch_pieces)
            emissions[batch, : batch_mask.shape[1]] = scores
        return emissions, mask

    def _run(
        self, documents: Sequence[Sequence[Object]], mask: NDArray[numpy.bool_], pieces: Sequence[Sequence[Pieces]]
    ) -> NDArray[numpy.float32]:
        """Runs the graph on documents, given their mask and, for each input of pieces, the pieces of each text."""
        distinct: Dict[str, int] = {}
        places = [distinct.setdefault(word, len(distinct)) for document in documents for word in _words(document)]
        rows = numpy.zeros(mask.shape, numpy.int64)
        rows[mask] = places
        words = list(distinct)
        inputs = {"rows": rows, "mask": mask, **{part.name: part(words) for part in self._inputs}}
        for piece_input, read in zip(self._piece_inputs, pieces, strict=True):
            inputs.update(piece_input(read))
        for part in self._label_inputs:
            inputs[part.name] = part([_column(part.annotation, document) for document in documents])
        if self._reads_trees:
            inputs.update(tree_inputs([_column("heads", document) for document in documents]))
        (emissions,) = self._session.run(None, {name: inputs[name] for name in self._names})
        return emissions

    def predict_batch(self, documents: Sequence[Sequence[Object]]) -> List[List[Object]]:
        """
        Predicts the sentences of documents, all at once. Each has `words`, at least one, `text`, and `offsets`, the
        position in the text of each word; with `types`, only these are possible. Raises `ValueError` for a type that is
        not the model's.
        """
        sentences = [sentence for document in documents for sentence in document]
        lengths = list(map(_num_words, sentences))
        by_document, mask = self.emissions(documents)
        emissions = by_document[mask]
        ends = list(accumulate(lengths))
        scores = [emissions[end - length : end] for length, end in zip(lengths, ends, strict=True)]
        for part, sentence in zip(scores, sentences, strict=True):
            if sentence.get("types") is not None:
                part[..., self._is_excluded(sentence["types"])] = IMPOSSIBLE
        predictions: Dict[int, Object] = {}
        if self.spans is not None:
            found = self.spans(emissions, lengths)
            predictions.update(enumerate(map(_with_entities, sentences, found)))
        else:
            for batch in token_batches(lengths, self._batch_tokens):
                decoded = self._decode([sentences[place] for place in batch], [scores[place] for place in batch])
                predictions.update(zip(batch, decoded, strict=True))
        in_order = map(predictions.__getitem__, range(len(sentences)))
        return [list(islice(in_order, len(document))) for document in documents]

    def _decode(self, sentences: Sequence[Object], scores: Sequence[NDArray[numpy.float32]]) -> List[Object]:
        """Returns the predictions for sentences, given the scores of the tags of each, (T, L)."""
        mask = _mask([sentence["words"] for sentence in sentences])
        emissions = numpy.zeros((*mask.shape, len(self._tags)), numpy.float32)
        emissions[mask] = numpy.concatenate(scores)
        tags = self._chain.viterbi(emissions, mask)
        predictions = [
            {"words": sentence["words"], "tags": [self._tags[tag] for tag in row[: len(sentence["words"])]]}
            for sentence, row in zip(sentences, tags.tolist(), strict=True)
        ]
        if self._coding_scheme is None:
            return predictions
        spans = [tag_spans(prediction["tags"]) for prediction in predictions]
        probabilities = iter(self._probabilities(emissions, mask, tags, spans))
        for sentence, prediction, sentence_spans in zip(sentences, predictions, spans, strict=True):
            prediction["entities"] = entities_to_json(zip(sentence_spans, probabilities, strict=False), sentence)
        return predictions

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
        if self.spans is not None:
            return [False, *(type_ not in types for type_ in self._tags)]
        return [tag != "O" and tag[2:] not in types for tag in self._tags]

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

    def _probabilities(
        self,
        emissions: NDArray[numpy.float32],
        mask: NDArray[numpy.bool_],
        tags: NDArray[numpy.int64],
        spans: List[List[Tuple[int, int, str]]],
    ) -> List[float]:
        placed = [(row, *span) for row, sentence_spans in enumerate(spans) for span in sentence_spans]
        if not placed:
            return []
        # BIOUL ends an entity by its own last tag, BIO by a tag that is not its I.
        is_bio = self._coding_scheme == "BIO"
        continuation = [self._tag_ids.get(f"I-{label}", -1) if is_bio else -1 for _, _, _, label in placed]
        places = numpy.array([place[:3] for place in placed])
        return self._chain.entity_probabilities(emissions, mask, tags, places, numpy.array(continuation)).tolist()


def _session(path: Path, num_threads: Optional[int]) -> Any:
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


def _mask(texts: Sequence[Sequence[str]]) -> NDArray[numpy.bool_]:
    """Returns the mask (B, T) of the words of B sentences or documents."""
    lengths = numpy.array(list(map(len, texts)))
    return numpy.arange(lengths.max()) < lengths[:, numpy.newaxis]


def _num_words(sentence: Object) -> int:
    return len(sentence["words"])


def _words(document: Sequence[Object]) -> List[str]:
    return _column("words", document)


def _with_entities(sentence: Object, entities: Sequence[ScoredEntity]) -> Object:
    scored = [(entity, entity.score) for entity in entities]
    return {"words": sentence["words"], "entities": entities_to_json(scored, sentence)}


def _column(name: str, document: Sequence[Object]) -> List[Any]:
    """Returns the words of a document, or what is known of each of them, such as its part of speech."""
    return [value for sentence in document for value in sentence[name]]


def _read_item(item: Item, splitter: str, reads_documents: bool) -> ReadItem:
    kind = "text" if isinstance(item, str) else "words"
    given: Mapping[str, Any] = item if isinstance(item, Mapping) else {kind: item}
    present, types = _present(given), _types(given)
    if present == ["text"] and isinstance(given["text"], str):
        text = given["text"]
        split = split_text(text, splitter)
        sentences = [{**_text_sentence(text, part), "types": types} for part in split]
        # A model of sentences takes each of them alone.
        documents = text_documents(sentences, _num_words, BATCH_TOKENS if reads_documents else 0)
        return ReadItem(item, documents, _sizes(documents), partial(text_prediction, text, split))
    parts: Any = given.get("sentences")
    is_document = reads_documents and isinstance(parts, list) and not present
    sentences = [_read_sentence(part, splitter) for part in (parts if is_document else [item])]
    if is_document and types is not None:
        sentences = [{**sentence, "types": types} for sentence in sentences]
    doc_id = given.get("doc_id") if reads_documents else None
    if not (doc_id is None or isinstance(doc_id, (str, float)) or type(doc_id) is int):
        raise ValueError(f"found the doc_id {doc_id!r}, expected a string or a number")

    def join(predictions: List[Object]) -> Object:
        """Returns the prediction for a document or a sentence, given those for the sentences that have words."""
        known = {} if doc_id is None else {"doc_id": str(doc_id)}
        rest = iter(predictions)
        found: List[Object] = [
            {**known, **next(rest)} if sentence["words"] else {"words": [], "tags": [], "entities": []}
            for sentence in sentences
        ]
        if not is_document:
            return found[0]
        return {**({"doc_id": None, **known} if predictions else {}), "sentences": found}

    document = [sentence for sentence in sentences if sentence["words"]]
    documents = [document] if document else []
    return ReadItem(item, documents, _sizes(documents), join)


def _sizes(documents: Sequence[Sequence[Object]]) -> List[int]:
    return [sentence_size(_words(document)) for document in documents]


def _present(given: Mapping[str, Any]) -> List[str]:
    return [name for name in ("text", "sentence", "words") if given.get(name) is not None]


def _types(given: Mapping[str, Any]) -> Optional[List[str]]:
    """Returns the types that are asked for. Raises `ValueError` where they are no list of names."""
    types = given.get("types")
    if types is not None and not (isinstance(types, list) and types and all(isinstance(name, str) for name in types)):
        raise ValueError(f"found the types {types!r}, expected a list of types of entities")
    return types


def _read_sentence(item: Any, splitter: str) -> Object:
    """Returns a sentence, perhaps without words. Raises `ValueError` where it is in another form."""
    given: Mapping[str, Any] = item if isinstance(item, Mapping) else {"words": item}
    types = _types(given)
    present = _present(given)
    if present == ["sentence"] and isinstance(given["sentence"], str):
        parts = split_text(given["sentence"], splitter)
        found = [word for part in parts for word in part.words]
        offsets = [offset for part in parts for offset in part.offsets]
        return {"words": found, "text": given["sentence"], "offsets": offsets, "types": types}
    words: Any = given.get("words")
    space_after = given.get("space_after")
    is_list = isinstance(words, (list, tuple)) and all(isinstance(word, str) and word for word in words)
    if len(present) != 1 or not is_list:
        expected = (
            'a text, {"text": "..."}, {"sentence": "..."} or {"words": [...]}, a list of words, none of them empty'
        )
        raise ValueError(f"found the sentence {reprlib.repr(item)}, expected {expected}")
    spaces = list(map(type, space_after)) if isinstance(space_after, list) else None
    if space_after is not None and spaces != [bool] * len(words):
        raise ValueError(f"found the space_after {space_after!r}, expected a list of {len(words)}, one bool a word")
    text = running_text(words, space_after)
    offsets = word_offsets(words, text)
    return {"words": list(words), "text": text, "offsets": offsets, "types": types, **_syntax(given, len(words))}


def _syntax(given: Mapping[str, Any], length: int) -> Object:
    """Returns those of `pos`, `heads` and `dep_labels` that a sentence has. Raises `ValueError` for other values."""
    found = {name: given[name] for name in SYNTAX if given.get(name) is not None}
    for name, values in found.items():
        type_ = int if name == "heads" else str
        if not isinstance(values, list) or list(map(type, values)) != [type_] * length:
            expected = f"a list of {length}, one {type_.__name__} a word"
            raise ValueError(f"found the {name} {reprlib.repr(values)}, expected {expected}")
    return found


def _text_sentence(text: str, part: SplitSentence) -> Object:
    """Returns a sentence of a text, whose characters count from its start."""
    offsets = [offset - part.start for offset in part.offsets]
    return {"words": part.words, "text": text[part.start : part.end], "offsets": offsets}
