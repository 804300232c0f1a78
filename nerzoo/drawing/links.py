from typing import Any, Dict, List
from xml.etree.ElementTree import Element

from nerzoo.drawing.arcs import weighted_arc
from nerzoo.drawing.heat_map import heat_map
from nerzoo.drawing.layout import text_width
from nerzoo.drawing.prediction import Prediction
from nerzoo.drawing.relative_attention import NULL
from nerzoo.drawing.svg import FONT_SIZE, Picture, label

_ROW = 24.0


def links(prediction: Prediction) -> Picture:
    """
    The posts of a thread below one another, with their acts, and an arc from each to the post that it replies to, as
    dark as the probability of the link.
    """
    posts = prediction.values["posts"]
    rows = {None: 0, **{post["id"]: row for row, post in enumerate(posts, 1)}}
    width = max(_reach(row - rows[post["link"]]) for row, post in enumerate(posts, 1)) + 12
    elements: List[Element] = [label(NULL, width, FONT_SIZE, anchor="start")]
    texts = [f"{post['id']}  {post['act']} {post['act_probability']:.2f}{_gold(post)}" for post in posts]
    for row, (post, text) in enumerate(zip(posts, texts, strict=True), 1):
        start, end = (place * _ROW + 0.7 * FONT_SIZE for place in (row, rows[post["link"]]))
        x, bend = width - 6, width - 6 - _reach(row - rows[post["link"]]) * 4 / 3
        curve = f"M{x:.1f} {start:.1f} C{bend:.1f} {start:.1f} {bend:.1f} {end:.1f} {x:.1f} {end:.1f}"
        probability = post["link_probability"]
        title = f"{post['id']} → {post['link'] or NULL}: {probability:.3f}"
        elements.append(weighted_arc(curve, x, end, False, probability, 1.0, title))
        elements.append(label(text, width, row * _ROW + FONT_SIZE, anchor="start"))
    said = "; ".join(
        f"{post['id']} replies to {'nothing' if post['link'] is None else post['link']} ({post['act']})"
        for post in posts
    )
    return Picture(
        "Links of posts, as strong as probable",
        f"A thread of {len(posts)} posts: {said}.",
        width + max(map(text_width, texts)),
        (len(posts) + 1) * _ROW,
        elements,
    )


def link_attention(prediction: Prediction) -> Picture:
    """The weights that posts, in rows, give to the head of the thread and to posts, in columns."""
    posts = prediction.values["posts"]
    names = [str(post["id"]) for post in posts]
    weights = [post["attention"] for post in posts]
    elements, width, height = heat_map(weights, names, [NULL, *names])
    description = "A matrix: each row is a post, each cell the weight that it gives to the post of the column."
    largest = max(max(row) for row in weights)
    return Picture(f"Attention of posts; largest {largest:.2f}", description, width, height, elements)


def _reach(distance: int) -> float:
    return 14.0 * distance**0.6


def _gold(post: Dict[str, Any]) -> str:
    gold = ", ".join(f"{link['act']} of {link['to'] or NULL}" for link in post.get("gold_links") or ())
    return f"  (gold: {gold})" if gold else ""
