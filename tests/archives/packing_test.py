import io
import json
import tarfile

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.archives import CHECKSUMS_NAME, content, copy_archive, unpack, write_checksums
from nerzoo.archives.packing import archive_model_whole
from nerzoo.archives.reading import check_folder, digest
from nerzoo.archives.trust import is_own, remember


def contents(path):
    with tarfile.open(path) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}


@pytest.fixture
def folder(tmp_path):
    """That of a training."""
    folder = tmp_path / "run"
    (folder / "vocabulary").mkdir(parents=True)
    (folder / "vocabulary/tokens.txt").write_text("a\nb\n")
    (folder / "config.json").write_text('{"model": {"type": "fofe_ner"}}')
    (folder / "best.th").write_bytes(bytes(range(256)))
    (folder / "notes.txt").write_text("notes")
    return folder


def test_a_training_is_packed_with_checksums(folder, tmp_path):
    archive_model_whole(folder, "best.th", tmp_path / "model.tar.gz", ["no*.txt"])
    found = contents(tmp_path / "model.tar.gz")
    assert found.keys() == {"config.json", "weights.th", "vocabulary/tokens.txt", "notes.txt", "checksums.sha256"}
    assert found["weights.th"] == bytes(range(256))
    (tmp_path / "unpacked").mkdir()
    unpack(tmp_path / "model.tar.gz", tmp_path / "unpacked")
    assert is_own(json.loads(found["config.json"]))


def test_what_several_patterns_name_is_packed_once(folder, tmp_path):
    patterns = ["*.json", "vocab*", "notes*", "*.txt"]
    archive_model_whole(folder, "best.th", tmp_path / "model.tar.gz", patterns)
    with tarfile.open(tmp_path / "model.tar.gz") as archive:
        names = archive.getnames()
    files = ["checksums.sha256", "config.json", "notes.txt", "vocabulary", "vocabulary/tokens.txt", "weights.th"]
    assert sorted(names) == files
    (tmp_path / "unpacked").mkdir()
    unpack(tmp_path / "model.tar.gz", tmp_path / "unpacked")


@pytest.mark.parametrize(
    "given, expected", [(None, "run/model.tar.gz"), ("other.tar.gz", "other.tar.gz"), ("", "model.tar.gz")]
)
def test_an_archive_is_written_where_it_is_asked_for(folder, tmp_path, given, expected):
    (folder / "meta.json").write_text("{}")
    archive_path = None if given is None else tmp_path / given
    assert archive_model_whole(str(folder), "best.th", archive_path, ["notes.txt"]) == str(tmp_path / expected)
    found = contents(tmp_path / expected)
    lines = found.pop("checksums.sha256").decode().splitlines()
    assert [line.partition("  ")[2] for line in lines] == sorted(found)
    assert (found.pop("vocabulary/tokens.txt"), found.pop("weights.th")) == (b"a\nb\n", bytes(range(256)))
    assert found == {name: (folder / name).read_bytes() for name in ("config.json", "meta.json", "notes.txt")}


def test_unpacking_a_folder_copies_what_loading_needs(folder, tmp_path):
    (tmp_path / "copy").mkdir()
    unpack(folder, tmp_path / "copy")
    found = {path.relative_to(tmp_path / "copy").as_posix(): path for path in (tmp_path / "copy").rglob("*.*")}
    assert found.keys() == {"config.json", "best.th", "vocabulary/tokens.txt"}
    assert all(path.read_bytes() == (folder / name).read_bytes() for name, path in found.items())


def test_what_loading_needs_has_a_checksum(folder):
    write_checksums(folder)
    lines = (folder / CHECKSUMS_NAME).read_text().splitlines()
    names = ["best.th", "config.json", "vocabulary/tokens.txt"]
    assert lines == [f"{digest(folder / name)}  {name}" for name in names]
    check_folder("run", folder)
    (folder / "vocabulary/tokens.txt").write_text("a\nc\n")
    with pytest.raises(ConfigurationError, match="run: found 'vocabulary/tokens.txt' with the SHA-256"):
        check_folder("run", folder)


@pytest.mark.parametrize("name, kind", [("best.th", "weights"), ("config.json", "config")])
def test_what_a_training_lacks(folder, name, kind, tmp_path):
    (folder / name).unlink()
    with pytest.raises(RuntimeError, match=f"{kind} file '.*{name}' does not exist, unable to archive model"):
        archive_model_whole(folder, "best.th", tmp_path / "model.tar.gz")


def test_the_content_of_a_folder_is_that_of_an_archive(folder, tmp_path):
    (tmp_path / "model.tar.gz").write_bytes(content(folder))
    found = contents(tmp_path / "model.tar.gz")
    assert found.keys() == {"config.json", "best.th", "vocabulary/tokens.txt", "checksums.sha256"}
    assert content(tmp_path / "model.tar.gz") == (tmp_path / "model.tar.gz").read_bytes()


@pytest.mark.parametrize("was_own", [True, False])
def test_a_copy_of_an_archive_changes_only_its_configuration(tmp_path, was_own):
    before = {"config.json": b'{"a": %d}' % was_own, "weights.th": bytes(range(256)), "vocabulary/tokens.txt": b"a\n"}
    if was_own:
        remember({"a": 1})
    with tarfile.open(tmp_path / "model.tar.gz", "w:gz") as archive:
        folder = tarfile.TarInfo("vocabulary")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, text in {**before, "checksums.sha256": b"old"}.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    config = {"model": {"type": "fofe_ner", "levels": [0.5], "own": was_own}}
    copy_archive(str(tmp_path / "model.tar.gz"), str(tmp_path / "copy.tar.gz"), config, {"more.json": "{}"})
    copied = contents(tmp_path / "copy.tar.gz")
    (tmp_path / "folder").mkdir()
    unpack(tmp_path / "copy.tar.gz", tmp_path / "folder")
    assert len(copied.pop(CHECKSUMS_NAME).splitlines()) == 4
    assert json.loads(copied.pop("config.json")) == config and copied.pop("more.json") == b"{}"
    del before["config.json"]
    assert copied == before
    assert is_own(config) == was_own
    with pytest.raises(ConfigurationError, match="exists"):
        copy_archive(str(tmp_path / "model.tar.gz"), str(tmp_path / "copy.tar.gz"), config)
