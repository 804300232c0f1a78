import math
from collections import defaultdict
from typing import Dict, FrozenSet, List, Sequence


class DistinctSentences:
    """
    Sentences of which no two are too similar. The similarity of two is the Jaccard index of the sets of their words in
    lower case: the number of words that both have, divided by the number of those that either has.

    A sentence is compared with those alone that share one of a few words with it. Among sets of words in one and the
    same order, two can be as similar only if the beginnings of both, of n - ceil(x n) + 1 of n words, have a word in
    common (Chaudhuri, Ganti and Kaushik, 2006; Bayardo, Ma and Srikant, 2007). Long words, most of which are rare, come
    first.

    # Parameters

    max_similarity : `float`
        x, from 0 to 1. Two sentences are too similar above it, so that 1 lets repeated ones in.
    """

    def __init__(self, max_similarity: float) -> None:
        self._max_similarity = max_similarity
        self._sentences: List[FrozenSet[str]] = []
        self._by_word: Dict[str, List[int]] = defaultdict(list)

    def add(self, words: Sequence[str]) -> bool:
        """Adds a sentence, unless it is too similar to one of those before; returns whether it was added."""
        present = frozenset(word.lower() for word in words)
        # Less than is needed rather than more, since x n may be rounded up.
        num_common = math.ceil(self._max_similarity * len(present) - 1e-9)
        beginning = sorted(present, key=lambda word: (-len(word), word))[: len(present) - num_common + 1]
        others = {number for word in beginning for number in self._by_word.get(word, ())}
        if any(self._is_similar(present, self._sentences[number]) for number in others):
            return False
        for word in beginning:
            self._by_word[word].append(len(self._sentences))
        self._sentences.append(present)
        return True

    def _is_similar(self, first: FrozenSet[str], second: FrozenSet[str]) -> bool:
        num_common = len(first & second)
        return num_common / (len(first) + len(second) - num_common) > self._max_similarity
