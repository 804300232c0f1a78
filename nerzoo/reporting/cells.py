"""Writes the cells of tables as text."""

from typing import Any, Sequence

from nerzoo.reporting.marked_text import MarkedText

NONE = "–"


def written(value: Any, kind: str) -> str:
    """Returns the text of a cell of a `Column` of some kind, other than `"marked"`."""
    if value is None:
        return NONE
    if kind in ("interval", "scores"):
        return " to ".join(written(bound, "difference" if kind == "interval" else "score") for bound in value)
    if kind in ("score", "difference"):
        return f"{100 * value:{'+' if kind == 'difference' else ''}.2f}"
    if kind in ("number", "p"):
        return f"{value:.4f}"
    if kind in ("count", "heat"):
        # Means over runs need not be whole.
        return f"{value:,.1f}".removesuffix(".0")
    return str(value)


def order(value: Any, kind: str) -> str:
    """Returns the number by which a cell is sorted, or nothing, where that is its text."""
    if kind in ("text", "marked"):
        return ""
    return "" if value is None else repr(float(value[0] if kind in ("interval", "scores") else value))


def markdown_text(text: str) -> str:
    """Escapes what Markdown would not show as it is, line ends too."""
    escaped = "".join(f"\\{character}" if character in "\\`*_{}[]<>#|~$" else character for character in text)
    return " ".join(escaped.split())


def markdown_marked(texts: Sequence[MarkedText]) -> str:
    """Writes sentences in a cell in Markdown: labels are bold, and those of wrong entities struck through."""
    return "<br>".join(map(_markdown, texts))


def _markdown(text: MarkedText) -> str:
    parts = []
    for kind, content, is_wrong in text.segments:
        if kind == "words":
            parts.append(markdown_text(content))
        elif kind == "open":
            parts.append("\\[")
        else:
            label = f"**{markdown_text(content)}**"
            parts.append(f"\\]{f'~~{label}~~' if is_wrong else label}")
    sentence = " ".join(parts).replace("\\[ ", "\\[").replace(" \\]", "\\]")
    return "<br>".join([f"{text.times}: {sentence}" if text.times else sentence, *map(markdown_text, text.remarks)])
