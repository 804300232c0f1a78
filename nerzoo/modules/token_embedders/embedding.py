from os import PathLike
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple, Union

import numpy
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules import TokenEmbedder
from allennlp.modules.token_embedders import embedding
from numpy.typing import NDArray
from torch.nn import functional

from nerzoo.allennlp_private import padding_token, set_pretrained_file, token_counts, unknown_index, unknown_token
from nerzoo.archives.quantization import packed_in_4_bits, quantized, unpacked_4_bits
from nerzoo.data.vocabulary import reading_word_vectors
from nerzoo.errors import check_choice, format_error
from nerzoo.formats.lines import Line
from nerzoo.formats.word_vectors import parsed_lines, read_table, vector_lines


# AllenNLP's own (modules/token_embedders/embedding.py, _read_pretrained_file) raises errors of NumPy, gzip or h5py that
# do not name the file, and parses it each time.
@TokenEmbedder.register("embedding", exist_ok=True)
class Embedding(embedding.Embedding):
    """
    AllenNLP's embedding, which reads a file of word vectors from its table if there is one: see
    `nerzoo.formats.word_vectors`. A file that cannot be read raises `ConfigurationError`.
    """

    def __init__(self, embedding_dim: int, pretrained_file: Optional[str] = None, **kwargs: Any) -> None:
        if pretrained_file is None:
            super().__init__(embedding_dim, **kwargs)
            return
        vocab, namespace = kwargs.get("vocab"), kwargs.get("vocab_namespace", "tokens")
        weight = None
        if vocab is not None and kwargs.get("weight") is None:
            weight = _weight_in_table(pretrained_file, embedding_dim, vocab, namespace)
        if weight is not None:
            super().__init__(embedding_dim, **{**kwargs, "weight": weight})
            set_pretrained_file(self, pretrained_file)
            return
        with reading_word_vectors(pretrained_file):
            super().__init__(embedding_dim, pretrained_file=pretrained_file, **kwargs)


def _weight_in_table(path: str, size: int, vocab: Vocabulary, namespace: str) -> Optional[torch.Tensor]:
    """
    Returns the weight (V, `size`) that AllenNLP's `_read_embeddings_from_text_file` returns, to the last bit: the last
    vector of each word of the vocabulary that the file has, random ones for the others. `None` where there is no table,
    or the text has an error or none of the words.
    """
    table = read_table(path)
    known = vocab.get_token_to_index_vocabulary(namespace)
    if table is None or table.vectors.shape[1] != size:
        return None
    found = [(word, row) for row, word in enumerate(table.words) if word in known]
    if not found or numpy.isnan(table.vectors[[row for _, row in found], 0]).any():
        return None
    # The place of a repeated word is that of its first vector.
    rows = dict(found)
    vectors = table.vectors[[*rows.values()]]
    weight = torch.empty(vocab.get_vocab_size(namespace), size)
    weight.normal_(float(numpy.mean(vectors)), float(numpy.std(vectors)))
    weight[torch.tensor([known[word] for word in rows])] = torch.from_numpy(vectors)
    return weight


