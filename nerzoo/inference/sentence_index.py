import math
from collections import defaultdict
from typing import Dict, FrozenSet, Iterator, List, Sequence, Tuple


class SentenceIndex:
    """
    Finds sentences that are similar to one. The similarity of two is the Jaccard index of the sets of their words in
    lower case: the number of words that both have, divided by the number of those that either has.

    A sentence is compared with those alone that share one of a few words with it. Among sets of words in one and the
    same order, two can be as similar only if the beginnings of both, of n - ceil(x n) + 1 of n words, have a word in
    common (Chaudhuri, Ganti and Kaushik, 2006; Bayardo, Ma and Srikant, 2007). Long words, most of which are rare, come
    first.

    # Parameters

    min_similarity : `float`
        x, from 0 to 1: the lowest similarity at which sentences are sure to be found, if they have a word in common.
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
        """
        Yields the place of a sentence, in the order in which they were added, from 0, and its similarity to `words`:
        for all sentences with a word in common that are as similar as `min_similarity`, and perhaps for some others.
        """
        present = _word_set(words)
        for number in {number for word in self._beginning(present) for number in self._by_word.get(word, ())}:
            num_common = len(present & self._sentences[number])
            yield number, num_common / (len(present) + len(self._sentences[number]) - num_common)

    def _beginning(self, present: FrozenSet[str]) -> List[str]:
        # Less than is needed rather than more, since x n may be rounded up.
        num_common = math.ceil(self._min_similarity * len(present) - 1e-9)
        return sorted(present, key=lambda word: (-len(word), word))[: len(present) - num_common + 1]


def _word_set(words: Sequence[str]) -> FrozenSet[str]:
    return frozenset(word.lower() for word in words)


class DistinctSentences:
    """
    Sentences of which no two are too similar, see `SentenceIndex`.

    # Parameters

    max_similarity : `float`
        From 0 to 1. Two sentences are too similar above it, so that 1 lets repeated ones in.
    """

    def __init__(self, max_similarity: float) -> None:
        self._max_similarity = max_similarity
        self._index = SentenceIndex(max_similarity)

    def add(self, words: Sequence[str]) -> bool:
        """Adds a sentence, unless it is too similar to one of those before; returns whether it was added."""
        if any(similarity > self._max_similarity for _, similarity in self._index.similar(words)):
            return False
        self._index.add(words)
        return True
