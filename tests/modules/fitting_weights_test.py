import pytest
import torch
from allennlp.common.checks import ConfigurationError

from nerzoo.modules.fitting_weights import FittingWeights


class Resized(torch.nn.Linear):
    resized_parameters = ("weight",)

    def _load_from_state_dict(self, state_dict, prefix, *args):
        self.weight = torch.nn.Parameter(torch.empty_like(state_dict[f"{prefix}weight"]))
        super()._load_from_state_dict(state_dict, prefix, *args)


class Tagger(FittingWeights):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer


def test_weights_of_the_same_model():
    loaded, expected = (Tagger(torch.nn.Linear(2, 3)) for _ in range(2))
    loaded.load_state_dict(expected.state_dict())
    assert torch.equal(loaded.layer.weight, expected.layer.weight)


@pytest.mark.parametrize(
    "layer, message",
    [
        (
            torch.nn.Linear(2, 4),
            r"found a tensor of \[4\] for layer.bias .*, expected a tensor of \[3\]",
        ),
        (torch.nn.Bilinear(2, 2, 3), r"found a tensor of \[3, 2, 2\] for layer.weight"),
        (torch.nn.Sequential(torch.nn.Linear(2, 3)), "found a tensor of .* for layer.0.bias .*, expected nothing"),
    ],
)
def test_weights_of_another_model(layer, message):
    for strict in (True, False):
        with pytest.raises(ConfigurationError, match=message):
            Tagger(torch.nn.Linear(2, 3)).load_state_dict(Tagger(layer).state_dict(), strict)


def test_a_part_of_the_weights():
    loaded, part = Tagger(torch.nn.Linear(2, 3)), Tagger(torch.nn.Linear(2, 3, bias=False))
    loaded.load_state_dict(part.state_dict(), strict=False)
    assert torch.equal(loaded.layer.weight, part.layer.weight)
    with pytest.raises(ConfigurationError, match="found nothing for layer.bias"):
        loaded.load_state_dict(part.state_dict())


def test_parameters_that_take_their_size_from_the_weights():
    loaded = Tagger(Resized(2, 3, bias=False))
    expected = Tagger(torch.nn.Linear(2, 5, bias=False))
    loaded.load_state_dict(expected.state_dict())
    assert torch.equal(loaded.layer.weight, expected.layer.weight)
    with pytest.raises(ConfigurationError, match=r"found a tensor of \[4\] for layer.weight"):
        loaded.load_state_dict(Tagger(torch.nn.Linear(4, 5, bias=False)).state_dict())
