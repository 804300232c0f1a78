import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.nn.functional import embedding

from nerzoo.inference.onnx_graph import GraphInput, write_graph


class Scores(torch.nn.Module):
    """Returns vectors of words as scores of tags. In the exported graph an error is added."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def forward(self, rows, mask, vectors):
        scores = embedding(rows, vectors) * mask.unsqueeze(2)
        return scores + self.error(scores) if torch.onnx.is_in_onnx_export() else scores


def minus_one_for_the_worst(scores):
    """Returns -1 for the worst tag of each word: the best tag and its score stay the same."""
    return -(scores == scores.amin(-1, keepdim=True)).to(scores.dtype)


ERRORS = {
    "all_too_low": lambda scores: -torch.ones_like(scores),
    "all_too_high": torch.ones_like,
    "worst_too_low": minus_one_for_the_worst,
}


@pytest.mark.parametrize("error", ERRORS)
def test_a_graph_with_wrong_scores_is_refused(error, tmp_path):
    with pytest.raises(ConfigurationError, match="found scores that differ by (1.0|0.99).* expected 0.0001 at most"):
        write_graph(Scores(ERRORS[error]), [GraphInput("words", 3)], tmp_path)


def test_a_graph_with_the_same_scores_is_written(tmp_path):
    write_graph(Scores(torch.zeros_like), [GraphInput("words", 3)], tmp_path)
    assert (tmp_path / "emissions.onnx").exists()
