"""Fields of instances: metadata, words, tags, entities, links of posts, and levels of trees."""

import logging
from itertools import repeat
from typing import Any, Dict, Iterable, List, Optional, Sequence, Set, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors, Token, TokenIndexer, Vocabulary
from allennlp.data.fields import Field, MetadataField, SequenceField, SequenceLabelField, TensorField, TextField
from allennlp.nn.util import batch_tensor_dicts

from nerzoo.archives.exported import CODING_SCHEMES
from nerzoo.data.parsed_labels import check_parsed
from nerzoo.errors import format_error
from nerzoo.nn.trees import tree_levels
from nerzoo.text.annotation import SCHEMES, Entity, all_tags, check_fit, layer

logger = logging.getLogger(__name__)


class OpaqueMetadataField(MetadataField):
    """
    A `MetadataField` whose "tensor" is the field itself, which is read like the dictionary that it holds. AllenNLP's
    `move_to_device` searches dictionaries, not fields, for tensors, which takes a tenth of the time of a small tagger.
    """

    __slots__ = []

    def as_tensor(self, padding_lengths: Dict[str, int]) -> "OpaqueMetadataField":
        return self


class ParsedField(TextField):
    """A `TextField` of words. `parser` is the name of the parser whose labels the model must know, if one has them."""

    __slots__: List[str] = ["parser"]

    def __init__(
        self,
        tokens: List[Token],
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        parser: Optional[str] = None,
    ) -> None:
        super().__init__(tokens, token_indexers)
        self.parser = parser

    def index(self, vocab: Vocabulary) -> None:
        """Raises `ConfigurationError` where the vocabulary lacks a label of the parser."""
        if self.parser is not None:
            check_parsed(self.tokens, self.token_indexers, vocab, self.parser)
        super().index(vocab)


class WordsField(ParsedField):
    """
    A `ParsedField` whose token indexers may process a whole batch, on the CPU: if an indexer has a method
    `batch_tensors`, it receives the stacked tensors of all sentences, and the batch holds its result.

    `first_counted` is the position of the first word that the vocabulary counts. Earlier words are counted in another
    field, or not at all.
    """

    __slots__: List[str] = ["first_counted"]

    def __init__(
        self,
        tokens: List[Token],
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        first_counted: int = 0,
        parser: Optional[str] = None,
    ) -> None:
        super().__init__(tokens, token_indexers, parser)
        self.first_counted = first_counted

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for indexer in self.token_indexers.values():
            for token in self.tokens[self.first_counted :]:
                indexer.count_vocab_items(token, counter)

    def __str__(self) -> str:
        # AllenNLP's method wraps lines, which takes a tenth of the time of `allennlp predict`, and nobody sees them.
        return f"{len(self.tokens)} words: {' '.join(token.text or '' for token in self.tokens)}"

    def batch_tensors(self, tensor_list: List[TextFieldTensors]) -> Dict[str, Dict]:
        batch = super().batch_tensors(tensor_list)
        for name, indexer in self.token_indexers.items():
            if hasattr(indexer, "batch_tensors"):
                batch[name] = indexer.batch_tensors(batch[name])
        return batch


