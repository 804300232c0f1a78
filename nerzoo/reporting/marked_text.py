from typing import Any, Dict, List, NamedTuple, Sequence


class Segment(NamedTuple):
    """A part of a sentence: its `kind` is `"words"`, `"open"` or `"close"`, where a bracket stands with its label."""

    kind: str
    text: str
    is_wrong: bool = False


class MarkedText(NamedTuple):
    """
    The words of a sentence with brackets around entities, which may be nested or cross, and remarks on them; `times`
    says how many runs have the same, where there are several.
    """

    segments: List[Segment]
    remarks: Sequence[str] = ()
    times: str = ""


def mark(
    words: Sequence[str], entities: Sequence[Dict[str, Any]], wrong: Sequence[Dict[str, Any]] = ()
) -> List[Segment]:
    """
    Puts brackets around entities.

    # Parameters

    words : `Sequence[str]`
    entities : `Sequence[Dict[str, Any]]`
        Each with `start`, `end` and `label`.
    wrong : `Sequence[Dict[str, Any]]`, optional
        Those of the entities that are wrong.
    """
    spans = [(entity["start"], entity["end"], entity["label"]) for entity in entities]
    errors = {(entity["start"], entity["end"], entity["label"]) for entity in wrong}
    segments: List[Segment] = []
    start = 0
    for place in sorted({0, len(words), *(span[0] for span in spans), *(span[1] for span in spans)}):
        if start < place:
            segments.append(Segment("words", " ".join(words[start:place])))
        start = place
        # What is inside closes before what is around it, and opens after it.
        for span in sorted((span for span in spans if span[1] == place), key=lambda span: -span[0]):
            segments.append(Segment("close", span[2], span in errors))
        for span in sorted((span for span in spans if span[0] == place), key=lambda span: -span[1]):
            segments.append(Segment("open", span[2], span in errors))
    return segments
