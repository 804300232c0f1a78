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
from nerzoo.text.token_batches import BATCH_TOKENS, sentence_size, token_batches

Item = Union[Sequence[str], Mapping[str, Any]]

NUM_BATCHES = 16
"""How many batches' worth of tokens are read ahead, to find sentences of similar lengths among them."""
MAX_ITEMS = 10_000
"""How many sentences are read ahead at most, however short they are."""


class OnnxTagger:
    """
    Predicts the tags and entities of sentences with a tagger that `allennlp export-onnx` has exported:

        tagger = OnnxTagger.load("output/ner_onnx")
        tagger(["Mara", "lived", "in", "Calder", "."])["entities"]
        for prediction in tagger.predict(sentences):
            ...

    It needs NumPy and ONNX Runtime alone. A sentence is a list of its words, or a JSON object with `words` and perhaps
    `space_after`, whether white space follows each of them in the text; what it gives are the JSON objects of
    `allennlp predict`. Several threads may use it.

    # Parameters

    folder : `ModelFolder`
    session : `onnxruntime.InferenceSession`
    batch_tokens : `int`
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
        Loads an exported tagger.

        # Parameters

        folder : `Union[str, PathLike]`
        batch_tokens : `int`, optional (default = `4096`)
            The number of tokens that are predicted at a time, padding included.
        num_threads : `int`, optional (default = one a core)
            The number of threads that compute.

        # Raises

        `ValueError` where the folder is none of this release, or a part of it is missing or cannot be read;
        `ImportError` where ONNX Runtime, an extra of nerzoo, is missing.
        """
        if batch_tokens < 1:
            raise ValueError(f"batch_tokens must be positive, found {batch_tokens}")
        files = ModelFolder(folder)
        return cls(files, _session(files.path / EMISSIONS, num_threads), batch_tokens)

    def __call__(self, sentence: Item) -> Dict[str, Any]:
        """
        Predicts a sentence.

        # Raises

        `ValueError` where it is not in one of the forms above.
        """
        (prediction,) = self._predict([_checked(sentence)])
        return prediction

    def predict(self, sentences: Iterable[Item]) -> Iterator[Dict[str, Any]]:
        """
        Predicts any number of sentences, in batches of similar lengths; predictions come in the order of the sentences.

        # Raises

        `ValueError` where one of them is not in one of the forms above; it names its index. All before it have been
        given.
        """
        window: List[Dict[str, Any]] = []
        num_tokens = 0
        for index, sentence in enumerate(sentences):
            try:
                window.append(_checked(sentence))
            except ValueError as error:
                yield from self._predict(window)
                raise ValueError(f"item {index}: {error}") from error
            num_tokens += sentence_size(window[-1]["words"])
            if num_tokens >= NUM_BATCHES * self._batch_tokens or len(window) >= MAX_ITEMS:
                yield from self._predict(window)
                window, num_tokens = [], 0
        yield from self._predict(window)

    def emissions(self, sentences: Sequence[Sequence[str]]) -> Tuple[NDArray[numpy.float32], NDArray[numpy.bool_]]:
        """
        Returns the scores of the tags of B sentences of up to T words, (B, T, L), arbitrary at padding, and their mask,
        (B, T). None of the sentences is without words.
        """
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

    def _predict(self, sentences: Sequence[Dict[str, Any]]) -> List[Dict[str, Any]]:
        predictions: List[Dict[str, Any]] = [{"words": [], "tags": [], "entities": []} for _ in sentences]
        present = [position for position, sentence in enumerate(sentences) if sentence["words"]]
        sizes = [sentence_size(sentences[position]["words"]) for position in present]
        for batch in token_batches(sizes, self._batch_tokens):
            positions = [present[place] for place in batch]
            results = self._predict_batch([sentences[position] for position in positions])
            for position, prediction in zip(positions, results, strict=True):
                predictions[position] = prediction
        return predictions

    def _predict_batch(self, sentences: Sequence[Dict[str, Any]]) -> List[Dict[str, Any]]:
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
        for sentence, prediction, of_sentence in zip(sentences, predictions, spans, strict=True):
            prediction["entities"] = entities_to_json(zip(of_sentence, probabilities, strict=False), sentence)
        return predictions

    def _probabilities(
        self,
        emissions: NDArray[numpy.float32],
        mask: NDArray[numpy.bool_],
        tags: NDArray[numpy.int64],
        spans: List[List[Tuple[int, int, str]]],
    ) -> List[float]:
        placed = [(row, *span) for row, of_sentence in enumerate(spans) for span in of_sentence]
        if not placed:
            return []
        # BIOUL ends an entity by its own last tag, BIO by what follows not being its I.
        is_bio = self._coding_scheme == "BIO"
        prolongs = [self._tag_ids.get(f"I-{label}", -1) if is_bio else -1 for _, _, _, label in placed]
        places = numpy.array([place[:3] for place in placed])
        return self._chain.entity_probabilities(emissions, mask, tags, places, numpy.array(prolongs)).tolist()


def _session(path: Path, num_threads: Optional[int]) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise ImportError(
            "found no onnxruntime, expected it, which computes exported taggers: pip install onnxruntime"
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = num_threads or 0
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ValueError(f"{path}: found a file that ONNX Runtime cannot load ({error})") from error


def _checked(sentence: Item) -> Dict[str, Any]:
    """Returns the words of a sentence, its text, and where each word is in it."""
    given: Mapping[str, Any] = sentence if isinstance(sentence, Mapping) else {"words": sentence}
    words, space_after = given.get("words"), given.get("space_after")
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) and word for word in words):
        expected = 'a list of words, or {"words": [...]}, none of them empty'
        raise ValueError(f"found the sentence {reprlib.repr(sentence)}, expected {expected}")
    spaces = list(map(type, space_after)) if isinstance(space_after, list) else None
    if space_after is not None and spaces != [bool] * len(words):
        raise ValueError(f"found the space_after {space_after!r}, expected a list of {len(words)}, one bool a word")
    text = running_text(words, space_after)
    return {"words": list(words), "text": text, "offsets": word_offsets(words, text)}
