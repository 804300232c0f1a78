from typing import Any, Dict, List, Tuple

import torch
from allennlp.data import TextFieldTensors, TokenIndexer
from allennlp.data.fields import TextField
from allennlp.nn.util import batch_tensor_dicts

from nerzoo.data.token_indexers import CachedCharactersIndexer

_PAD_WORD_BY_WORD = (TokenIndexer.as_padded_tensor_dict, CachedCharactersIndexer.as_padded_tensor_dict)


class BatchedTextField(TextField):
    """
    A `TextField` whose sentences become tensors a batch at a time. A `TextField` makes one tensor for each sentence and
    indexer, which takes a small tagger as long as a layer of its network.

    `as_tensor` hands on what it is given, and `batch_tensors` returns what those of a `TextField` would. An indexer
    that pads in a way of its own, and not simply each list of one item a word, pads one sentence at a time as there.
    """

    __slots__: List[str] = []

    def as_tensor(self, padding_lengths: Dict[str, int]) -> Tuple["BatchedTextField", Dict[str, int]]:
        return self, padding_lengths

    def batch_tensors(self, tensor_list: List[Tuple["BatchedTextField", Dict[str, int]]]) -> TextFieldTensors:
        lengths: Dict[str, Dict[str, int]] = {name: {} for name in self.token_indexers}
        for key, length in tensor_list[0][1].items():
            name, key = key.split("___")
            lengths[name][key] = length
        return {
            name: _pad(indexer, [field._indexed_tokens[name] for field, _ in tensor_list], lengths[name])
            for name, indexer in self.token_indexers.items()
        }


def _pad(
    indexer: TokenIndexer, sentences: List[Dict[str, List[Any]]], lengths: Dict[str, int]
) -> Dict[str, torch.Tensor]:
    if type(indexer).as_padded_tensor_dict not in _PAD_WORD_BY_WORD:
        return batch_tensor_dicts([indexer.as_padded_tensor_dict(sentence, lengths) for sentence in sentences])
    # All sentences as one, with their padding between them: 0 for integers, no bytes for bytes.
    joined = {}
    for key in sentences[0]:
        words = [word for sentence in sentences for word in sentence[key][:1]]
        padding = [type(words[0])() if words else 0] * lengths[key]
        joined[key] = [word for sentence in sentences for word in (sentence[key] + padding)[: lengths[key]]]
    joined_lengths = lengths | {key: len(words) for key, words in joined.items()}
    tensors = indexer.as_padded_tensor_dict(joined, joined_lengths)
    return {key: tensor.unflatten(0, (len(sentences), lengths[key])) for key, tensor in tensors.items()}
