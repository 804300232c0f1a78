"""The colours of pages, drawings and terminals, and of the types of entities in all of them."""

from typing import Dict, Iterable, NamedTuple


class Colour(NamedTuple):
    """A colour on a light page, and its counterpart on a dark one."""

    light: str
    dark: str


PAGE = {
    "paper": Colour("#ffffff", "#0d1117"),
    "ink": Colour("#1b1f24", "#e6edf3"),
    "faint": Colour("#57606a", "#9aa4af"),
    "line": Colour("#8c959f", "#6e7781"),
    "accent": Colour("#0b6bcb", "#58a6ff"),
    "error": Colour("#b3261e", "#ff7b72"),
}
"""The colours of a page, by their names: its background, text, secondary text, lines, links and errors."""

TYPES = (
    Colour("#1166aa", "#5fafff"),
    Colour("#bb0000", "#ff5f00"),
    Colour("#004411", "#00af00"),
    Colour("#551166", "#ff5fd7"),
    Colour("#662200", "#ffaf5f"),
    Colour("#9911aa", "#ffafff"),
    Colour("#1100aa", "#afd7ff"),
    Colour("#5533bb", "#af87d7"),
    Colour("#665522", "#afaf00"),
    Colour("#883355", "#d78787"),
    Colour("#006600", "#00d787"),
    Colour("#005566", "#5fafaf"),
)
"""
The colours of types, the first ones the most distinct. Labels have them, and, diluted to `FILL`, backgrounds. Those of
dark pages are also backgrounds of dark text, and all of them are among the 256 colours of terminals.
"""

FILL = 0.18
"""The share of the colour of a type in the background of an entity; the rest is the colour of the page."""


class TypeNumbers(Dict[str, int]):
    """
    The places of types in `TYPES`, in the order in which they are first asked for. One page has one such dictionary:
    up to twelve types have different colours; then the colours repeat.
    """

    def __missing__(self, label: str) -> int:
        self[label] = len(self) % len(TYPES)
        return self[label]


def displacy_colours(types: Iterable[str]) -> Dict[str, str]:
    """Returns the option `colors` of spaCy's displaCy for types of entities."""
    numbers = TypeNumbers()
    return {label: TYPES[numbers[label]].dark for label in types}


_COLOURS = PAGE | {f"type-{number}": colour for number, colour in enumerate(TYPES)}


def filled(style: str, is_dark: bool) -> str:
    """Replaces `var(--NAME)` by the colour, for viewers of SVG that do not support variables."""
    for name, colour in _COLOURS.items():
        style = style.replace(f"var(--{name})", colour[is_dark])
    return style


PAGE_STYLE = "\n".join(
    [
        ":root {",
        "  color-scheme: light dark;",
        *(f"  --{name}: light-dark({light}, {dark});" for name, (light, dark) in _COLOURS.items()),
        "}",
        *(f".type-{number} {{ --type: var(--type-{number}) }}" for number in range(len(TYPES))),
        "mark { padding: 0.2em 0.3em; border: 1px solid var(--type); border-radius: 4px; color: inherit; "
        f"background: color-mix(in srgb, var(--type) {FILL:.0%}, transparent); "
        "box-decoration-break: clone; -webkit-box-decoration-break: clone }",
        "mark > b { margin-inline-start: 0.4em; color: var(--type); font-size: 0.75em; user-select: none }",
    ]
)
"""
CSS of pages: variables for all colours, and `<mark class="type-NUMBER">TEXT<b>TYPE</b></mark>` for an entity. A page
follows the colours of the system, light or dark, unless it sets `color-scheme`.
"""
