from typing import List, Optional

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
    label_namespace : `str`, optional (default = `"labels"`)
    sentence_id : `str`, optional
        What the error message calls the sentence.
    """

    __slots__ = ["_sentence_id"]

    def __init__(
        self,
        tags: List[str],
        sequence_field: SequenceField,
        label_namespace: str = "labels",
        sentence_id: Optional[str] = None,
    ) -> None:
        super().__init__(tags, sequence_field, label_namespace)
        self._sentence_id = sentence_id

    def index(self, vocab: Vocabulary) -> None:
        """Raises `ConfigurationError` where a tag is not in the vocabulary."""
        known = vocab.get_token_to_index_vocabulary(self._label_namespace)
        for tag in self.labels:
            if tag not in known:
                raise ConfigurationError(
                    f"sentence {self._sentence_id}: found the tag '{tag}', which the model was not trained on; "
                    f"expected one of {', '.join(known)}"
                )
        super().index(vocab)
