from typing import Dict, List, Optional, Sequence

from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.data.fields import SequenceField, SequenceLabelField

from nerzoo.text.tag_schemes import SCHEMES, all_tags

CODING_SCHEMES = "coding_scheme_labels"
"""The namespace of the vocabulary that holds the coding scheme of the tags, and nothing where they have none."""


class TagField(SequenceLabelField):
    """
    A `SequenceLabelField` of tags, whose errors name the sentence that has a tag unseen in training.

    It adds the coding scheme of the tags to the vocabulary, where `coding_scheme_of` finds it: models that decode tags
    need no option for it. It also adds all tags of the types that occur: other data may have longer or shorter entities
    of a type than training data has.

    # Parameters

    tags : `List[str]`
        One tag for each element of `sequence_field`.
    sequence_field : `SequenceField`
    locations : `Sequence[str]`
        The location of each tag's sentence, for error messages.
    coding_scheme : `str`, optional
        One of `nerzoo.text.tag_schemes.SCHEMES`; `None` where tags stand for themselves.
    label_namespace : `str`, optional (default = `"labels"`)
        The namespace of tags.
    """

    __slots__ = ["locations", "coding_scheme"]

    def __init__(
        self,
        tags: List[str],
        sequence_field: SequenceField,
        locations: Sequence[str],
        coding_scheme: Optional[str] = None,
        label_namespace: str = "labels",
    ) -> None:
        super().__init__(tags, sequence_field, label_namespace)
        self.locations = locations
        self.coding_scheme = coding_scheme

    @property
    def label_namespace(self) -> str:
        return self._label_namespace

    @classmethod
    def concatenate(cls, parts: Sequence["TagField"], sequence_field: SequenceField) -> "TagField":
        """
        Concatenates fields.

        # Parameters

        parts : `Sequence[TagField]`
            At least one field, all of the same namespace. Fields that have a coding scheme have the same.
        sequence_field : `SequenceField`
            The elements of all fields.
        """
        schemes = [part.coding_scheme for part in parts if part.coding_scheme is not None]
        return cls(
            [str(tag) for part in parts for tag in part.labels],
            sequence_field,
            [location for part in parts for location in part.locations],
            schemes[0] if schemes else None,
            parts[0].label_namespace,
        )

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        super().count_vocab_items(counter)
        if self.coding_scheme is not None:
            counter[CODING_SCHEMES][self.coding_scheme] += 1
            types = sorted({str(tag).partition("-")[2] for tag in self.labels if tag != "O"})
            for tag in all_tags(types, self.coding_scheme):
                counter[self._label_namespace].setdefault(tag, 1)

    def index(self, vocab: Vocabulary) -> None:
        """Raises `ConfigurationError` where the vocabulary lacks a tag, or is of tags of another coding scheme."""
        if self.coding_scheme is not None and self.coding_scheme not in _coding_schemes(vocab):
            raise ConfigurationError(
                f"{self.locations[0]}: found tags in the coding scheme {self.coding_scheme}, expected the one that the "
                f"model was trained on: {', '.join(_coding_schemes(vocab)) or 'none, its tags stand for themselves'}"
            )
        known = vocab.get_token_to_index_vocabulary(self._label_namespace)
        for location, tag in zip(self.locations, self.labels, strict=True):
            if tag not in known:
                raise ConfigurationError(
                    f"{location}: found the tag '{tag}', which the model was not trained on; "
                    f"expected one of {', '.join(known)}"
                )
        super().index(vocab)


def coding_scheme_of(vocab: Vocabulary) -> Optional[str]:
    """
    Returns the coding scheme of the tags in a vocabulary: one of `nerzoo.text.tag_schemes.SCHEMES`, or `None` where
    tags stand for themselves. Raises `ConfigurationError` where there are tags of several coding schemes.
    """
    schemes = _coding_schemes(vocab)
    if len(schemes) > 1:
        raise ConfigurationError(
            f"found tags in the coding schemes {' and '.join(schemes)}, expected one: dataset_reader and "
            "validation_dataset_reader have the same coding_scheme"
        )
    return schemes[0] if schemes else None


def _coding_schemes(vocab: Vocabulary) -> List[str]:
    # Not the padding and the unknown word that a vocabulary may be configured to have in every namespace.
    return [name for name in vocab.get_token_to_index_vocabulary(CODING_SCHEMES) if name in SCHEMES]
