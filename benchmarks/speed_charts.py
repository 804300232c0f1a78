"""
Draws the first table of docs/results/speed.md: a chart for each column of numbers, with a bar for each row.

    python -m benchmarks.speed_charts
"""

from pathlib import Path
from typing import List

from matplotlib import rc_context
from matplotlib.figure import Figure

PAGE = Path("docs/results/speed.md")
CHARTS = PAGE.with_suffix(".svg")


def first_table(text: str) -> List[List[str]]:
    """Returns the cells of the first table of a page in Markdown: the header, and the rows below the dashes."""
    lines = iter(text.splitlines())
    rows: List[List[str]] = []
    for line in lines:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            break
    header, _, *content = rows
    return [header, *content]


def main() -> None:
    header, *rows = first_table(PAGE.read_text(encoding="utf-8"))
    columns = range(1, len(header))
    figure = Figure(figsize=(10, 0.5 + 0.35 * len(rows)), layout="constrained")
    for column, axes in zip(columns, figure.subplots(1, len(columns), sharey=True), strict=True):
        known = [row for row in rows if row[column] != "-"]
        values = [float(row[column].replace(",", "")) for row in known]
        colors = ["#2b6cb0" if row[0].startswith("nerzoo") else "#a0aec0" for row in known]
        bars = axes.barh([row[0] for row in known], values, color=colors)
        axes.bar_label(bars, [row[column] for row in known], padding=2, fontsize=8)
        axes.set_title(header[column], fontsize=9)
        axes.set_xlim(0, 1.25 * max(values))
        axes.set_xticks([])
        axes.spines[["top", "right", "bottom"]].set_visible(False)
        axes.tick_params(labelsize=8)
    axes.invert_yaxis()
    # The same file for the same table.
    with rc_context({"svg.hashsalt": CHARTS.name}):
        figure.savefig(CHARTS, metadata={"Date": None})


if __name__ == "__main__":
    main()
