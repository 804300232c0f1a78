from collections import Counter, defaultdict
from typing import Any, Dict, Optional, Sequence, Set, Tuple

from nerzoo.formats.predictions import Prediction
from nerzoo.inference.sentence_index import SentenceIndex

NEAR_DUPLICATE = 0.8
"""The lowest similarity of near-duplicates, see `SentenceIndex`."""


class TrainingData:
    """
    The training data of a system, sentences with their gold entities, with which the sentences of an evaluation are
    compared.
    """

    def __init__(self, sentences: Sequence[Prediction]) -> None:
        self.word_counts = Counter(word for sentence in sentences for word in sentence.words)
        self.mentions: Dict[Tuple[str, ...], Set[str]] = defaultdict(set)
        """The types of each mention, by its words."""
        self._locations = [sentence.location for sentence in sentences]
        self._first_with: Dict[Tuple[str, ...], int] = {}
        self._index = SentenceIndex(NEAR_DUPLICATE)
        self._found: Dict[Tuple[str, ...], Optional[Tuple[str, float]]] = {}
        for number, sentence in enumerate(sentences):
            self._first_with.setdefault(tuple(sentence.words), number)
            self._index.add(sentence.words)
            for entity in sentence.gold:
                self.mentions[tuple(sentence.words[entity.start : entity.end])].add(entity.label)

    def familiarity(self, words: Sequence[str], label: str) -> str:
        """
        Returns whether training data has the words as a mention: `"unseen"`; `"seen"`, of this type alone; or
        `"ambiguous"`, of another type or of several.
        """
        types = self.mentions.get(tuple(words))
        if types is None:
            return "unseen"
        return "seen" if types == {label} else "ambiguous"

    def repetition(self, words: Sequence[str]) -> str:
        """
        Returns whether training data has the sentence: `"duplicate"`, with the same words, as they are written;
        `"near-duplicate"`, a sentence with a similarity of at least `NEAR_DUPLICATE`; or `"new"`.
        """
        if tuple(words) in self._first_with:
            return "duplicate"
        return "new" if self.most_similar(words) is None else "near-duplicate"

    def most_similar(self, words: Sequence[str]) -> Optional[Tuple[str, float]]:
        """
        Returns the location of a sentence with the same words, and 1; or the location of the most similar sentence, and
        its similarity, if this is at least `NEAR_DUPLICATE`.
        """
        key = tuple(words)
        if key in self._first_with:
            return self._locations[self._first_with[key]], 1.0
        if key not in self._found:
            similar = [(similarity, -number) for number, similarity in self._index.similar(words)]
            similarity, negated_number = max(similar, default=(0.0, 0))
            is_near = similarity >= NEAR_DUPLICATE
            self._found[key] = (self._locations[-negated_number], similarity) if is_near else None
        return self._found[key]

    def facts(self, sentences: Sequence[Prediction]) -> Dict[str, Any]:
        """
        Returns the `training` of a report: numbers of sentences and mentions of the training data, the shares of the
        words of some sentences that it does not have, and the sentences that it does have.
        """
        words = [word for sentence in sentences for word in sentence.words]
        unknown = [word for word in words if word not in self.word_counts]
        repeated = [
            {
                "index": index,
                "location": sentence.location,
                "words": sentence.words,
                "num_entities": len(sentence.gold),
                "training_location": found[0],
                "similarity": found[1],
                "kind": self.repetition(sentence.words),
            }
            for index, sentence in enumerate(sentences)
            if (found := self.most_similar(sentence.words)) is not None
        ]
        kinds = Counter(sentence["kind"] for sentence in repeated)
        return {
            "num_sentences": len(self._locations),
            "num_mentions": len(self.mentions),
            "num_words": self.word_counts.total(),
            "out_of_vocabulary": {"tokens": len(unknown) / len(words), "words": len({*unknown}) / len({*words})},
            "num_duplicates": kinds["duplicate"],
            "num_near_duplicates": kinds["near-duplicate"],
            "repeated_sentences": repeated,
        }
