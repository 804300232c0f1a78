import torch
from allennlp.models import archival
from allennlp.nn import util

from nerzoo.compatibility.weights import SAFETENSORS_NAME, safetensors


def test_weights_as_safetensors_are_found_and_read_as_others_are(tmp_path):
    state = {"a.weight": torch.randn(2, 3), "a.bias": torch.zeros(0), "b": torch.tensor([True])}
    torch.save(state, tmp_path / "weights.th")
    assert archival.get_weights_path(tmp_path) == str(tmp_path / "weights.th")
    safetensors().save_file(state, tmp_path / SAFETENSORS_NAME)
    assert archival.get_weights_path(tmp_path) == str(tmp_path / SAFETENSORS_NAME)
    for options in ({}, {"ignore": ["b"], "strip_prefix": "a."}):
        found, expected = (
            util.read_state_dict(tmp_path / name, **options) for name in (SAFETENSORS_NAME, "weights.th")
        )
        assert found.keys() == expected.keys() and all(torch.equal(found[name], expected[name]) for name in expected)
