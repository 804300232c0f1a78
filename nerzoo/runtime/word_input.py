import hashlib
import json
from io import BufferedReader
from os import PathLike
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Sequence, Tuple, Union

import numpy
from numpy.typing import NDArray

from nerzoo.text.token_batches import BATCH_PIECES, token_batches
from nerzoo.text.trees import tree_levels
from nerzoo.text.word_forms import has_capital, hashed_characters, lexical_form, with_zeros

SETTINGS = "settings.json"
EMISSIONS = "emissions.onnx"
ENCODER = "encoder.onnx"
TRANSITIONS = "transitions.npy"
TOKENIZER = "tokenizer.json"
CHECKSUMS = "checksums.sha256"
FORMAT = 4
"""The version of the format. It grows with each change that makes other releases misread a folder."""

_EXPECTED = "a folder that `nerzoo export-onnx` has made"


class ModelFolder:
    """
    The folder of an exported tagger: `settings.json`, the tags and the settings of inputs; `emissions.onnx`;
    `transitions.npy`; vocabularies, tokenizers, graphs of transformers and tables of vectors, named after the inputs of
    the graph; and `checksums.sha256` of all these files, for `sha256sum --check`, too. Raises `ValueError` where it has
    another format or is damaged.
    """

    def __init__(self, path: Union[str, PathLike]) -> None:
        self.path = Path(path)
        settings = self.read_json(SETTINGS)
        found = settings.get("format") if isinstance(settings, dict) else None
        if found != FORMAT:
            expected = f"expected {FORMAT}, which this release of nerzoo reads; export the model again"
            raise ValueError(f"{self.path / SETTINGS}: found the format {found!r}, {expected}")
        self.settings: Dict[str, Any] = settings
        with self._open(CHECKSUMS) as file:
            lines = file.read().decode(errors="replace").splitlines()
        for line in lines:
            checksum, _, name = line.partition("  ")
            with self._open(name) as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
            if found != checksum:
                raise ValueError(f"{self.path / name}: found another content than was exported, see {CHECKSUMS}")

    def read_json(self, name: str) -> Any:
        """Returns the value in a JSON file of the folder. Raises `ValueError` where there is none."""
        with self._open(name) as file:
            try:
                return json.load(file)
            except ValueError as error:
                raise ValueError(f"{self.path / name}: found no JSON ({error}), expected {_EXPECTED}") from error

    def _open(self, name: str) -> BufferedReader:
        try:
            return open(self.path / name, "rb")
        except OSError as error:
            found = f"no file that can be read ({error.strerror})"
            raise ValueError(f"{self.path / name}: found {found}, expected {_EXPECTED}") from error


class WordInput:
    """
    An input of the graph, computed from words. Its settings are `name`; `type`: vectors of `"words"` or
    `"lexical_features"`, or indices of `"characters"` or `"hashed_characters"`; `zero_digits`, whether digits are read
    as 0; for words, `lowercase`; for words and characters, `unknown`, the index of those that are not in the
    vocabulary; for words, `unknown_capitalized`, another index for unknown words with a capital letter, or `None`; for
    characters, `min_length`, to which words are padded, and `max_length`, or `None`.
    """

    def __init__(self, folder: ModelFolder, settings: Dict[str, Any]) -> None:
        self.name: str = settings["name"]
        self._settings = settings
        vocabulary: List[str] = folder.read_json(f"{self.name}.vocabulary.json") if "unknown" in settings else []
        self._known = dict(zip(vocabulary, range(len(vocabulary)), strict=True))
        self._is_characters = settings["type"].endswith("characters")
        self._table = None if self._is_characters else _Table(folder, self.name)

    def __call__(self, words: Sequence[str]) -> NDArray:
        """Turns N words into vectors (N, D), or indices (N, C), 0 at padding. Raises `ValueError` for a long word."""
        if self._settings["zero_digits"]:
            words = list(map(with_zeros, words))
        if self._table is not None:
            return self._table(list(map(self._index, words)))
        return self._padded(words)

    def _index(self, word: str) -> int:
        if self._settings["type"] == "lexical_features":
            return lexical_form(word)
        if self._settings["lowercase"]:
            word = word.lower()
        capitalized = self._settings["unknown_capitalized"]
        unknown = capitalized if capitalized is not None and has_capital(word) else self._settings["unknown"]
        return self._known.get(word, unknown)

    def _padded(self, words: Sequence[str]) -> NDArray[numpy.int64]:
        lengths = numpy.array(list(map(len, words)))
        longest = lengths.max()
        limit = self._settings["max_length"]
        if limit is not None and longest > limit:
            raise ValueError(f"found a word of {longest} characters, expected {limit} at most")
        if self._settings["type"] == "hashed_characters":
            indices = [index for word in words for index in hashed_characters(word)]
        else:
            known, unknown = self._known, self._settings["unknown"]
            indices = [known.get(character, unknown) for word in words for character in word]
        padded = numpy.zeros((len(words), max(longest, self._settings["min_length"])), numpy.int64)
        padded[numpy.arange(padded.shape[1]) < lengths[:, numpy.newaxis]] = indices
        return padded


