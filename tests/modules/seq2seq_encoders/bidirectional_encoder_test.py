import pytest
import torch
from allennlp.common import Params
from allennlp.modules import Seq2SeqEncoder
from torch.testing import assert_close

from nerzoo.modules.seq2seq_encoders.bidirectional import BidirectionalEncoder, BiGru, BiLstm

INPUT_SIZE, HIDDEN_SIZE = 5, 3
LENGTHS = [7, 1, 0, 3, 2]


@pytest.fixture(params=[BiLstm, BiGru])
def encoder(request) -> BidirectionalEncoder:
    torch.manual_seed(3)
    return request.param(INPUT_SIZE, HIDDEN_SIZE).double()


@pytest.fixture
def inputs() -> torch.Tensor:
    torch.manual_seed(5)
    return torch.randn(len(LENGTHS), max(LENGTHS), INPUT_SIZE, dtype=torch.float64)


@pytest.fixture
def mask() -> torch.Tensor:
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


@pytest.mark.parametrize("name, kind", [("bilstm", BiLstm), ("bigru", BiGru)])
def test_is_registered(name, kind):
    encoder = Seq2SeqEncoder.from_params(Params({"type": name, "input_size": INPUT_SIZE, "hidden_size": HIDDEN_SIZE}))
    assert type(encoder) is kind
    assert (encoder.get_input_dim(), encoder.get_output_dim()) == (INPUT_SIZE, 2 * HIDDEN_SIZE)
    assert encoder.is_bidirectional()


@torch.no_grad()
def test_equals_the_packed_network(encoder, inputs, mask):
    name = {BiLstm: "lstm", BiGru: "gru"}[type(encoder)]
    packed = Seq2SeqEncoder.by_name(name)(input_size=INPUT_SIZE, hidden_size=HIDDEN_SIZE, bidirectional=True).double()
    for parameter, weight in encoder.forward_network.named_parameters():
        getattr(packed._module, parameter).copy_(weight)
    for parameter, weight in encoder.backward_network.named_parameters():
        getattr(packed._module, f"{parameter}_reverse").copy_(weight)
    assert_close(encoder(inputs, mask), packed(inputs, mask))


def test_padding_is_zero_and_has_no_influence(encoder, inputs, mask):
    inputs.requires_grad_()
    outputs = encoder(inputs, mask)
    outputs.square().sum().backward()
    assert (outputs[~mask] == 0).all() and (inputs.grad[~mask] == 0).all()
    assert_close(encoder(inputs.masked_fill(~mask.unsqueeze(2), 1e3), mask), outputs)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu(encoder, inputs, mask):
    results = []
    for device in ("cpu", "cuda"):
        on_device = inputs.to(device, copy=True).requires_grad_()
        encoder.to(device).zero_grad()
        outputs = encoder(on_device, mask.to(device))
        outputs.square().sum().backward()
        results.append([outputs, on_device.grad, *(parameter.grad for parameter in encoder.parameters())])
    for on_cpu, on_gpu in zip(*results, strict=True):
        assert_close(on_gpu.cpu(), on_cpu.cpu())
