from typing import List
from xml.etree.ElementTree import Element

from nerzoo.drawing.layout import LINE, extent, several_lines, text_width
from nerzoo.drawing.prediction import Prediction
from nerzoo.drawing.svg import FONT_SIZE, Picture, element, label

_SPACE = 10.0


def decoders(prediction: Prediction) -> Picture:
    """
    The tags of both decoders of Seq2Biseq (Dinarelli and Grobol, 2019) below the words, where they differ on a shade,
    and the gold tags, if known.
    """
    words, values = prediction.words, prediction.values
    rows = {"backward ←": values["backward_tags"], "forward →": values["tags"]}
    if values.get("gold_tags"):
        rows["gold"] = values["gold_tags"]
    left = max(map(text_width, rows)) + 2 * _SPACE
    places = several_lines(words, *rows.values(), left=left)
    height = LINE * (1 + len(rows)) + _SPACE
    elements: List[Element] = []
    for line in range(places[-1].row + 1):
        for number, name in enumerate(rows, 1):
            elements.append(label(name, 0, line * height + number * LINE + FONT_SIZE, "small faint", "start"))
    different = []
    for position, (word, place) in enumerate(zip(words, places, strict=True)):
        top = place.row * height
        backward, forward = values["backward_tags"][position], values["tags"][position]
        if backward != forward:
            different.append(f"{word}: {backward} and {forward}")
            shade = element(
                "rect",
                "differs",
                title=different[-1],
                x=place.left - 4,
                y=top + LINE,
                width=place.width + 8,
                height=2 * LINE,
            )
            elements.append(shade)
        elements.append(label(word, place.middle, top + FONT_SIZE))
        for number, tags in enumerate(rows.values(), 1):
            tag = tags[position]
            class_ = "small faint" if tag == "O" else "small gold" if number == 3 else "small"
            elements.append(label(tag, place.middle, top + number * LINE + FONT_SIZE, class_))
    description = (
        f"The sentence {' '.join(words)} with the tags of the decoder from right to left and of the one from left to "
        f"right, which differ in {len(different)} of {len(words)} words. {'; '.join(different)}"
    )
    return Picture("Decoders", description, extent(places), (places[-1].row + 1) * height, elements)
