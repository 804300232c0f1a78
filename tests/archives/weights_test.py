import io
import os
import pickle
import zipfile

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.nn import util

import nerzoo.components  # noqa: F401
from nerzoo.archives.reading import SAFETENSORS_NAME, safetensors, weights_path


def saved(path, value):
    torch.save(value, path)
    return path


def test_weights_are_read_as_ever(tmp_path):
    state = {"a": torch.tensor([1.0, float("-inf")]), "b": torch.tensor([1, 2])}
    found = util.read_state_dict(saved(tmp_path / "weights.th", state))
    assert found.keys() == state.keys() and all(torch.equal(found[name], state[name]) for name in state)


def test_weights_as_safetensors_are_found_and_read_as_others_are(tmp_path):
    state = {"a.weight": torch.randn(2, 3), "a.bias": torch.zeros(0), "b": torch.tensor([True])}
    saved(tmp_path / "other.th", state)
    assert weights_path(tmp_path) == tmp_path / "best.th"
    safetensors().save_file(state, tmp_path / SAFETENSORS_NAME)
    assert weights_path(tmp_path) == tmp_path / SAFETENSORS_NAME
    for options in ({}, {"ignore": ["b"], "strip_prefix": "a."}):
        expected = util.read_state_dict(tmp_path / "other.th", **options)
        # AllenNLP asks for what would be there otherwise.
        for name in (SAFETENSORS_NAME, "best.th"):
            found = util.read_state_dict(tmp_path / name, **options)
            assert found.keys() == expected.keys()
            assert all(torch.equal(found[key], expected[key]) for key in expected)
    # A file that is there is what is read.
    assert util.read_state_dict(saved(tmp_path / "other.th", {"c": torch.ones(1)})).keys() == {"c"}


def test_numbers_that_are_none(tmp_path):
    state = {"a": torch.zeros(2), "b.weight": torch.tensor([0.0, float("nan")])}
    with pytest.raises(ConfigurationError, match="weights.th: found weights that are no numbers in b.weight"):
        util.read_state_dict(saved(tmp_path / "weights.th", state))


def test_code_is_not_run(tmp_path, monkeypatch):
    class Code:
        def __reduce__(self):
            return os.mkdir, ("marker",)

    monkeypatch.chdir(tmp_path)
    for content in (saved(tmp_path / "new", {"a": Code()}).read_bytes(), pickle.dumps({"a": Code()})):
        (tmp_path / "weights.th").write_bytes(content)
        with pytest.raises(ConfigurationError, match="weights.th: found weights that cannot be read"):
            util.read_state_dict(tmp_path / "weights.th")
    assert not (tmp_path / "marker").exists()


@pytest.mark.parametrize("length", [0, 10, -10])
def test_weights_that_are_cut_off(tmp_path, length):
    path = saved(tmp_path / "weights.th", {"a": torch.zeros(1000)})
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(ConfigurationError, match="weights.th: found weights that cannot be read"):
        util.read_state_dict(path)


@pytest.mark.parametrize("name", ["weights.th", "model.safetensors"])
def test_weights_that_are_text(tmp_path, name):
    (tmp_path / name).write_text("no weights at all\n" * 10)
    with pytest.raises(ConfigurationError, match=f"{name}: found weights that cannot be read"):
        util.read_state_dict(tmp_path / name)


def test_compressed_weights(tmp_path):
    content = io.BytesIO()
    torch.save({"a": torch.zeros(100_000)}, content)
    with (
        zipfile.ZipFile(content) as source,
        zipfile.ZipFile(tmp_path / "weights.th", "w", zipfile.ZIP_DEFLATED) as file,
    ):
        for name in source.namelist():
            file.writestr(name, source.read(name))
    with pytest.raises(ConfigurationError, match="weights.th: found weights of 400.* bytes, expected at most those of"):
        util.read_state_dict(tmp_path / "weights.th")


@pytest.mark.parametrize(
    "tensor", [torch.zeros(1).expand(10**10), torch.zeros(1).expand(2), torch.zeros(2, dtype=torch.complex64)]
)
def test_views_of_a_few_numbers_are_not_copied(tmp_path, tensor):
    with pytest.raises(ConfigurationError, match="weights.th: found a as other than the numbers of a tensor"):
        util.read_state_dict(saved(tmp_path / "weights.th", {"a": tensor}))
