"""Text for people: entities marked in plain text, on a terminal and in HTML, and tables."""

import html
import unicodedata
from typing import Any, Callable, Iterable, Iterator, List, Mapping, Sequence, Tuple, Union

from nerzoo.text.annotation import running_text, word_offsets
from nerzoo.text.palette import PAGE_STYLE, TYPES, Colour, TypeNumbers

Span = Tuple[int, int, str]
"""Start and end, exclusive, in characters, and label."""

_RESET = "\x1b[0m"
# The six levels of red, green and blue in the colours 16 to 231 of terminals. Colour 16 is black, whatever the theme.
_LEVELS = (0, 95, 135, 175, 215, 255)
PAGE_BEGINNING = f"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Entities</title>
<style>
{PAGE_STYLE}
body {{ margin: 2em auto; padding: 0 1em; max-width: 50em; background: var(--paper); color: var(--ink) }}
p {{ font: 1em/2.2 sans-serif; white-space: pre-wrap }}
</style>
"""
PAGE_END = "</html>\n"


def marked_text(text: str, spans: Iterable[Span]) -> str:
    """Returns a text with its entities in brackets, each with its label: `[Mara PER] lived in [Calder LOC].`"""
    return _marked(text, spans, lambda span: "[", lambda span, around: f" {span[2]}]", str)


def coloured_text(text: str, spans: Iterable[Span], numbers: TypeNumbers) -> str:
    """
    Returns a text for a terminal, with its entities in the colours of their types. Control characters are shown as
    escapes.
    """

    def style(span: Span) -> str:
        return _terminal_style(TYPES[numbers[span[2]]])

    def closing(span: Span, around: Sequence[Span]) -> str:
        return f" \x1b[1m{_visible(span[2])} {_RESET}{style(around[-1]) if around else ''}"

    return _marked(text, spans, lambda span: f"{_RESET}{style(span)} ", closing, _visible)


def html_paragraph(text: str, spans: Iterable[Span], numbers: TypeNumbers) -> str:
    """Returns a paragraph of HTML, with each entity in a `<mark>`, for a page from `PAGE_BEGINNING` to `PAGE_END`."""

    def opening(span: Span) -> str:
        return f'<mark class="type-{numbers[span[2]]}">'

    marked = _marked(text, spans, opening, lambda span, _: f"<b>{html.escape(span[2])}</b></mark>", html.escape)
    return f'<p dir="auto">{marked}</p>\n'


def marked_parts(
    inputs: Union[str, Mapping[str, Any]], prediction: Mapping[str, Any]
) -> Iterator[Tuple[str, List[Span]]]:
    """
    Yields the text and the entities of a prediction, given its item; the parts of one without a text of its own, such
    as a document of words. Tags that stand for themselves are marked at each word.
    """
    given: Mapping[str, Any] = {"text": inputs} if isinstance(inputs, str) else inputs
    texts = (prediction.get("text"), given.get("text"), given.get("sentence"))
    text = next((found for found in texts if found is not None), None)
    sentences = prediction.get("sentences", [prediction])
    if text is None and "sentences" in prediction:
        parts = given.get("sentences") or [{}] * len(sentences)
        for part, sentence in zip(parts, sentences, strict=True):
            yield from marked_parts(part, sentence)
        return
    if text is None:
        text = running_text(prediction["words"], given.get("space_after"))
    if "entities" in prediction:
        yield text, [(entity["start_char"], entity["end_char"], entity["label"]) for entity in prediction["entities"]]
        return
    spans: List[Span] = []
    for sentence in sentences:
        words = sentence["words"]
        starts = sentence.get("offsets") or word_offsets(words, text)
        rows = zip(starts, words, sentence["tags"], strict=True)
        spans += [(start, start + len(word), tag) for start, word, tag in rows]
    yield text, spans


def aligned(rows: List[List[str]], to_the_right: bool = False) -> str:
    """Formats rows of cells as a table, aligned left or, with `to_the_right`, right after the first column."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if to_the_right and place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _marked(
    text: str,
    spans: Iterable[Span],
    opening: Callable[[Span], str],
    closing: Callable[[Span, Sequence[Span]], str],
    escape: Callable[[str], str],
) -> str:
    """Marks spans, which may be nested. `closing` also gets the spans around the one that ends."""
    pieces: List[str] = []
    around: List[Span] = []
    position = 0

    def move_to(target: int) -> None:
        nonlocal position
        while around and around[-1][1] <= target:
            span = around.pop()
            pieces.append(escape(text[position : span[1]]) + closing(span, around))
            position = max(position, span[1])
        pieces.append(escape(text[position:target]))
        position = max(position, target)

    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        move_to(span[0])
        pieces.append(opening(span))
        around.append(span)
    move_to(len(text))
    return "".join(pieces)


def _terminal_style(colour: Colour) -> str:
    red, green, blue = (_LEVELS.index(level) for level in bytes.fromhex(colour.dark[1:]))
    return f"\x1b[38;5;16;48;5;{16 + 36 * red + 6 * green + blue}m"


def _visible(text: str) -> str:
    """Replaces control characters, which could change the terminal."""
    return "".join(
        character.encode("unicode_escape").decode()
        if unicodedata.category(character) == "Cc" and character not in "\n\t"
        else character
        for character in text
    )
