from typing import Any, Dict, List

from nerzoo.drawing.draw import DRAWINGS, holds
from nerzoo.drawing.prediction import Prediction, predictions_from_json
from nerzoo.drawing.svg import svg, to_text

SHOWN = ("attention", "gate", "backward_tags")
"""The extra outputs that the page of the server has drawn, where the model has them."""

MAX_WORDS = 150
"""Of a sentence that is drawn, or posts of a thread: a matrix of attention has the square of it."""


def drawings(prediction: Dict[str, Any]) -> List[Dict[str, str]]:
    """
    Draws what a prediction holds besides entities: of each drawing `title`, `description` and `svg`. Sentences of more
    than `MAX_WORDS` are left out, and threads of more posts; what is no prediction for sentences or a thread has none.
    """
    if not prediction.keys() & {"words", "sentences", "posts"}:
        return []
    return [
        {"title": picture.title, "description": picture.description, "svg": to_text(svg([picture]))}
        for sentence in predictions_from_json(prediction, "the prediction")
        if _has_room(sentence)
        for picture in (DRAWINGS[name].picture(sentence) for name in DRAWINGS if _is_drawn(sentence, name))
    ]


def _has_room(prediction: Prediction) -> bool:
    return 0 < len(prediction.words if prediction.sentence else prediction.values["posts"]) <= MAX_WORDS


def _is_drawn(prediction: Prediction, name: str) -> bool:
    return name != "entities" and holds(prediction, name)
