from nerzoo.drawing.arcs import strongest
from nerzoo.drawing.prediction import Prediction
from nerzoo.drawing.shaded_words import shaded_words
from nerzoo.drawing.svg import Picture


def global_attention(prediction: Prediction) -> Picture:
    """
    The words on a shade by the weight that the sentence gives them, with their gold tags, if known, and the predicted
    ones below: Figure 5 of Aguilar and Solorio (2019).
    """
    words, weights = prediction.words, prediction.values["global_attention"]
    largest = max(weights) or 1.0
    gold = [tag if tag != "O" else "" for tag in prediction.values.get("gold_tags") or ()]
    elements, width, height = shaded_words(
        words,
        [weight / largest for weight in weights],
        [([f"{weight:.2f}" for weight in weights], "small faint"), (gold, "small"), (prediction.tags, "small gold")],
        "share of the largest weight",
    )
    most = ", ".join(f"{words[position]} {weights[position]:.2f}" for position in strongest(weights, 3))
    description = f"The sentence {' '.join(words)}, each word as strong as the weight that is on it; most: {most}."
    return Picture(f"Global attention; largest {largest:.2f}", description, width, height, elements)
