import warnings
from pathlib import Path
from typing import Any, Dict, List, NamedTuple

import torch
from allennlp.common.checks import ConfigurationError

from nerzoo.exporting.emissions import Emissions
from nerzoo.extras import extra

_OPSET = 17
_TOLERANCE = 1e-4


class GraphInput(NamedTuple):
    """
    The name of an input of the graph, and what it has: vectors of `size` numbers or, if `is_characters`, indices below
    `size` of `min_length` characters or more.
    """

    name: str
    size: int
    is_characters: bool = False
    min_length: int = 0


def write_graph(emissions: Emissions, inputs: List[GraphInput], path: Path) -> None:
    """
    Writes what `Emissions` computes as ONNX, for batches of any size, and compares what ONNX Runtime makes of it. The
    inputs are `rows` and `mask`, and then the others.

    # Raises

    `ConfigurationError` where a package of the extra `onnx` is missing, or the scores of the two differ by more than
    1e-4.
    """
    onnxruntime = _onnxruntime()
    traced = _example(inputs, num_sentences=2, num_words=5, num_distinct=4, num_characters=7)
    axes = {part.name: {0: "distinct", **({1: "characters"} if part.is_characters else {})} for part in inputs}
    of_words = {0: "sentences", 1: "words"}
    with warnings.catch_warnings(), torch.no_grad():
        # That this exporter is the older one, and that it cannot know whether sizes are free: it is seen below.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            emissions,
            tuple(traced.values()),
            str(path),
            dynamo=False,
            opset_version=_OPSET,
            input_names=list(traced),
            output_names=["emissions"],
            dynamic_axes={"rows": of_words, "mask": of_words, "emissions": of_words, **axes},
        )
        example = _example(inputs, num_sentences=3, num_words=11, num_distinct=6, num_characters=9)
        expected = emissions(*example.values())
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    (found,) = session.run(None, {name: tensor.numpy() for name, tensor in example.items()})
    difference = (torch.from_numpy(found) - expected)[example["mask"]].abs().max().item()
    if not difference <= _TOLERANCE:
        raise ConfigurationError(
            f"found scores that differ by {difference} between ONNX Runtime {onnxruntime.__version__} and PyTorch "
            f"{torch.__version__}, expected {_TOLERANCE} at most"
        )


def _onnxruntime() -> Any:
    with extra("onnx", ", which exported taggers need"):
        import onnx  # noqa: F401, which torch.onnx asks for
        import onnxruntime
    return onnxruntime


def _example(
    inputs: List[GraphInput], num_sentences: int, num_words: int, num_distinct: int, num_characters: int
) -> Dict[str, torch.Tensor]:
    """Returns random arguments of `Emissions`, by name: sentences and words of all lengths up to the longest."""
    generator = torch.Generator().manual_seed(1)
    lengths = torch.arange(num_words, 0, -1)[:num_sentences]
    example = {
        "rows": torch.randint(num_distinct, (num_sentences, num_words), generator=generator),
        "mask": torch.arange(num_words) < lengths.unsqueeze(1),
    }
    for part in inputs:
        if part.is_characters:
            longest = max(num_characters, part.min_length)
            indices = torch.randint(1, part.size, (num_distinct, longest), generator=generator)
            example[part.name] = indices.tril(longest - num_distinct)
        else:
            example[part.name] = torch.randn(num_distinct, part.size, generator=generator)
    return example
