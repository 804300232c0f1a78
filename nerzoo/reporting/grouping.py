from typing import Any, Callable, Dict, List, NamedTuple, Sequence

from nerzoo.data.annotation import Entity
from nerzoo.reporting.evaluated_sentence import EvaluatedSentence
from nerzoo.training.metrics.counting_metric import precision_recall_f

Group = Callable[[EvaluatedSentence, Entity, Sequence[Entity]], str]
"""The name of the group of an entity of a sentence, among its gold or among its predicted entities."""


class Grouping(NamedTuple):
    """A division of entities into groups, of which each is scored by itself, strictly."""

    name: str
    title: str
    names: Sequence[str]
    """The groups, in order."""
    group: Group
    note: str = ""

    def scores(self, sentences: Sequence[EvaluatedSentence]) -> List[Dict[str, Any]]:
        """
        Returns for each group its `name`, the numbers of its `gold` and `predicted` entities, how many of either are
        found (`correct_of_gold`) and correct (`correct`), which differ where a group depends on the other entities,
        and `precision`, `recall` and `f1`. 0 / 0 is 0.
        """
        counts = {name: [0, 0, 0, 0] for name in self.names}
        for sentence in sentences:
            correct = {*sentence.gold}.intersection(sentence.predicted)
            for place, entities in ((0, sentence.predicted), (2, sentence.gold)):
                for entity in entities:
                    of_group = counts[self.group(sentence, entity, entities)]
                    of_group[place] += entity in correct
                    of_group[place + 1] += 1
        return [
            {
                "name": name,
                "gold": gold,
                "predicted": predicted,
                "correct": correct,
                "correct_of_gold": found,
                **precision_recall_f(correct, predicted, gold, found),
            }
            for name, (correct, predicted, found, gold) in counts.items()
        ]
