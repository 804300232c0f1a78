from typing import List, Sequence

from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.data.fields import SequenceField, SequenceLabelField


class TagField(SequenceLabelField):
    """
    A `SequenceLabelField` that says which sentence holds a tag that training did not see.

    # Parameters

    tags : `List[str]`
        One for each element of `sequence_field`.
    sequence_field : `SequenceField`
    where : `Sequence[str]`
        What the error message calls the sentence of each tag.
    label_namespace : `str`, optional (default = `"labels"`)
    """

    __slots__ = ["_where"]

    def __init__(
        self,
        tags: List[str],
        sequence_field: SequenceField,
        where: Sequence[str],
        label_namespace: str = "labels",
    ) -> None:
        super().__init__(tags, sequence_field, label_namespace)
        self._where = where

    def index(self, vocab: Vocabulary) -> None:
        """Raises `ConfigurationError` where a tag is not in the vocabulary."""
        known = vocab.get_token_to_index_vocabulary(self._label_namespace)
        for where, tag in zip(self._where, self.labels, strict=True):
            if tag not in known:
                raise ConfigurationError(
                    f"{where}: found the tag '{tag}', which the model was not trained on; "
                    f"expected one of {', '.join(known)}"
                )
        super().index(vocab)
