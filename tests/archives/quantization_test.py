import torch
from torch.testing import assert_close

from nerzoo.archives.quantization import (
    SCALES,
    packed_in_4_bits,
    quantized,
    unpacked_4_bits,
    with_quantized,
    without_quantized,
)


def test_numbers_are_off_by_half_a_step_of_their_row_at_most():
    rows = torch.randn(50, 40, generator=torch.Generator().manual_seed(1)) * 10.0 ** torch.arange(-20, 30, 1)[:50, None]
    rows = rows.clamp(-1000, 1000)
    numbers, scales = quantized(rows)
    assert numbers.dtype == torch.int8 and scales.dtype == torch.half and scales.shape == (50, 1)
    largest = rows.abs().amax(1, keepdim=True)
    usual = largest[:, 0] > 1e-3
    error = (numbers * scales.float() - rows).abs()
    assert (error <= largest * (1 / 254 + 2**-11))[usual].all()
    # A row whose scale half precision can hardly express is next to zero.
    assert (error <= 1e-5)[~usual].all() and (~usual).any()


def test_4_bits_are_two_numbers_a_byte():
    rows = torch.randn(50, 40, generator=torch.Generator().manual_seed(1))
    packed, scales = packed_in_4_bits(rows)
    assert packed.dtype == torch.uint8 and packed.shape == (50, 20)
    largest = rows.abs().amax(1, keepdim=True)
    error = (unpacked_4_bits(packed) * scales.float() - rows).abs()
    assert (error <= largest * (1 / 14 + 2**-11)).all() and (error.amax(1) > largest[:, 0] / 30).all()
    assert torch.equal(unpacked_4_bits(packed.view(5, 10, 20)), unpacked_4_bits(packed).view(5, 10, 40))


def test_a_row_of_zeros_stays_zero():
    numbers, scales = quantized(torch.zeros(2, 3))
    assert not (numbers * scales).any()


def test_only_large_tables_of_floating_point_numbers_are_packed():
    generator = torch.Generator().manual_seed(1)
    weights = {
        "table": torch.randn(200, 100, generator=generator),
        "filters": torch.randn(50, 30, 15, generator=generator),
        "half": torch.randn(200, 100, generator=generator).half(),
        "bias": torch.randn(20000, generator=generator),
        "transitions": torch.full((50, 50), -10000.0),
        "rows": torch.arange(40000).view(200, 200),
    }
    packed = with_quantized(weights)
    kept = ["bias", "transitions", "rows"]
    assert {name for name in packed if name.endswith(SCALES)} == {name + SCALES for name in weights.keys() - {*kept}}
    assert all(packed[name] is weights[name] for name in kept)
    unpacked = without_quantized(packed)
    assert unpacked.keys() == weights.keys()
    for name, tensor in unpacked.items():
        assert tensor.shape == weights[name].shape
        assert_close(tensor, weights[name], rtol=0, atol=0.03, check_dtype=False)
        assert tensor.is_floating_point() == weights[name].is_floating_point()
