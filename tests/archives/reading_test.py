import io
import json
import subprocess
import tarfile

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.models import load_archive
from helpers.tampered import packed, unpacked

from nerzoo import archives
from nerzoo.archives.reading import opened, read_config


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


def test_members_of_exactly_the_limit_together_are_read(five_members, monkeypatch):
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
