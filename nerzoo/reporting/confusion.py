from collections import Counter
from typing import Any, Dict, List, Sequence

from nerzoo.reporting.evaluated_sentence import EvaluatedSentence
from nerzoo.reporting.matching import CORRECT, ERRORS, match_entities


def errors_and_confusion(sentences: Sequence[EvaluatedSentence], types: Sequence[str]) -> Dict[str, Any]:
    """
    Counts the kinds of errors, as `match_entities` finds them, and which types were taken for which.

    # Parameters

    sentences : `Sequence[EvaluatedSentence]`
    types : `Sequence[str]`
        All types of gold and predicted entities, L of them.

    # Returns

    `Dict[str, Any]`
        `errors`: the number of each kind of `ERRORS`; `errors_by_type`: the same for each type, the gold one or, of
        spurious entities, the predicted one; and `confusion`: L + 1 rows of L + 1 numbers, of gold types, in order, and
        spurious entities, by predicted types, in order, and missed entities.
    """
    kinds: Counter = Counter()
    cells: Counter = Counter()
    for sentence in sentences:
        for match in match_entities(sentence.gold, sentence.predicted):
            known = match.gold or match.predicted
            assert known is not None
            kinds[match.kind, known.label] += 1
            cells[tuple(None if entity is None else entity.label for entity in match)] += 1
    places: List[Any] = [*types, None]
    return {
        "errors": {kind: sum(kinds[kind, type_] for type_ in types) for kind in ERRORS},
        "errors_by_type": {type_: {kind: kinds[kind, type_] for kind in (CORRECT, *ERRORS)} for type_ in types},
        "confusion": [[cells[row, column] for column in places] for row in places],
    }
