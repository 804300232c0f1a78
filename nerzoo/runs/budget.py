"""What of the epochs and seeds that were asked for there is time for."""

from dataclasses import dataclass
from typing import Dict, List, Mapping, NamedTuple, Sequence

from nerzoo.text.annotation import Document
from nerzoo.text.tag_schemes import layers


class Cost(NamedTuple):
    """What a run of a system takes, in seconds: an epoch, and all that is not training."""

    epoch: float
    rest: float

    def of(self, epochs: int) -> float:
        """Returns the seconds of a run of so many epochs."""
        return self.rest + epochs * self.epoch


class Share(NamedTuple):
    """What a system gets: epochs of each run, and seeds."""

    epochs: int
    seeds: int


def shares(costs: Mapping[str, Cost], full: Mapping[str, Share], num_splits: int, seconds: float) -> Dict[str, Share]:
    """
    Divides time among systems. Where all that was asked for takes longer, there are first fewer seeds for all, down to
    one, since what is half trained says nothing; then fewer epochs: all systems get the same time, and what one does
    not need goes to the others. Each is trained one epoch at least.

    # Parameters

    costs : `Mapping[str, Cost]`
        Of each system.
    full : `Mapping[str, Share]`
        What was asked for.
    num_splits : `int`
        How many runs there are for a seed.
    seconds : `float`
        Those of all processes together.
    """
    found = dict(full)

    def needed(name: str) -> float:
        return num_splits * found[name].seeds * costs[name].of(found[name].epochs)

    while sum(map(needed, found)) > seconds and any(share.seeds > 1 for share in found.values()):
        most = max(share.seeds for share in found.values())
        found = {name: share._replace(seeds=min(share.seeds, most - 1)) for name, share in found.items()}
    rest: List[str] = sorted(found, key=needed)
    for place, name in enumerate(rest):
        of_each = seconds / (len(rest) - place)
        if needed(name) > of_each:
            affordable = int((of_each / num_splits - costs[name].rest) / costs[name].epoch)
            found[name] = found[name]._replace(epochs=max(1, min(affordable, found[name].epochs)))
        seconds -= needed(name)
    return found


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
