import reprlib
from functools import partial
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
    cast,
)

import numpy
from numpy.typing import NDArray

from nerzoo.runtime.linear_chain import LinearChain
from nerzoo.runtime.word_input import EMISSIONS, TRANSITIONS, ModelFolder, WordInput
from nerzoo.text.annotation import entities_to_json, running_text, tag_spans, word_offsets
from nerzoo.text.splitting import DEFAULT_SPLITTER, SplitSentence, split_text, text_prediction
from nerzoo.text.token_batches import BATCH_TOKENS, check_batch_tokens, predict_ahead, sentence_size, token_batches

Item = Union[str, Sequence[str], Mapping[str, Any]]
Object = Dict[str, Any]


class ReadItem(NamedTuple):
    """
    The sentences of an item, each with `words`, `text`, and `offsets` of words in it. A text also has its own
    characters and its bounds of sentences; another item is a single sentence.
    """

    sentences: List[Object]
    text: Optional[str] = None
    split: Sequence[SplitSentence] = ()


class OnnxTagger:
    """
    Predicts the tags and entities of texts with a tagger that `allennlp export-onnx` has exported:

        tagger = OnnxTagger.load("output/ner_onnx")
        tagger("Mara lived in Calder. She left.")["entities"]
        for prediction in tagger.predict(texts):
            ...

    It needs only NumPy and ONNX Runtime. An item is a text of any length, which is split into sentences: a string, or
    `{"text": "..."}`; or a sentence: `{"sentence": "..."}`, a list of its words, or a JSON object with `words` and
    perhaps `space_after`, whether white space follows each of them in the text. Predictions are the JSON objects of
    `allennlp predict`. Several threads may use it. It can be pickled: the other process loads the folder again.
    """

    def __init__(self, folder: ModelFolder, session: Any, batch_tokens: int, num_threads: Optional[int] = None) -> None:
        self.folder = folder.path
        """The folder of the model."""
        self.splitter: str = folder.settings.get("splitter", DEFAULT_SPLITTER)
        """The way in which texts are split, one of `nerzoo.text.splitting.SPLITTERS`."""
        self._session = session
        self._batch_tokens = batch_tokens
        self._num_threads = num_threads
        self._inputs = [WordInput(folder, settings) for settings in folder.settings["inputs"]]
        self._tags: List[str] = folder.settings["tags"]
        self._tag_ids = {tag: index for index, tag in enumerate(self._tags)}
        self._coding_scheme: Optional[str] = folder.settings["coding_scheme"]
        self._chain = LinearChain(numpy.load(folder.path / TRANSITIONS), folder.settings["temperature"])

    @classmethod
    def load(
        cls, folder: Union[str, PathLike], batch_tokens: int = BATCH_TOKENS, num_threads: Optional[int] = None
    ) -> "OnnxTagger":
        """
        Loads an exported tagger that predicts `batch_tokens` tokens at a time, padding included, in `num_threads`
        threads, by default one a core. Raises `ValueError` where the folder is of another release or cannot be read,
        `ImportError` where ONNX Runtime, an extra of nerzoo, is missing.
        """
        check_batch_tokens(batch_tokens, ValueError)
        files = ModelFolder(folder)
        return cls(files, _session(files.path / EMISSIONS, num_threads), batch_tokens, num_threads)

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
            if isinstance(result, Exception):
                raise ValueError(f"item {index}: {result}") from result
            yield result

    def results(self, items: Iterable[Union[Item, Exception]]) -> Iterator[Union[Object, Exception]]:
        """Yields the prediction for each item of a stream, or in its place the error why there is none."""
        return predict_ahead(items, partial(_read, splitter=self.splitter), _size, self._predict, self._batch_tokens)

    def emissions(self, sentences: Sequence[Sequence[str]]) -> Tuple[NDArray[numpy.float32], NDArray[numpy.bool_]]:
        """Returns the scores of the tags, (B, T, L), arbitrary at padding, and the mask, (B, T), of B sentences."""
        distinct: Dict[str, int] = {}
        places = [distinct.setdefault(word, len(distinct)) for words in sentences for word in words]
        lengths = numpy.array(list(map(len, sentences)))
        mask = numpy.arange(lengths.max()) < lengths[:, numpy.newaxis]
        rows = numpy.zeros(mask.shape, numpy.int64)
        rows[mask] = places
        words = list(distinct)
        inputs = {word_input.name: word_input(words) for word_input in self._inputs}
        (emissions,) = self._session.run(None, {"rows": rows, "mask": mask, **inputs})
        return emissions, mask

    def predict_batch(self, sentences: Sequence[Object]) -> List[Object]:
        """
        Predicts sentences that have words, all at once. Each has `words`, `text`, and `offsets`, the position in the
        text of each word.
        """
        emissions, mask = self.emissions([sentence["words"] for sentence in sentences])
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

    def _predict(self, items: Sequence[Union[ReadItem, Exception]]) -> List[Union[Object, Exception]]:
        sentences = [sentence for item in items if isinstance(item, ReadItem) for sentence in item.sentences]
        predictions: Dict[int, Union[Object, Exception]] = {}
        for batch in token_batches([sentence_size(sentence["words"]) for sentence in sentences], self._batch_tokens):
            predictions.update(zip(batch, self._results([sentences[place] for place in batch]), strict=True))
        in_order = map(predictions.__getitem__, range(len(sentences)))
        results: List[Union[Object, Exception]] = []
        for item in items:
            if isinstance(item, Exception):
                results.append(item)
                continue
            found = list(islice(in_order, len(item.sentences)))
            error = next((part for part in found if isinstance(part, Exception)), None)
            if error is not None:
                results.append(error)
            elif item.text is not None:
                results.append(text_prediction(item.text, item.split, cast(List[Object], found)))
            else:
                results.append(found[0] if found else {"words": [], "tags": [], "entities": []})
        return results

    def _results(self, batch: Sequence[Object]) -> Sequence[Union[Object, Exception]]:
        """Predicts a batch of sentences, or one by one where an input refuses one of them."""
        try:
            return self.predict_batch(batch)
        except ValueError as error:
            return (
                [error] if len(batch) == 1 else [result for sentence in batch for result in self._results([sentence])]
            )

    def __reduce__(self) -> Tuple[Callable[..., "OnnxTagger"], Tuple[Any, ...]]:
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
    options.intra_op_num_threads = num_threads or 0
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ValueError(f"{path}: found a file that ONNX Runtime cannot load ({error})") from error


