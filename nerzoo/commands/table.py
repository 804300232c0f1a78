from typing import List


def aligned(rows: List[List[str]], to_the_right: bool = False) -> str:
    """
    Makes lines of text from rows of cells, as many in each row. Each column is as wide as its widest cell. Cells stand
    at the left of their columns or, if asked for, those of all columns but the first at the right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if to_the_right and place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