class LabelInput:
    """
    An input of the graph, computed from labels that words are given with. Its settings are `name`; `type`, `"labels"`;
    `annotation`, `"pos"` or `"dep_labels"`; and `unknown`, the index of labels that are not in the vocabulary.
    """

    def __init__(self, folder: ModelFolder, settings: Dict[str, Any]) -> None:
        self.name: str = settings["name"]
        self.annotation: str = settings["annotation"]
        vocabulary: List[str] = folder.read_json(f"{self.name}.vocabulary.json")
        self._known = dict(zip(vocabulary, range(len(vocabulary)), strict=True))
        self._unknown: int = settings["unknown"]

    def __call__(self, texts: Sequence[Sequence[str]]) -> NDArray[numpy.int64]:
        """Turns the labels of the words of B texts into indices (B, T), 0 at padding."""
        return _padded([[self._known.get(label, self._unknown) for label in labels] for labels in texts])


TREES = "trees"
"""The name of the inputs of the graph for dependency trees."""


def tree_inputs(texts: Sequence[Sequence[int]]) -> Dict[str, NDArray[numpy.int64]]:
    """
    Returns the inputs of the graph for the trees of B texts, given the head of each word, by their names: `heads`,
    shape (B, T), -1 at padding; and the parts of `nerzoo.text.trees.TreeLevels`. Raises `ValueError` where heads form a
    cycle or lie outside their text.
    """
    heads = _padded(texts, -1)
    length = numpy.array(list(map(len, texts)))[:, numpy.newaxis]
    levels = tree_levels(heads, numpy.arange(heads.shape[1]) < length)
    return {f"{TREES}.{part}": array for part, array in {"heads": heads, **levels._asdict()}.items()}


Encode = Callable[[NDArray[numpy.int64]], NDArray[numpy.float32]]
"""A function of the pieces of windows, (R, W), -1 at padding, which returns their states, (R, W, D)."""


class Pieces(NamedTuple):
    """The pieces of the words of a text, without special ones, and the number of them of each word, (T,)."""

    ids: List[int]
    counts: NDArray[numpy.int64]


class PieceInput:
    """
    The inputs of the graph for a transformer, computed from texts. Its settings are `name`; `type`, `"pieces"`;
    `zero_digits`, whether digits are read as 0; and those of `encoded`, as is `encode`. The folder has its tokenizer.
    Raises `ImportError` where the package `tokenizers` is missing, `ValueError` where the tokenizer cannot be read.
    """

    def __init__(self, folder: ModelFolder, settings: Dict[str, Any], encode: Encode) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            expected = "it, which splits the words of a transformer: pip install nerzoo[tokenizers]"
            raise ImportError(f"found no tokenizers, expected {expected}") from error
        self._settings = settings
        self._encode = encode
        path = folder.path / f"{settings['name']}.{TOKENIZER}"
        try:
            self._tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:
            raise ValueError(f"{path}: found no tokenizer ({error}), expected {_EXPECTED}") from error

    def split(self, words: Sequence[str]) -> Pieces:
        """Splits the words of a text into pieces."""
        read = list(map(with_zeros, words)) if self._settings["zero_digits"] else list(words)
        try:
            encoding = self._tokenizer.encode(read, is_pretokenized=True, add_special_tokens=False)
        except TypeError:
            # A lone surrogate, which JSON may have and the tokenizer does not read: as U+FFFD.
            read = [word.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for word in read]
            encoding = self._tokenizer.encode(read, is_pretokenized=True, add_special_tokens=False)
        counts = numpy.bincount(numpy.array(encoding.word_ids, numpy.int64), minlength=len(words))
        return Pieces(encoding.ids, counts)

    def __call__(self, texts: Sequence[Sequence[str]]) -> Dict[str, NDArray]:
        """Turns the words of texts into the inputs that `encoded` describes, by their names."""
        return encoded(self._settings, list(map(self.split, texts)), self._encode)


