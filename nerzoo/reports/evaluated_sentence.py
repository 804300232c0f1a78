from dataclasses import dataclass
from typing import List, Optional, Sequence

from nerzoo.text.annotation import Entity


@dataclass(frozen=True)
class EvaluatedSentence:
    """
    A sentence with its gold entities and those that a system has predicted, either of them possibly nested, in order
    and none twice.
    """

    location: str
    """Where the prediction stands: file and line."""
    words: List[str]
    gold: Sequence[Entity]
    predicted: Sequence[Entity]
    probabilities: Optional[Sequence[float]] = None
    """Those of the predicted entities, where the system gives them."""
    document_id: Optional[str] = None
    position: Optional[int] = None
    """The place of the sentence in its document, from 1, where documents are known."""