class TagField(SequenceLabelField):
    """
    A `SequenceLabelField` of tags. `coding_scheme` is one of `nerzoo.text.annotation.SCHEMES`, or `None` where tags
    stand for themselves.

    The field adds the coding scheme to the vocabulary, where `vocabulary_coding_scheme` finds it, so that models need
    no option for it. It also adds all tags of the types that occur: other data may have longer or shorter entities of a
    type than training data has.

    A tag that the vocabulary lacks has the number L of its tags as index, or L + 1 if it is inside an entity. Models
    never find it, and metrics count it as missed. The first time there is a warning with its location.
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
        """Concatenates fields of one namespace and coding scheme. `sequence_field` has all their elements."""
        tags = [str(tag) for part in parts for tag in part.labels]
        locations = [location for part in parts for location in part.locations]
        scheme = next((part.coding_scheme for part in parts if part.coding_scheme is not None), None)
        return cls(tags, sequence_field, locations, scheme, parts[0].label_namespace)

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        super().count_vocab_items(counter)
        if self.coding_scheme is not None:
            counter[CODING_SCHEMES][self.coding_scheme] += 1
            types = {str(tag).partition("-")[2] for tag in self.labels if tag != "O"}
            for tag in all_tags(sorted(types), self.coding_scheme):
                counter[self._label_namespace].setdefault(tag, 1)

    def index(self, vocab: Vocabulary) -> None:
        """Raises `ConfigurationError` where the vocabulary has tags of another coding scheme."""
        known = _coding_schemes(vocab)
        if self.coding_scheme is not None and self.coding_scheme not in known:
            trained_on = ", ".join(known) or "none, its tags stand for themselves; tags_from: 'pos' reads such tags"
            expected = f"the one that the model was trained on: {trained_on}"
            raise format_error(self.locations[0], f"tags in the coding scheme {self.coding_scheme}", expected)
        indices = _indices(vocab, self._label_namespace, "the tag", self.labels, self.locations)
        if self.coding_scheme is not None:
            num_tags = vocab.get_vocab_size(self._label_namespace)
            pairs = zip(self.labels, indices, strict=True)
            indices = [index + (index == num_tags and str(tag)[0] not in "BSU") for tag, index in pairs]
        self._indexed_labels = indices


def vocabulary_coding_scheme(vocab: Vocabulary) -> Optional[str]:
    """Returns the coding scheme of tags, if any. Raises `ConfigurationError` where a vocabulary has several."""
    schemes = _coding_schemes(vocab)
    if len(schemes) > 1:
        expected = "one: dataset_reader and validation_dataset_reader have the same coding_scheme"
        raise ConfigurationError(f"found tags in the coding schemes {' and '.join(schemes)}, expected {expected}")
    return schemes[0] if schemes else None


def _coding_schemes(vocab: Vocabulary) -> List[str]:
    # Without padding and unknown word, which a vocabulary may be configured to have in every namespace.
    return [name for name in vocab.get_token_to_index_vocabulary(CODING_SCHEMES) if name in SCHEMES]


def _indices(
    vocab: Vocabulary, namespace: str, kind: str, labels: Iterable[Any], locations: Iterable[str]
) -> List[int]:
    """Returns the indices of gold labels. One that the vocabulary lacks has the number of its labels as index."""
    known = vocab.get_token_to_index_vocabulary(namespace)
    indices = []
    for label, location in zip(labels, locations, strict=False):
        if label not in known:
            names = ", ".join(known)
            if (label, names) not in _WARNED:
                _WARNED.add((label, names))
                found = f"found {kind} '{label}', which the model was not trained on"
                logger.warning(f"{location}: {found}, expected one of {names}; all of it counts as missed")
        indices.append(known.get(label, len(known)))
    return indices


_WARNED: Set[Tuple[Any, str]] = set()
"""The labels that a warning was about, with the labels of the vocabulary that lacks them."""


class AnnotatedLabelsField(Field):
    """
    A field of the labels, L in the vocabulary, that were looked for in a sentence, with a tensor of shape (L,), `True`
    for each of them. It adds them to the vocabulary; of those that a vocabulary lacks, a model knows nothing.
    """

    __slots__ = ["labels", "_label_namespace", "_is_annotated"]

    def __init__(self, labels: Sequence[str], label_namespace: str = "labels") -> None:
        self.labels = labels
        self._label_namespace = label_namespace
        self._is_annotated = torch.empty(0, dtype=torch.bool)

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for label in self.labels:
            counter[self._label_namespace].setdefault(label, 1)

    def index(self, vocab: Vocabulary) -> None:
        known = vocab.get_token_to_index_vocabulary(self._label_namespace)
        self._is_annotated = torch.tensor([label in self.labels for label in known])

    def as_tensor(self, padding_lengths: Dict[str, int]) -> torch.Tensor:
        return self._is_annotated

    def get_padding_lengths(self) -> Dict[str, int]:
        return {}


class MarginalsField(Field):
    """
    A field of the probabilities of the tags of each of T = `length` words, with a tensor of shape (T, L) for the L tags
    of the vocabulary. `marginals` have a dictionary for each word, or none, so that all probabilities are zero. Tags
    that the vocabulary lacks are left out.
    """

    __slots__ = ["marginals", "_length", "_label_namespace", "_tag_ids"]

    def __init__(self, marginals: Sequence[Dict[str, float]], length: int, label_namespace: str = "labels") -> None:
        self.marginals = marginals
        self._length = length
        self._label_namespace = label_namespace
        self._tag_ids: Dict[str, int] = {}

    def index(self, vocab: Vocabulary) -> None:
        self._tag_ids = vocab.get_token_to_index_vocabulary(self._label_namespace)

    def get_padding_lengths(self) -> Dict[str, int]:
        return {"num_tokens": self._length}

    def as_tensor(self, padding_lengths: Dict[str, int]) -> torch.Tensor:
        tensor = torch.zeros(padding_lengths["num_tokens"], len(self._tag_ids))
        placed = [
            (place, self._tag_ids[tag], probability)
            for place, probabilities in enumerate(self.marginals)
            for tag, probability in probabilities.items()
            if tag in self._tag_ids
        ]
        if placed:
            places, tags, probabilities = zip(*placed, strict=True)
            tensor[list(places), list(tags)] = torch.tensor(probabilities)
        return tensor


class _EntitiesField(Field):
    """The base class of fields of the entities of a sentence."""

    __slots__ = ["entities", "_length", "_label_namespace", "_location"]

    def __init__(self, entities: Sequence[Any], length: int, label_namespace: str, location: str) -> None:
        for entity in entities:
            check_fit(entity, length)
        self.entities = entities
        self._length = length
        self._label_namespace = label_namespace
        self._location = location

    def get_padding_lengths(self) -> Dict[str, int]:
        return {"num_tokens": self._length}

    def __len__(self) -> int:
        return self._length


class SpanField(_EntitiesField):
    """
    A field of the labels of all spans of up to n = `max_length` tokens of a sentence of T = `length` tokens: the type
    of an entity, or none. Entities may be nested. Of several entities with the same span the first gives the label.

    It has two tensors: `labels`, shape (T, n), with the label of each span at [start, length - 1], 0 if the span is no
    entity, else 1 + the index of the entity's type in the vocabulary; and `inside`, shape (T,), True for tokens in any
    entity, even in one of more than n tokens. An entity of a type that the vocabulary lacks has no label; the first
    time there is a warning with its location. `label_namespace` holds nothing but types of entities. Raises
    `ValueError` where an entity does not fit into the sentence.
    """

    __slots__ = ["_max_length", "_labelled"]

    def __init__(
        self,
        entities: Sequence[Entity],
        length: int,
        max_length: int,
        label_namespace: str = "labels",
        location: str = "the sentence",
    ) -> None:
        super().__init__(entities, length, label_namespace, location)
        self._max_length = max_length
        self._labelled: List[Tuple[int, int, int]] = []

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for entity in self.entities:
            counter[self._label_namespace][entity.label] += 1

    def index(self, vocab: Vocabulary) -> None:
        labels: Dict[Tuple[int, int], int] = {}
        num_types = vocab.get_vocab_size(self._label_namespace)
        types = [entity.label for entity in self.entities]
        indices = _indices(vocab, self._label_namespace, "an entity of type", types, repeat(self._location))
        for (start, end, _), type_index in zip(self.entities, indices, strict=True):
            if end - start <= self._max_length and type_index < num_types:
                labels.setdefault((start, end - start - 1), 1 + type_index)
        self._labelled = [(start, column, label) for (start, column), label in labels.items()]

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


class EntityField(_EntitiesField):
    """
    A field of the outermost entities, `Entity` or `ScoredEntity` tuples, of a sentence of T = `length` tokens.

    Its tensor has shape (T,): 1 + the index of the entity's type in the vocabulary at the first token of an entity, -1
    at its other tokens, 0 outside. The vocabulary does not count the entities, which a model may have predicted. Raises
    `ValueError` where an entity does not fit into the sentence.
    """

    __slots__ = ["_type_ids"]

    def __init__(
        self, entities: Sequence[Any], length: int, label_namespace: str = "labels", location: str = "the first pass"
    ) -> None:
        super().__init__(entities, length, label_namespace, location)
        self.entities = layer(entities, "outermost")
        self._type_ids: List[int] = []

    def index(self, vocab: Vocabulary) -> None:
        """Raises `ConfigurationError` where the vocabulary lacks a type."""
        known = vocab.get_token_to_index_vocabulary(self._label_namespace)
        for entity in self.entities:
            if entity.label not in known:
                found = f"an entity of type '{entity.label}', which the model was not trained on"
                raise format_error(self._location, found, f"one of {', '.join(known)}")
        self._type_ids = [known[entity.label] for entity in self.entities]

    def as_tensor(self, padding_lengths: Dict[str, int]) -> torch.Tensor:
        tensor = torch.zeros(padding_lengths["num_tokens"], dtype=torch.long)
        for entity, type_id in zip(self.entities, self._type_ids, strict=True):
            tensor[entity.start : entity.end] = -1
            tensor[entity.start] = 1 + type_id
        return tensor


NO_SLOT = -2
"""The slot of a post that a thread does not have."""


class LinkField(Field[Dict[str, torch.Tensor]]):
    """
    A field of the links of the T posts of a thread. `links` are the links of each post: the slot, 0 for the head, i for
    the i-th post and `NO_SLOT` for one that the thread does not have, and the dialogue act. `locations` name the posts
    in error messages.

    It has two tensors of shape (T, G), where G is the largest number of links of a post: `slots`, the slot that each
    link leads to, and `acts`, the index of its dialogue act; -1 in both where a post has fewer links. An act that the
    vocabulary lacks has the number of its acts as index; the first time there is a warning with its location.
    """

    __slots__ = ["links", "_label_namespace", "_locations", "_act_ids"]

    def __init__(
        self, links: List[List[Tuple[int, str]]], locations: List[str], label_namespace: str = "labels"
    ) -> None:
        self.links = links
        self._locations = locations
        self._label_namespace = label_namespace
        self._act_ids: List[List[int]] = []

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for links in self.links:
            for _, act in links:
                counter[self._label_namespace][act] += 1

    def index(self, vocab: Vocabulary) -> None:
        self._act_ids = [
            _indices(vocab, self._label_namespace, "the dialogue act", [act for _, act in links], repeat(location))
            for location, links in zip(self._locations, self.links, strict=True)
        ]

    def get_padding_lengths(self) -> Dict[str, int]:
        return {"num_posts": len(self.links), "num_links": max(map(len, self.links))}

    def as_tensor(self, padding_lengths: Dict[str, int]) -> Dict[str, torch.Tensor]:
        num_posts, num_links = padding_lengths["num_posts"], padding_lengths["num_links"]

        def padded(rows: List[List[int]]) -> torch.Tensor:
            rows = rows + [[]] * (num_posts - len(rows))
            return torch.tensor([row + [-1] * (num_links - len(row)) for row in rows])

        return {"slots": padded([[slot for slot, _ in links] for links in self.links]), "acts": padded(self._act_ids)}

    def batch_tensors(self, tensor_list: List[Dict[str, torch.Tensor]]) -> Dict[str, torch.Tensor]:
        return batch_tensor_dicts(tensor_list)

    def __len__(self) -> int:
        return len(self.links)


class LevelsField(TensorField):
    """
    A field of the levels of the dependency tree of a sentence, from its heads, counted from 1, with 0 as the root. A
    batch holds the `TreeLevels` of all its trees, which are computed here, since an encoder would have to wait for its
    GPU. Raises `ValueError` where a head lies outside the sentence.
    """

    __slots__ = []

    def __init__(self, heads: Sequence[int]) -> None:
        if heads and not 0 <= min(heads) <= max(heads) <= len(heads):
            raise ValueError("A head lies outside its sentence.")
        super().__init__(torch.tensor(heads), padding_value=-1)

    def batch_tensors(self, tensor_list: List[torch.Tensor]) -> Any:
        """Raises `ValueError` where the heads of a sentence form a cycle."""
        heads = torch.stack(tensor_list)
        return tree_levels(heads, heads >= 0)
