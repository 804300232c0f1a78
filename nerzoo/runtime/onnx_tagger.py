import reprlib
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy
from numpy.typing import NDArray

from nerzoo.runtime.linear_chain import LinearChain
from nerzoo.runtime.word_input import EMISSIONS, TRANSITIONS, ModelFolder, WordInput
from nerzoo.text.annotation import entities_to_json, running_text, word_offsets
from nerzoo.text.tag_schemes import tag_spans
from nerzoo.text.token_batches import BATCH_TOKENS, check_batch_tokens, predict_ahead, sentence_size, token_batches

Item = Union[Sequence[str], Mapping[str, Any]]
Object = Dict[str, Any]


class OnnxTagger:
    """
    Predicts the tags and entities of sentences with a tagger that `allennlp export-onnx` has exported:

        tagger = OnnxTagger.load("output/ner_onnx")
        tagger(["Mara", "lived", "in", "Calder", "."])["entities"]
        for prediction in tagger.predict(sentences):
            ...

    It needs only NumPy and ONNX Runtime. A sentence is a list of its words, or a JSON object with `words` and perhaps
    `space_after`, whether white space follows each of them in the text; predictions are the JSON objects of `allennlp
    predict`. Several threads may use it.
    """

    def __init__(self, folder: ModelFolder, session: Any, batch_tokens: int) -> None:
        self._session = session
        self._batch_tokens = batch_tokens
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
        return cls(files, _session(files.path / EMISSIONS, num_threads), batch_tokens)

    def __call__(self, sentence: Item) -> Object:
        """Predicts a sentence. Raises `ValueError` where it is not in one of the forms above."""
        read = _read(sentence)
        if isinstance(read, Exception):
            raise read
        return self._predict([read])[0]

    def predict(self, sentences: Iterable[Item]) -> Iterator[Object]:
        """
        Predicts any number of sentences, in order, in batches of similar lengths. Raises `ValueError` with the index of
        a sentence that is not in one of the forms above, after the predictions for those before it.
        """
        for index, result in enumerate(self.results(sentences)):
            if isinstance(result, Exception):
                raise ValueError(f"item {index}: {result}") from result
            yield result

    def results(self, sentences: Iterable[Union[Item, Exception]]) -> Iterator[Union[Object, Exception]]:
        """Yields the prediction for each sentence of a stream, or in its place the error why there is none."""
        return predict_ahead(sentences, _read, _size, self._predict, self._batch_tokens)

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

    def _predict(self, sentences: Sequence[Any]) -> List[Any]:
        results: List[Any] = [
            sentence if isinstance(sentence, Exception) else {"words": [], "tags": [], "entities": []}
            for sentence in sentences
        ]
        sizes = [0 if isinstance(sentence, Exception) else _size(sentence) for sentence in sentences]
        present = [position for position, size in enumerate(sizes) if size]
        for batch in token_batches([sizes[position] for position in present], self._batch_tokens):
            positions = [present[place] for place in batch]
            predictions = self._predict_batch([sentences[position] for position in positions])
            for position, prediction in zip(positions, predictions, strict=True):
                results[position] = prediction
        return results

    def _predict_batch(self, sentences: Sequence[Object]) -> List[Object]:
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


def _read(sentence: Union[Item, Exception]) -> Union[Object, Exception]:
    """Returns the words, the text and the offsets of a sentence, or the error in their place."""
    if isinstance(sentence, Exception):
        return sentence
    given: Mapping[str, Any] = sentence if isinstance(sentence, Mapping) else {"words": sentence}
    words, space_after = given.get("words"), given.get("space_after")
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) and word for word in words):
        expected = 'a list of words, or {"words": [...]}, none of them empty'
        return ValueError(f"found the sentence {reprlib.repr(sentence)}, expected {expected}")
    spaces = list(map(type, space_after)) if isinstance(space_after, list) else None
    if space_after is not None and spaces != [bool] * len(words):
        return ValueError(f"found the space_after {space_after!r}, expected a list of {len(words)}, one bool a word")
    text = running_text(words, space_after)
    return {"words": list(words), "text": text, "offsets": word_offsets(words, text)}


def _size(sentence: Object) -> int:
    return sentence_size(sentence["words"])
