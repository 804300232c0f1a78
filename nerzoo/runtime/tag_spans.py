from typing import List, Sequence, Tuple

# conlleval does not know the coding scheme, so a prefix has the same meaning in all of them.
_READ_AS = {"O": "O", "B": "B", "I": "I", "E": "E", "L": "E", "S": "S", "U": "S"}


def tag_spans(tags: Sequence[str]) -> List[Tuple[int, int, str]]:
    """
    Turns the tags of a sentence into spans, `(start, end, label)`, in order, the end exclusive.

    Any sequence of tags is legal: two neighbouring tags decide where spans start and end, as in `conlleval`. A span
    starts at B and S (or U); at I and E (or L) after O, E or S, and wherever the label changes. It ends before the next
    start, after E and S, and before O. A prefix without a label, such as "B" alone, has the empty label; a label
    without a prefix, such as "PERSON", is outside; an unknown prefix with a label counts as I.
    """
    spans: List[Tuple[int, int, str]] = []
    previous = "O"
    for position, tag in enumerate(tags):
        prefix, _, label = tag.partition("-")
        prefix = _READ_AS.get(prefix, "I" if label else "O")
        if prefix in "BS" or (prefix in "IE" and (previous in "OES" or label != spans[-1][2])):
            spans.append((position, position + 1, label))
        elif prefix != "O":
            spans[-1] = (spans[-1][0], position + 1, label)
        previous = prefix
    return spans
