import subprocess

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.models import load_archive
from helpers.tampered import unpacked

from nerzoo import archives
from nerzoo.archives import checksums


@pytest.fixture
def folder(request, tmp_path):
    return unpacked(request.getfixturevalue("archives")("ner"), tmp_path / "folder")


def test_coreutils_read_them(folder):
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", checksums.CHECKSUMS_NAME], cwd=folder, check=True)
    named = {line.partition("  ")[2] for line in (folder / checksums.CHECKSUMS_NAME).read_text().splitlines()}
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert named == files - {checksums.CHECKSUMS_NAME}


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
    with (folder / checksums.CHECKSUMS_NAME).open("a") as file:
        file.write(f"{'0' * 64}  {name}\n")
    with pytest.raises(ConfigurationError, match=f"found '{name}' with the SHA-256 no file, expected 000000000000"):
        archives.load(folder)
