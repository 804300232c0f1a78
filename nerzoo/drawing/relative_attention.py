from nerzoo.drawing.heat_map import heat_map
from nerzoo.drawing.prediction import Prediction
from nerzoo.drawing.svg import Picture

NULL = "∅"
"""How the null memory is called."""


def relative_attention(prediction: Prediction) -> Picture:
    """
    The weights that words, in rows, give to words, in columns: Figure 4 of Aguilar and Solorio (2019). Also those that
    words give to the slots of a memory of their sentence.
    """
    weights, words = prediction.values["relative_attention"], prediction.words
    columns = [*[NULL] * (len(weights[0]) - len(words)), *words]
    elements, width, height = heat_map(weights, words, columns)
    largest, row, column = max((weight, i, j) for i, of_row in enumerate(weights) for j, weight in enumerate(of_row))
    description = (
        f"A matrix: each row is a word, each cell the weight that it gives to the word of the column. The largest is "
        f"{largest:.2f}, of {words[row]} to {columns[column]}."
    )
    return Picture(f"Attention, row to column; largest {largest:.2f}", description, width, height, elements)
