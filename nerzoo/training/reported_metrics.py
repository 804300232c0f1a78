from typing import Any, Dict


def reported_metrics(metrics: Dict[str, Any], prefix: str = "") -> Dict[str, float]:
    """
    Returns the metrics that are single numbers and shown by AllenNLP, which does not show names with an underscore in
    front.

    # Parameters

    metrics : `Dict[str, Any]`
    prefix : `str`, optional (default = `""`)
        Only the metrics whose names begin with it are returned, under the rest of their names.
    """
    named = {name.removeprefix(prefix): value for name, value in metrics.items() if name.startswith(prefix)}
    return {
        name: value for name, value in named.items() if isinstance(value, (int, float)) and not name.startswith("_")
    }


def metrics_line(metrics: Dict[str, float]) -> str:
    """Returns the metrics in one line of text, with four decimal places."""
    return ", ".join(f"{name} {value:.4f}" for name, value in metrics.items())
