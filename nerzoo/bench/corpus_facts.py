from dataclasses import dataclass
from typing import List, Sequence

from nerzoo.data.annotation import Document
from nerzoo.data.tag_schemes import layers

_SHARE_OF_LENGTHS = 0.98


@dataclass(frozen=True)
class CorpusFacts:
    """What a corpus has, which decides which systems can be trained on it, and how."""

    num_documents: int
    """0 where it does not separate documents."""
    num_sentences: int
    num_words: int
    num_entities: int
    types: List[str]
    has_trees: bool
    """Whether all sentences have parts of speech, heads and dependency labels."""
    depth: int
    """The largest number of entities around a word: 1 where none is in another one."""
    max_length: int
    """The shortest length, in words, that 98 % of the entities do not exceed."""


def corpus_facts(documents: Sequence[Document]) -> CorpusFacts:
    """Finds the facts of a corpus."""
    sentences = [sentence for document in documents for sentence in document.sentences]
    entities = [entity for sentence in sentences for entity in sentence.entities]
    lengths = sorted(entity.end - entity.start for entity in entities) or [1]
    return CorpusFacts(
        sum(document.id is not None for document in documents),
        len(sentences),
        sum(len(sentence.words) for sentence in sentences),
        len(entities),
        sorted({entity.label for entity in entities}),
        all(None not in (sentence.pos, sentence.heads, sentence.dep_labels) for sentence in sentences),
        max((len(layers(sentence.entities)) for sentence in sentences), default=0),
        lengths[min(int(_SHARE_OF_LENGTHS * len(lengths)), len(lengths) - 1)],
    )
