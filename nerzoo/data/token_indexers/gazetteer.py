import logging
from collections import defaultdict
from typing import Dict, List, Set

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import pad_sequence_to_length
from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers.token_indexer import IndexedTokenList
from allennlp.data.tokenizers import Token

from nerzoo.data.token_indexers.characters import Tensors
from nerzoo.errors import format_error
from nerzoo.formats.lines import AnyPath, read_lines

logger = logging.getLogger(__name__)

GAZETTEER_NAMESPACE = "gazetteer_labels"
"""The namespace of the types of a gazetteer in the vocabulary."""

_MOST_TYPES = 62


@TokenIndexer.register("gazetteer")
class GazetteerIndexer(TokenIndexer):
    """
    Looks up the spans of a sentence, case-sensitively, in a gazetteer like that of CoNLL-2003: a file with a line `TYPE
    phrase` for each phrase, its words separated by spaces. A phrase may have several types.

    Each word has n integers, one for each span of 1 ... n words that starts with it: 1, unlike padding, plus the sum of
    2^j over the indices j of the span's types in the vocabulary. Raises `ConfigurationError` where a line has no
    phrase, or the file has no phrase or more than 62 types.

    # Parameters

    path : `AnyPath`
        A local path or a URL; the file may be gzipped. A trained model reads it again.
    max_length : `int`, optional (default = `7`)
        n, the number of words of the longest spans. Longer phrases are counted and logged.
    token_min_padding_length : `int`, optional (default = `0`)
        As in AllenNLP's `TokenIndexer`.
    """

    def __init__(self, path: AnyPath, max_length: int = 7, token_min_padding_length: int = 0) -> None:
        super().__init__(token_min_padding_length)
        self._max_length = max_length
        phrase_types: Dict[str, Set[str]] = defaultdict(set)
        long_phrases = 0
        for line in read_lines(path):
            if line.is_blank:
                continue
            type_, *words = line.text.split()
            if not words:
                raise format_error(line, f"{line.text!r}", "a type and a phrase")
            phrase_types[" ".join(words)].add(type_)
            long_phrases += len(words) > max_length
        self._types = sorted(set().union(*phrase_types.values()))
        if not 0 < len(self._types) <= _MOST_TYPES:
            raise format_error(path, f"{len(self._types)} types of phrases", f"a gazetteer of 1 to {_MOST_TYPES}")
        self._phrase_types = dict(phrase_types)
        if long_phrases:
            logger.info("%s: %d phrases have more than %d words and match no span", path, long_phrases, max_length)

    def count_vocab_items(self, token: Token, counter: Dict[str, Dict[str, int]]) -> None:
        """Counts all types, so that types without a match in the training data are in the vocabulary, too."""
        for type_ in self._types:
            counter[GAZETTEER_NAMESPACE][type_] += 1

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        """Raises `ConfigurationError` where the vocabulary does not have a type of the gazetteer."""
        known = vocabulary.get_token_to_index_vocabulary(GAZETTEER_NAMESPACE)
        if not known.keys() >= set(self._types):
            expected = f"those that the vocabulary was made with: {', '.join(known)}"
            raise ConfigurationError(f"found a gazetteer of the types {', '.join(self._types)}, expected {expected}")
        words = [token.ensure_text() for token in tokens]
        matches = [[1] * self._max_length for _ in words]
        for start, word_matches in enumerate(matches):
            for length in range(1, min(self._max_length, len(words) - start) + 1):
                for type_ in self._phrase_types.get(" ".join(words[start : start + length]), ()):
                    word_matches[length - 1] += 1 << known[type_]
        return {"matches": matches}

    def get_empty_token_list(self) -> IndexedTokenList:
        return {"matches": []}

    def as_padded_tensor_dict(self, tokens: IndexedTokenList, padding_lengths: Dict[str, int]) -> Tensors:
        padding = [0] * self._max_length
        padded = pad_sequence_to_length(tokens["matches"], padding_lengths["matches"], default_value=lambda: padding)
        return {"matches": torch.tensor(padded, dtype=torch.long).view(-1, self._max_length)}
