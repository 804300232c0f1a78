from typing import Dict, List, Optional

from allennlp.data import TextFieldTensors, Token, TokenIndexer
from allennlp.data.fields import MetadataField, TextField


class OpaqueMetadataField(MetadataField):
    """
    A `MetadataField` whose "tensor" is the field itself, which is read like the dictionary that it holds.

    AllenNLP's `move_to_device` searches dictionaries for tensors, word by word, which takes a tenth of the time of a
    small tagger; it does not search fields.
    """

    __slots__ = []

    def as_tensor(self, padding_lengths: Dict[str, int]) -> "OpaqueMetadataField":
        return self


class WordsField(TextField):
    """
    A `TextField` whose token indexers may process a whole batch, on the CPU: if an indexer has a method
    `batch_tensors`, it receives the stacked tensors of all sentences, and the batch holds its result.

    # Parameters

    tokens : `List[Token]`
    token_indexers : `Dict[str, TokenIndexer]`, optional
    first_counted : `int`, optional (default = `0`)
        The position of the first word that the vocabulary counts: those before it are words of another field, too, and
        counted there. The length of the field: it counts none.
    """

    __slots__: List[str] = ["first_counted"]

    def __init__(
        self,
        tokens: List[Token],
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        first_counted: int = 0,
    ) -> None:
        super().__init__(tokens, token_indexers)
        self.first_counted = first_counted

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for indexer in self.token_indexers.values():
            for token in self.tokens[self.first_counted :]:
                indexer.count_vocab_items(token, counter)

    def __str__(self) -> str:
        # AllenNLP's, which breaks lines with care, takes a tenth of what `allennlp predict` does, and it is not shown.
        return f"{len(self.tokens)} words: {' '.join(token.text or '' for token in self.tokens)}"

    def batch_tensors(self, tensor_list: List[TextFieldTensors]) -> Dict[str, Dict]:
        batch = super().batch_tensors(tensor_list)
        for name, indexer in self.token_indexers.items():
            if hasattr(indexer, "batch_tensors"):
                batch[name] = indexer.batch_tensors(batch[name])
        return batch
