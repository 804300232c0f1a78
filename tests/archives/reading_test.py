import io
import json
import os
import pickle
import subprocess
import tarfile
import zipfile

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models import load_archive
from allennlp.nn import util
from helpers.tampered import packed, unpacked

import nerzoo.components  # noqa: F401
from nerzoo import archives
from nerzoo.archives.reading import SAFETENSORS_NAME, opened, read_config, safetensors, weights_path


@pytest.fixture
def five_members(tmp_path, monkeypatch):
    """Five members of 300 bytes, where 1000 bytes may be unpacked."""
    path = tmp_path / "model.tar.gz"
    with tarfile.open(path, "w:gz") as file:
        for number in range(5):
            member = tarfile.TarInfo(f"vocabulary/{number}.txt")
            member.size = 300
            file.addfile(member, io.BytesIO(bytes(300)))
    monkeypatch.setenv("NERZOO_MAX_UNPACKED", "1000")
    return path


def test_small_members_that_together_exceed_the_limit_are_refused(five_members):
    found = []
    message = "3.txt', with which it unpacks to 1200 bytes, expected at most 1000"
    with pytest.raises(tarfile.ExtractError, match=message), opened(five_members) as (_, members):
        for member in members:
            found.append(member.name)
    assert found == [f"vocabulary/{number}.txt" for number in range(3)]


def test_members_that_reach_the_size_limit_exactly_are_read(five_members, monkeypatch):
    monkeypatch.setenv("NERZOO_MAX_UNPACKED", "1500")
    with opened(five_members) as (_, members):
        assert len(list(members)) == 5


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_long_configuration_is_read_as_it_is(tmp_path, is_packed):
    config = {"model": {"labels": [f"label {number}" for number in range(20000)]}}
    path = tmp_path / "run"
    path.mkdir()
    (path / "config.json").write_text(json.dumps(config))
    if is_packed:
        path = unpacked(packed(path, tmp_path / "model.tar.gz"), tmp_path / "unpacked")
    assert read_config("run", path) == config


@pytest.fixture
def folder(request, tmp_path):
    return unpacked(request.getfixturevalue("archives")("ner"), tmp_path / "folder")


def test_coreutils_read_them(folder):
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", archives.CHECKSUMS_NAME], cwd=folder, check=True)
    named = {line.partition("  ")[2] for line in (folder / archives.CHECKSUMS_NAME).read_text().splitlines()}
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert named == files - {archives.CHECKSUMS_NAME}


@pytest.mark.parametrize("load", [archives.load, load_archive])
@pytest.mark.parametrize("name", ["config.json", "weights.th", "vocabulary/tokens.txt", "meta.json"])
def test_a_flipped_bit_is_found(folder, load, name):
    load(folder)
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(ConfigurationError, match=f"folder: found '{name}' with the SHA-256 .*damaged"):
        load(folder)


@pytest.mark.parametrize("name", ["missing", "/etc/passwd", "../outside"])
def test_a_file_that_is_not_in_the_folder(folder, name, tmp_path):
    (tmp_path / "outside").write_text("")
    with (folder / archives.CHECKSUMS_NAME).open("a") as file:
        file.write(f"{'0' * 64}  {name}\n")
    with pytest.raises(ConfigurationError, match=f"found '{name}' with the SHA-256 no file, expected 000000000000"):
        archives.load(folder)


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
    with pytest.raises(ConfigurationError, match="weights.th: found NaN in the weights b.weight"):
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
def test_weights_that_are_views_are_refused(tmp_path, tensor):
    with pytest.raises(ConfigurationError, match="weights.th: found the weights a as a view or complex"):
        util.read_state_dict(saved(tmp_path / "weights.th", {"a": tensor}))