def _read(item: Union[Item, Exception], splitter: str) -> Union[ReadItem, Exception]:
    """Returns the sentences of an item, or the error in their place."""
    if isinstance(item, Exception):
        return item
    given: Mapping[str, Any] = item if isinstance(item, Mapping) else {_kind(item): item}
    present = {name: given[name] for name in ("text", "sentence", "words") if given.get(name) is not None}
    if len(present) == 1 and isinstance(present.get("text"), str):
        text = present["text"]
        split = split_text(text, splitter)
        return ReadItem([_text_sentence(text, part) for part in split], text, split)
    if len(present) == 1 and isinstance(present.get("sentence"), str):
        parts = split_text(present["sentence"], splitter)
        found = [word for part in parts for word in part.words]
        return _read_sentence(found, present["sentence"], [offset for part in parts for offset in part.offsets])
    words: Any = present.get("words")
    space_after = given.get("space_after")
    is_list = isinstance(words, (list, tuple)) and all(isinstance(word, str) and word for word in words)
    if len(present) != 1 or not is_list:
        expected = (
            'a text, {"text": "..."}, {"sentence": "..."} or {"words": [...]}, a list of words, none of them empty'
        )
        return ValueError(f"found the sentence {reprlib.repr(item)}, expected {expected}")
    spaces = list(map(type, space_after)) if isinstance(space_after, list) else None
    if space_after is not None and spaces != [bool] * len(words):
        return ValueError(f"found the space_after {space_after!r}, expected a list of {len(words)}, one bool a word")
    text = running_text(words, space_after)
    return _read_sentence(list(words), text, word_offsets(words, text))


def _kind(item: Any) -> str:
    return "text" if isinstance(item, str) else "words"


def _text_sentence(text: str, part: SplitSentence) -> Object:
    """Returns a sentence of a text, whose characters count from its start."""
    offsets = [offset - part.start for offset in part.offsets]
    return {"words": part.words, "text": text[part.start : part.end], "offsets": offsets}


def _read_sentence(words: List[str], text: str, offsets: List[int]) -> ReadItem:
    return ReadItem([{"words": words, "text": text, "offsets": offsets}] if words else [])


def _size(item: ReadItem) -> int:
    return sum(sentence_size(sentence["words"]) for sentence in item.sentences)