@TokenEmbedder.register("fixed_embedding")
class FixedEmbedding(TokenEmbedder):
    """
    Fixed word vectors from a file, and a trained vector for each word of the vocabulary that the file does not have,
    such as the unknown word.

    Only words of the vocabulary have a vector at prediction: with `pretrained_files` and
    `min_pretrained_embeddings: -1` it holds all words of the file beside those of the training data. They do not slow
    training down, since only looked-up vectors are touched and only trained ones have gradients.

    The fixed vectors are kept in half precision, two bytes a number with a relative error of at most 2^-11, in memory
    and in archives: 68 MB for 341,479 vectors of 100 numbers. With `bits` of 8 they have half that size: whole numbers
    from -127 to 127 and a scale for each vector, with an error of at most 1/254 of the vector's largest number. With 4
    it is a quarter, numbers from -7 to 7, and an error of at most 1/14.

    # Parameters

    embedding_dim : `int`
        D, the size of the vectors.
    vocab_namespace : `str`, optional (default = `"tokens"`)
        The namespace of the words.
    pretrained_file : `Union[str, PathLike]`, optional
        The file: a word and its D numbers a line, separated by single spaces, plain or gzipped, a local path or a URL;
        a first line with the number of vectors and their size, as word2vec writes it, is skipped. The first vector of a
        repeated word counts, in AllenNLP's `embedding` the last. AllenNLP removes the option from the configuration of
        a trained model, whose weights have the vectors.
    unknown_rate : `float`, optional (default = `0.0`)
        The share of words that training replaces by the unknown word, so that the model learns to go by characters and
        context. At least 0, below 1.
    bits : `int`, optional (default = `16`)
        The size of a number of the fixed vectors: 16, 8 or 4. With 4, `embedding_dim` is even.

    # Raises

    `ConfigurationError`, naming file and line, where a line does not hold D numbers; where the file has no word of the
    data that the vocabulary was made from; and for an odd D in 4 bits.
    """

    resized_parameters = ("trained",)

    fixed: torch.Tensor
    scales: torch.Tensor
    rows: torch.Tensor

    def __init__(
        self,
        embedding_dim: int,
        vocab: Vocabulary,
        vocab_namespace: str = "tokens",
        pretrained_file: Optional[Union[str, PathLike]] = None,
        unknown_rate: float = 0.0,
        bits: int = 16,
    ) -> None:
        super().__init__()
        check_choice("bits", bits, (4, 8, 16))
        if bits == 4 and embedding_dim % 2:
            raise ConfigurationError(f"found an embedding_dim of {embedding_dim} in 4 bits, expected an even one")
        if not 0 <= unknown_rate < 1:
            raise ConfigurationError(f"found the unknown_rate {unknown_rate}, expected a number from 0 to below 1")
        self._unknown_rate = unknown_rate
        self._unknown = unknown_index(vocab, vocab_namespace)
        self.embedding_dim = embedding_dim
        num_words = vocab.get_vocab_size(vocab_namespace)
        fixed = torch.zeros(num_words, embedding_dim, dtype=torch.half if bits == 16 else torch.float)
        # Padding, index 0, has the fixed vector zero.
        is_fixed = torch.arange(num_words) == 0
        scale = 1.0
        if pretrained_file is not None:
            indices, vectors = _read_vectors(pretrained_file, embedding_dim, vocab, vocab_namespace)
            fixed[indices], is_fixed[indices] = vectors.to(fixed.dtype), True
            scale = float(vectors.std())
        # Row 0 of the trained vectors belongs to no word.
        rows = torch.where(is_fixed, 0, (~is_fixed).cumsum(0))
        if bits < 16:
            fixed, scales = quantized(fixed) if bits == 8 else packed_in_4_bits(fixed)
            self.register_buffer("scales", scales)
        self.register_buffer("fixed", fixed)
        self.register_buffer("rows", rows)
        self.trained = _trained_vectors(scale * torch.randn(int(rows.max()) + 1, embedding_dim))

    def get_output_dim(self) -> int:
        return self.embedding_dim

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Maps indices of words (..., T) to vectors (..., T, D), zero at padding."""
        if self.training and self._unknown_rate:
            is_replaced = torch.rand(tokens.shape, device=tokens.device) < self._unknown_rate
            tokens = tokens.masked_fill(is_replaced & (tokens != 0), self._unknown)
        rows = functional.embedding(tokens, self.rows.unsqueeze(1)).squeeze(-1)
        trained = functional.embedding(rows, self.trained)
        found = functional.embedding(tokens, self.fixed)
        fixed = (unpacked_4_bits(found) if found.dtype == torch.uint8 else found).to(trained.dtype)
        if hasattr(self, "scales"):
            fixed = fixed * functional.embedding(tokens, self.scales).to(trained.dtype)
        return torch.where((rows > 0).unsqueeze(-1), trained, fixed)

    def begin_with(self, weights: Dict[str, torch.Tensor]) -> None:
        """
        Takes the vectors of the first words, fixed and trained, from the weights of another `fixed_embedding` with a
        smaller vocabulary, as `FittingWeights.begin_with` does. Further words have trained vectors. Vectors of another
        size, or with other `bits`, are not taken.
        """
        own = self.state_dict()
        if any(
            name not in weights or (weights[name].dtype, weights[name].shape[1:]) != (tensor.dtype, tensor.shape[1:])
            for name, tensor in own.items()
        ):
            return
        num_known, num_trained = len(weights["rows"]), len(weights["trained"])
        for name in {"fixed", "scales"} & {*own}:
            getattr(self, name)[:num_known] = weights[name]
        self.rows = torch.cat([weights["rows"], num_trained + torch.arange(len(self.rows) - num_known)])
        scale = weights["trained"][1:].std() if num_trained > 2 else torch.tensor(1.0)
        new = scale * torch.randn(len(self.rows) - num_known, self.embedding_dim)
        self.trained = _trained_vectors(torch.cat([weights["trained"], new]))

    def _load_from_state_dict(self, state_dict: Dict[str, Any], prefix: str, *args: Any) -> None:
        # A trained model has no file: only its weights tell the number of trained vectors.
        trained = state_dict.get(f"{prefix}trained")
        if trained is not None and trained.shape != self.trained.shape:
            self.trained = _trained_vectors(self.trained.new_empty(trained.shape))
        super()._load_from_state_dict(state_dict, prefix, *args)


def _trained_vectors(vectors: torch.Tensor) -> torch.nn.Parameter:
    # If the file has all words, even the unknown one, only row 0 is left, and there is nothing to train.
    return torch.nn.Parameter(vectors, requires_grad=len(vectors) > 1)


def _read_vectors(
    path: Union[str, PathLike], size: int, vocab: Vocabulary, namespace: str
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Returns the indices of the words of the vocabulary that the file has, (N,), and their vectors, (N, `size`)."""
    known = vocab.get_token_to_index_vocabulary(namespace)
    indices, vectors = _vectors_in_table(path, size, known) or _vectors_in_text(path, size, known)
    # A vocabulary may hold words of the file that are not in the data. One that was read from files has no counts.
    words = known.keys() & (token_counts(vocab, namespace) or known).keys()
    words -= {padding_token(vocab), unknown_token(vocab)}
    if {known[word] for word in words}.isdisjoint(indices):
        found = f"vectors for none of the {len(words)} words that the vocabulary has of the data"
        raise format_error(path, found, "vectors for at least one, in the same language and the same case")
    return torch.tensor(indices), torch.from_numpy(vectors)


