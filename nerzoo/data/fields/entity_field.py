from typing import Any, Dict, List, Sequence

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.data.fields import Field

from nerzoo.data.tag_schemes import check_fit, layer


class EntityField(Field[torch.Tensor]):
    """
    A field of the outermost entities of a sentence of T tokens.

    Its tensor has shape (T,): 1 + the index of the entity's type in the vocabulary at the first token of an entity, -1
    at its other tokens, 0 outside. The field adds nothing to the vocabulary, since a model may have predicted the
    entities.

    # Parameters

    entities : `Sequence[Any]`
        `Entity` or `ScoredEntity` tuples, possibly nested.
    length : `int`
        T.
    label_namespace : `str`, optional (default = `"labels"`)
        The namespace of the types of entities.
    location : `str`, optional (default = `"the first pass"`)
        The location of the entities, for error messages.

    # Raises

    `ValueError` where an entity does not fit into the sentence.
    """

    __slots__ = ["entities", "_length", "_label_namespace", "_location", "_type_ids"]

    def __init__(
        self,
        entities: Sequence[Any],
        length: int,
        label_namespace: str = "labels",
        location: str = "the first pass",
    ) -> None:
        for entity in entities:
            check_fit(entity, length)
        self.entities = layer(entities, "outermost")
        self._length = length
        self._label_namespace = label_namespace
        self._location = location
        self._type_ids: List[int] = []

    def index(self, vocab: Vocabulary) -> None:
        """Raises `ConfigurationError` where the type of an entity is not in the vocabulary."""
        known = vocab.get_token_to_index_vocabulary(self._label_namespace)
        for entity in self.entities:
            if entity.label not in known:
                raise ConfigurationError(
                    f"{self._location}: found an entity of type '{entity.label}', which the model does not know; "
                    f"expected one of {', '.join(known)}"
                )
        self._type_ids = [known[entity.label] for entity in self.entities]

    def get_padding_lengths(self) -> Dict[str, int]:
        return {"num_tokens": self._length}

    def as_tensor(self, padding_lengths: Dict[str, int]) -> torch.Tensor:
        tensor = torch.zeros(padding_lengths["num_tokens"], dtype=torch.long)
        for entity, type_id in zip(self.entities, self._type_ids, strict=True):
            tensor[entity.start : entity.end] = -1
            tensor[entity.start] = 1 + type_id
        return tensor

    def __len__(self) -> int:
        return self._length
