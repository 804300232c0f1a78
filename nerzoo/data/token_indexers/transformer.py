from os import PathLike
from pathlib import Path
from typing import Dict, List, Optional, Union

import numpy
from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers.token_indexer import IndexedTokenList
from allennlp.data.tokenizers import Token

from nerzoo import archives
from nerzoo.archives.transformers import load_packed, load_transformer, pack, packed_name
from nerzoo.data.token_indexers.characters import Tensors
from nerzoo.errors import format_error


@TokenIndexer.register("transformer")
class TransformerIndexer(TokenIndexer):
    """
    Splits words into the pieces of a transformer, for the embedder `transformer`, by its fast tokenizer. Nothing is cut
    off, however long the text is.

    The tensors of a batch are `pieces`, shape (B, N), without special pieces, `counts`, shape (B, T), the number of
    pieces of each word, which may be 0, and `mask`, shape (B, T).

    A training packs the tokenizer and the configuration of the transformer into its folder, from where they go into the
    model's archive. An archive that has them needs nothing else. Raises `ConfigurationError` where the transformer
    cannot be read, its tokenizer is not fast, or the training has packed another one.

    # Parameters

    model_name : `str`
        The folder of a transformer, or the name of one of the hub, which is downloaded.
    archive : `str`, optional
        An archive that has the transformer `model_name`, which is read from there.
    token_min_padding_length : `int`, optional (default = `0`)
        As in AllenNLP's `TokenIndexer`.
    serialization_dir : `str`, optional
        The folder of the training or of the unpacked archive, which AllenNLP passes on.
    """

    def __init__(
        self,
        model_name: str,
        archive: Optional[str] = None,
        token_min_padding_length: int = 0,
        serialization_dir: Union[None, str, PathLike] = None,
    ) -> None:
        super().__init__(token_min_padding_length)
        self.model_name = model_name
        folder = None if serialization_dir is None else Path(serialization_dir)
        packed = folder and packed_name(folder)
        if folder and packed == model_name:
            self.transformer = load_packed(folder)
            return
        if archive is None:
            self.transformer = load_transformer(model_name)
        else:
            with archives.unpacked(archive) as source:
                self.transformer = load_packed(source)
        # A folder with a vocabulary has a model; overrides may name another transformer for it.
        if folder and not (folder / "vocabulary").exists():
            if packed is not None:
                raise format_error(model_name, f"a transformer beside another one, {packed}", "one")
            pack(self.transformer, model_name, folder)

    def count_vocab_items(self, token: Token, counter: Dict[str, Dict[str, int]]) -> None:
        """Counts nothing: there is no vocabulary."""

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        pieces, words = self.transformer.pieces([token.ensure_text() for token in tokens])
        counts = numpy.bincount(numpy.array(words, dtype=numpy.int64), minlength=len(tokens))
        return {"pieces": pieces, "counts": counts.tolist(), "mask": [True] * len(tokens)}

    def get_empty_token_list(self) -> IndexedTokenList:
        return {"pieces": [], "counts": [], "mask": []}

    def get_padding_lengths(self, indexed_tokens: IndexedTokenList) -> Dict[str, int]:
        # There may be only words without pieces.
        return {**super().get_padding_lengths(indexed_tokens), "pieces": max(1, len(indexed_tokens["pieces"]))}

    def as_padded_tensor_dict(self, tokens: IndexedTokenList, padding_lengths: Dict[str, int]) -> Tensors:
        tensors = super().as_padded_tensor_dict(tokens, padding_lengths)
        return {**tensors, "mask": tensors["mask"].bool()}