def _vectors_in_table(
    path: Union[str, PathLike], size: int, known: Dict[str, int]
) -> Optional[Tuple[List[int], NDArray[numpy.float32]]]:
    """Returns the same as `_vectors_in_text`, or `None` where there is no table or the text has an error."""
    table = read_table(path)
    if table is None or table.vectors.shape[1] != size:
        return None
    rows: Dict[int, int] = {}
    for row, word in enumerate(table.words):
        if word in known:
            rows.setdefault(known[word], row)
    # A selection is a copy.
    vectors = table.vectors if len(rows) == len(table.words) else table.vectors[numpy.array([*rows.values()], int)]
    return None if numpy.isnan(vectors[:, 0]).any() else ([*rows], vectors)


def _vectors_in_text(
    path: Union[str, PathLike], size: int, known: Dict[str, int]
) -> Tuple[List[int], NDArray[numpy.float32]]:
    """Returns the indices of the known words that the file has, (N,), and the first vector of each, (N, `size`)."""
    indices: List[int] = []
    vectors = [numpy.empty((0, size), dtype=numpy.float32)]
    for lines, numbers in parsed_lines(_known_lines(path, known), size):
        for row in numpy.flatnonzero(numpy.isnan(numbers).all(1)):
            raise format_error(lines[row], f"{lines[row].text[:40]!r}", f"a word and {size} finite numbers")
        indices += (known[line.text.partition(" ")[0]] for line in lines)
        vectors.append(numbers)
    return indices, numpy.concatenate(vectors)


def _known_lines(path: Union[str, PathLike], known: Dict[str, int]) -> Iterator[Line]:
    """Yields the first line of each of the known words that the file has."""
    seen: Set[str] = set()
    for line in vector_lines(path):
        word = line.text.partition(" ")[0]
        if word in known and word not in seen:
            seen.add(word)
            yield line
