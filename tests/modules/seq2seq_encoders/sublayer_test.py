import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import FeedForward, Seq2SeqEncoder
from allennlp.modules.seq2seq_encoders import FeedForwardEncoder
from allennlp.nn import Activation
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders.dependency_aware import Sublayer

SIZE = 7
LENGTHS = [5, 1, 0, 3]


@pytest.fixture
def inputs() -> torch.Tensor:
    torch.manual_seed(5)
    return torch.randn(len(LENGTHS), max(LENGTHS), SIZE, dtype=torch.float64)


@pytest.fixture
def mask() -> torch.Tensor:
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


def sublayer(output_size=SIZE, residual=True, norm=None, dropout=0.0) -> Sublayer:
    torch.manual_seed(3)
    component = FeedForwardEncoder(FeedForward(SIZE, 1, output_size, Activation.by_name("tanh")()))
    return Sublayer(component, "semantic[1]", residual, residual if norm is None else norm, dropout).double()


def test_residual_equals_the_formula(inputs, mask):
    layer = sublayer()
    torch.nn.init.normal_(layer.norm.weight)
    torch.nn.init.normal_(layer.norm.bias)
    outputs = layer(inputs, mask)
    of_component = layer.component(inputs, mask)
    for row, n in enumerate(LENGTHS):
        for t in range(n):
            x = inputs[row, t] + of_component[row, t]
            normalised = (x - x.mean()) / (x.var(unbiased=False) + layer.norm.eps).sqrt()
            assert_close(outputs[row, t], normalised * layer.norm.weight + layer.norm.bias)
    assert (outputs[~mask] == 0).all()


def test_without_residual_is_the_component(inputs, mask):
    layer = sublayer(output_size=3, residual=False)
    assert torch.equal(layer(inputs, mask), layer.component(inputs, mask))
    assert layer.norm is None


def test_residual_without_norm_is_a_sum(inputs, mask):
    layer = sublayer(norm=False)
    assert layer.norm is None
    assert_close(layer(inputs, mask), (inputs + layer.component(inputs, mask)) * mask.unsqueeze(2))


def test_norm_without_residual_may_change_the_size(inputs, mask):
    layer = sublayer(output_size=3, residual=False, norm=True)
    outputs = layer(inputs, mask)
    x = layer.component(inputs, mask)
    expected = (x - x.mean(2, keepdim=True)) / (x.var(2, unbiased=False, keepdim=True) + layer.norm.eps).sqrt()
    assert_close(outputs[mask], expected[mask])
    assert (outputs[~mask] == 0).all()


def test_context_goes_to_the_component(inputs, mask):
    class Adds(Seq2SeqEncoder):
        def forward(self, inputs, mask, one, two):
            return inputs + one + two

    layer = sublayer(residual=False)
    layer.component = Adds()
    assert_close(layer(inputs, mask, torch.tensor(3.0), torch.tensor(5.0)), inputs + 8.0)


def test_residual_needs_equal_sizes():
    with pytest.raises(ConfigurationError, match=r"semantic\[1\] with residual.* 7 and 3"):
        sublayer(output_size=3)


def test_dropout_is_the_same_at_every_word_and_off_in_evaluation(mask):
    layer = sublayer(dropout=0.5)
    seen = []
    layer.component.register_forward_pre_hook(lambda _, args: seen.append(args[0]))
    ones = torch.ones(*mask.shape, SIZE, dtype=torch.float64)
    layer(ones, mask)
    layer.eval()(ones, mask)
    in_training, in_evaluation = seen
    assert torch.equal(in_training, in_training[:, :1].expand_as(ones))
    assert set(in_training.unique().tolist()) == {0.0, 2.0}
    assert len(in_training[:, 0].unique(dim=0)) > 1  # Each sentence has a mask of its own.
    assert torch.equal(in_evaluation, ones)


def test_the_residual_is_not_dropped(inputs, mask):
    layer = sublayer(dropout=1.0)
    of_nothing = layer.component(torch.zeros_like(inputs), mask)
    assert_close(layer(inputs, mask), layer.norm(inputs + of_nothing) * mask.unsqueeze(2))
