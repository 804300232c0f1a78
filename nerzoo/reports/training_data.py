from collections import Counter, defaultdict
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

from nerzoo.evaluation.predictions import ScoredSentence
from nerzoo.inference.sentence_index import SentenceIndex
from nerzoo.reports.evaluated_sentence import EvaluatedSentence

NEAR_DUPLICATE = 0.8
"""The lowest similarity of near-duplicates, see `SentenceIndex`."""


class TrainingData:
    """
    What the sentences that a system was trained on say of those that it is evaluated on.

    # Parameters

    sentences : `Sequence[ScoredSentence]`
        With their gold entities.
    """

    def __init__(self, sentences: Sequence[ScoredSentence]) -> None:
        self.word_counts = Counter(word for sentence in sentences for word in sentence.words)
        self.mentions: Dict[Tuple[str, ...], Set[str]] = defaultdict(set)
        """The types that training has of each mention, by its words."""
        self._locations = [str(sentence.location) for sentence in sentences]
        self._first_with: Dict[Tuple[str, ...], int] = {}
        self._index = SentenceIndex(NEAR_DUPLICATE)
        self._found: Dict[Tuple[str, ...], Optional[Tuple[str, float]]] = {}
        for number, sentence in enumerate(sentences):
            self._first_with.setdefault(tuple(sentence.words), number)
            self._index.add(sentence.words)
            for entity in sentence.annotation:
                self.mentions[tuple(sentence.words[entity.start : entity.end])].add(entity.label)

    def familiarity(self, words: Sequence[str], label: str) -> str:
        """
        Says of a mention whether training has these words as a mention: `"unseen"`; `"seen"`, of this type alone; or
        `"ambiguous"`, of another type or of several.
        """
        types = self.mentions.get(tuple(words))
        if types is None:
            return "unseen"
        return "seen" if types == {label} else "ambiguous"

    def repetition(self, words: Sequence[str]) -> str:
        """
        Says of a sentence whether training has it: `"duplicate"`, with the same words, as they are written;
        `"near-duplicate"`, one that is as similar as `NEAR_DUPLICATE` at least; or `"new"`.
        """
        if tuple(words) in self._first_with:
            return "duplicate"
        return "new" if self.most_similar(words) is None else "near-duplicate"

    def most_similar(self, words: Sequence[str]) -> Optional[Tuple[str, float]]:
        """
        Returns the location of a sentence with the same words and 1, or that of the most similar one and its
        similarity, where this is `NEAR_DUPLICATE` at least.
        """
        key = tuple(words)
        if key not in self._found:
            similar = [(-similarity, number) for number, similarity in self._index.similar(words)]
            if key in self._first_with:
                similar = [(-1.0, self._first_with[key])]
            similarity, number = min(similar, default=(0.0, -1))
            near = -similarity >= NEAR_DUPLICATE
            self._found[key] = (self._locations[number], -similarity) if near else None
        return self._found[key]

    def facts(self, sentences: Sequence[EvaluatedSentence]) -> Dict[str, Any]:
        """
        Describes the training data, and how much of it is in some sentences, as the `training` of a report: numbers of
        sentences and mentions, shares of words that training does not have, and the repeated sentences.
        """
        words = [word for sentence in sentences for word in sentence.words]
        unknown = [word for word in words if word not in self.word_counts]
        repeated: List[Dict[str, Any]] = []
        for index, sentence in enumerate(sentences):
            found = self.most_similar(sentence.words)
            if found is not None:
                repeated.append(
                    {
                        "index": index,
                        "location": sentence.location,
                        "words": sentence.words,
                        "num_entities": len(sentence.gold),
                        "training_location": found[0],
                        "similarity": found[1],
                        "kind": self.repetition(sentence.words),
                    }
                )
        kinds = Counter(sentence["kind"] for sentence in repeated)
        return {
            "num_sentences": len(self._locations),
            "num_mentions": len(self.mentions),
            "num_words": self.word_counts.total(),
            "out_of_vocabulary": {
                "tokens": len(unknown) / len(words),
                "words": len({*unknown}) / len({*words}),
            },
            "num_duplicates": kinds["duplicate"],
            "num_near_duplicates": kinds["near-duplicate"],
            "repeated_sentences": repeated,
        }