def encoded(settings: Mapping[str, Any], texts: Sequence[Pieces], encode: Encode) -> Dict[str, NDArray]:
    """
    Lays windows over the pieces of B texts, and encodes windows of similar lengths together. The settings are `name`;
    `window`, the most pieces that a window has, with the special ones; and the special pieces before and after the
    others, `prefix` and `suffix`. Returns, by the name and a suffix, the inputs of the graph:

    - `.states`, shape (P, D): the states of the pieces of all windows, with padding;
    - `.rows`, shape (B, N): of each piece of a text its row among the states;
    - `.words`, shape (B, N): its word;
    - `.counts`, shape (B, T): the number of pieces of each word.
    """
    prefix, suffix = settings["prefix"], settings["suffix"]
    size = settings["window"] - len(prefix) - len(suffix)
    windows: List[List[int]] = []
    read = []
    for ids, counts in texts:
        starts, chosen, places = _overlapping_windows(counts, size)
        read.append((len(windows) + chosen, len(prefix) + places))
        windows += [[*prefix, *ids[start : start + size], *suffix] for start in starts.tolist()]
    # shape: (R,), the row of the first piece of each window
    firsts = numpy.zeros(len(windows), numpy.int64)
    states: List[NDArray[numpy.float32]] = []
    end = 0
    for batch in token_batches(list(map(len, windows)), BATCH_PIECES):
        pieces = _padded([windows[number] for number in batch], -1)
        firsts[batch] = end + numpy.arange(len(batch)) * pieces.shape[1]
        end += pieces.size
        states += [*encode(pieces)]
    arrays: Dict[str, NDArray] = {
        "states": numpy.concatenate(states),
        "rows": _padded([firsts[chosen] + places for chosen, places in read]),
        "words": _padded([numpy.arange(len(text.counts)).repeat(text.counts) for text in texts]),
        "counts": _padded([text.counts for text in texts]),
    }
    return {f"{settings['name']}.{part}": array for part, array in arrays.items()}


def _overlapping_windows(counts: NDArray[numpy.int64], size: int) -> Tuple[NDArray, NDArray, NDArray]:
    """
    Lays windows of up to `size` pieces over one text, as `nerzoo.nn.windows.overlapping_windows` does. Returns the
    first piece of each window; and of each of the N pieces the window (N,) and the place in it (N,).
    """
    length, stride = int(counts.sum()), (size + 1) // 2
    starts = numpy.arange(max(length - size + stride - 1, 0) // stride + 1) * stride
    starts = numpy.minimum(starts, max(length - size, 0))
    positions = numpy.arange(length)
    count, last = counts.repeat(counts), (counts.cumsum() - 1).repeat(counts)
    # Twice the middle of each piece's word, and twice the middle between the middles of neighbouring windows.
    middles = numpy.where(count <= size - stride, 2 * last + 1 - count, 2 * positions)
    chosen = numpy.searchsorted(starts[1:] + starts[:-1] + size - 1, middles)
    return starts, chosen, positions - starts[chosen]


def _padded(rows: Sequence[Any], value: int = 0) -> NDArray[numpy.int64]:
    """Returns the rows as one array, which has a column at least."""
    padded = numpy.full((len(rows), max(1, *map(len, rows))), value, numpy.int64)
    for target, row in zip(padded, rows, strict=True):
        target[: len(row)] = row
    return padded


class _Table:
    """
    Vectors by their indices, in files that are mapped into memory. If some were trained, `words` has the indices of
    those of each row of the table of trained vectors but the first, and the other table is in half precision, or in 8
    bits, or two numbers a byte in 4, with a scale for each vector.
    """

    def __init__(self, folder: ModelFolder, name: str) -> None:
        self._vectors = numpy.load(folder.path / f"{name}.npy", mmap_mode="r")
        paths = [folder.path / f"{name}.{kind}.npy" for kind in ("scales", "trained", "words")]
        self._scales, self._trained, words = (
            numpy.load(path, mmap_mode="r") if path.exists() else None for path in paths
        )
        self._rows = numpy.zeros(len(self._vectors), numpy.int64)
        if words is not None:
            self._rows[words] = numpy.arange(1, len(words) + 1)

    def __call__(self, indices: List[int]) -> NDArray[numpy.float32]:
        vectors = self._vectors[indices]
        if vectors.dtype == numpy.uint8:
            vectors = numpy.stack([vectors & 15, vectors >> 4], -1).reshape(len(vectors), -1).astype(numpy.int8) - 8
        vectors = vectors.astype(numpy.float32)
        if self._scales is not None:
            vectors *= self._scales[indices].astype(numpy.float32)
        if self._trained is not None:
            rows = self._rows[indices]
            vectors[rows > 0] = self._trained[rows[rows > 0]]
        return vectors
