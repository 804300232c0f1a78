import math
from collections import defaultdict
from typing import Dict, FrozenSet, Iterator, List, Sequence, Tuple


class SentenceIndex:
    """
    Finds sentences that are similar to a sentence. The similarity of two sentences is the Jaccard index of the sets of
    their words in lower case: the number of common words, divided by the number of words in either. All sentences whose
    similarity is at least `min_similarity`, from 0 to 1, are found, if they have a word in common.

    If all sets of words have the same order, two sets can have the similarity x only if their beginnings, n - ceil(x n)
    + 1 of n words, have a word in common (Chaudhuri, Ganti and Kaushik, 2006; Bayardo, Ma and Srikant, 2007). Therefore
    few sentences are compared. Long words, most of which are rare, come first.
    """

    def __init__(self, min_similarity: float) -> None:
        self._min_similarity = min_similarity
        self._sentences: List[FrozenSet[str]] = []
        self._by_word: Dict[str, List[int]] = defaultdict(list)

    def add(self, words: Sequence[str]) -> None:
        """Adds a sentence."""
        present = _word_set(words)
        for word in self._beginning(present):
            self._by_word[word].append(len(self._sentences))
        self._sentences.append(present)

    def similar(self, words: Sequence[str]) -> Iterator[Tuple[int, float]]:
        """Yields number and similarity of added sentences, in order, some of them below `min_similarity`."""
        present = _word_set(words)
        for number in {number for word in self._beginning(present) for number in self._by_word.get(word, ())}:
            num_common = len(present & self._sentences[number])
            yield number, num_common / (len(present) + len(self._sentences[number]) - num_common)

    def _beginning(self, present: FrozenSet[str]) -> List[str]:
        # Rounding errors must not make x n larger.
        num_common = math.ceil(self._min_similarity * len(present) - 1e-9)
        return sorted(present, key=lambda word: (-len(word), word))[: len(present) - num_common + 1]


def _word_set(words: Sequence[str]) -> FrozenSet[str]:
    return frozenset(word.lower() for word in words)


class DistinctSentences:
    """A set of sentences where no two have a similarity above `max_similarity`, as in `SentenceIndex`. 1 allows all."""

    def __init__(self, max_similarity: float) -> None:
        self._max_similarity = max_similarity
        self._index = SentenceIndex(max_similarity)

    def add(self, words: Sequence[str]) -> bool:
        """Adds a sentence, unless it is too similar to one of those before; returns whether it was added."""
        if any(similarity > self._max_similarity for _, similarity in self._index.similar(words)):
            return False
        self._index.add(words)
        return True
