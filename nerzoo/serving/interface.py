"""What the page of the interface, OpenAPI, says of requests and answers."""

from typing import Any, Dict, Union

from nerzoo.serving.bodies import JSON, JSON_LINES
from nerzoo.serving.limits import Limits

DESCRIPTION = "Predictions of an archive: what `allennlp predict` takes and gives."

_ITEM = {"type": "object", "example": {"sentence": "Mara lived in Calder."}}
_LINES = {"schema": {"type": "string", "example": '{"sentence": "Mara lived in Calder."}\n'}}

ONE: Dict[str, Any] = {"requestBody": {"required": True, "content": {JSON: {"schema": _ITEM}}}}
"""The body of a request with an item."""

MANY: Dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            JSON: {"schema": {"oneOf": [_ITEM, {"type": "array", "items": _ITEM}]}},
            JSON_LINES: _LINES,
        },
    }
}
"""The body of a request with an item or several."""


def answers(limits: Limits) -> Dict[Union[int, str], Dict[str, Any]]:
    """Returns the answers to a request, by status."""
    error = {"type": "object", "properties": {"error": {"type": "string"}, "index": {"type": "integer"}}}
    said: Dict[Union[int, str], str] = {
        401: "Another token, or none.",
        408: f"The body did not arrive within {limits.seconds:g} s.",
        413: f"A body of more than {limits.body} bytes.",
        415: f"Another Content-Type than {JSON} and {JSON_LINES}, or a body that is compressed.",
        422: f"No items that the model takes, or more than {limits.items} of them, or of {limits.tokens} tokens.",
        429: f"{limits.requests} requests are being answered.",
        500: "The server failed.",
        504: f"No prediction within {limits.seconds:g} s.",
    }
    refusals: Dict[Union[int, str], Dict[str, Any]] = {
        status: {"description": text, "content": {JSON: {"schema": error}}} for status, text in said.items()
    }
    predicted = "A prediction, or an array of predictions; with Accept: application/x-ndjson one a line, as they come."
    return {200: {"description": predicted, "content": {JSON: {}, JSON_LINES: {}}}, **refusals}
