from nerzoo.drawing.heat_map import heat_map
from nerzoo.drawing.prediction import Prediction
from nerzoo.drawing.shaded_words import shaded_words
from nerzoo.drawing.svg import Picture


def gate(prediction: Prediction) -> Picture:
    """
    The words on a shade by the gate of Rei, Crichton and Pyysalo (2016): the stronger, the more a word's own vector
    counts, the fainter, the more its characters do.
    """
    words, values = prediction.words, prediction.values["gate"]
    below = [([f"{value:.2f}" for value in values], "small faint"), (prediction.tags, "small gold")]
    elements, width, height = shaded_words(words, values, below, "gate")
    least, most = (choose(range(len(words)), key=values.__getitem__) for choose in (min, max))
    description = (
        f"The sentence {' '.join(words)}, each word as strong as its gate: from {values[least]:.2f} of {words[least]}, "
        f"whose characters count most, to {values[most]:.2f} of {words[most]}."
    )
    return Picture("Gate: strong is the word, faint its characters", description, width, height, elements)


def gate_features(prediction: Prediction) -> Picture:
    """The gate of each feature: a row for each word, and a column for each feature, in the order of their means."""
    words, values = prediction.words, prediction.values["gate_features"]
    means = [sum(column) / len(words) for column in zip(*values, strict=True)]
    order = sorted(range(len(means)), key=lambda feature: -means[feature])
    rows = [[row[feature] for feature in order] for row in values]
    elements, width, height = heat_map(rows, words, largest=1.0, cell_width=5.0)
    description = (
        f"A matrix: each row is a word, each column one of {len(means)} features, by the mean of its gate, from "
        f"{max(means):.2f} to {min(means):.2f}; strong cells take the feature of the word's vector, faint ones that of "
        "its characters."
    )
    title = "Gate by feature, in the order of means: strong is the word"
    return Picture(title, description, width, height, elements)
