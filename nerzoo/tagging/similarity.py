from typing import Sequence

from nerzoo.tagging.sentence_index import SentenceIndex


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
