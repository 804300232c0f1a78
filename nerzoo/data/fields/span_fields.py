from typing import Any, Dict, List, Sequence, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.data.fields import Field
from allennlp.nn.util import batch_tensor_dicts

from nerzoo.text.annotation import Entity
from nerzoo.text.tag_schemes import check_fit, layer


class SpanField(Field[Dict[str, torch.Tensor]]):
    """
    A field of the labels of all spans of up to n tokens of a sentence of T tokens: the type of an entity, or none.

    It has two tensors: `labels`, shape (T, n), with the label of each span at [start, length - 1], 0 if the span is no
    entity, else 1 + the index of the entity's type in the vocabulary; and `inside`, shape (T,), True for tokens in any
    entity, even in one of more than n tokens.

    Of several entities with the same span the first gives the label. The vocabulary counts all entities.

    # Parameters

    entities : `Sequence[Entity]`
        Possibly nested.
    length : `int`
        T.
    max_length : `int`
        n.
    label_namespace : `str`, optional (default = `"labels"`)
        The namespace of the types of entities, which holds nothing else.
    location : `str`, optional (default = `"the sentence"`)
        The location of the sentence, for error messages.

    # Raises

    `ValueError` where an entity does not fit into the sentence.
    """

    __slots__ = ["entities", "_length", "_max_length", "_label_namespace", "_location", "_labelled"]

    def __init__(
        self,
        entities: Sequence[Entity],
        length: int,
        max_length: int,
        label_namespace: str = "labels",
        location: str = "the sentence",
    ) -> None:
        for entity in entities:
            check_fit(entity, length)
        self.entities = entities
        self._length = length
        self._max_length = max_length
        self._label_namespace = label_namespace
        self._location = location
        self._labelled: List[Tuple[int, int, int]] = []

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for entity in self.entities:
            counter[self._label_namespace][entity.label] += 1

    def index(self, vocab: Vocabulary) -> None:
        """Raises `ConfigurationError` where the type of an entity is not in the vocabulary."""
        known = vocab.get_token_to_index_vocabulary(self._label_namespace)
        labels: Dict[Tuple[int, int], int] = {}
        for start, end, label in self.entities:
            if label not in known:
                raise ConfigurationError(
                    f"{self._location}: found an entity of type '{label}', which the model was not trained on; "
                    f"expected one of {', '.join(known)}"
                )
            labels.setdefault((start, end), 1 + known[label])
        self._labelled = [
            (start, end - start - 1, label) for (start, end), label in labels.items() if end - start <= self._max_length
        ]

    def get_padding_lengths(self) -> Dict[str, int]:
        return {"num_tokens": self._length}

    def as_tensor(self, padding_lengths: Dict[str, int]) -> Dict[str, torch.Tensor]:
        num_tokens = padding_lengths["num_tokens"]
        labels = torch.zeros(num_tokens, self._max_length, dtype=torch.long)
        if self._labelled:
            starts, columns, ids = torch.tensor(self._labelled).unbind(1)
            labels[starts, columns] = ids
        inside = torch.zeros(num_tokens, dtype=torch.bool)
        for entity in self.entities:
            inside[entity.start : entity.end] = True
        return {"labels": labels, "inside": inside}

    def batch_tensors(self, tensor_list: List[Dict[str, torch.Tensor]]) -> Dict[str, torch.Tensor]:
        return batch_tensor_dicts(tensor_list)

    def __len__(self) -> int:
        return self._length


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
