import io
import json
import tarfile

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.archives import checksums, content, copy_archive, own_configurations, pack_training, unpack


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
    pack_training(folder, folder / "best.th", tmp_path / "model.tar.gz", ["no*.txt"])
    found = contents(tmp_path / "model.tar.gz")
    assert found.keys() == {"config.json", "weights.th", "vocabulary/tokens.txt", "notes.txt", "checksums.sha256"}
    assert found["weights.th"] == bytes(range(256))
    (tmp_path / "unpacked").mkdir()
    unpack(tmp_path / "model.tar.gz", tmp_path / "unpacked")
    assert own_configurations.is_own(json.loads(found["config.json"]))


@pytest.mark.parametrize("name, kind", [("best.th", "weights"), ("config.json", "config")])
def test_what_a_training_lacks(folder, name, kind, tmp_path):
    (folder / name).unlink()
    with pytest.raises(RuntimeError, match=f"{kind} file '.*{name}' does not exist, unable to archive model"):
        pack_training(folder, folder / "best.th", tmp_path / "model.tar.gz")


def test_the_content_of_a_folder_is_that_of_an_archive(folder, tmp_path):
    (tmp_path / "model.tar.gz").write_bytes(content(folder))
    found = contents(tmp_path / "model.tar.gz")
    assert found.keys() == {"config.json", "best.th", "vocabulary/tokens.txt", "checksums.sha256"}
    assert content(tmp_path / "model.tar.gz") == (tmp_path / "model.tar.gz").read_bytes()


@pytest.mark.parametrize("is_own", [True, False])
def test_a_copy_of_an_archive_has_another_configuration_and_all_else(tmp_path, is_own):
    before = {"config.json": b'{"a": %d}' % is_own, "weights.th": bytes(range(256)), "vocabulary/tokens.txt": b"a\n"}
    if is_own:
        own_configurations.remember({"a": 1})
    with tarfile.open(tmp_path / "model.tar.gz", "w:gz") as archive:
        folder = tarfile.TarInfo("vocabulary")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, text in {**before, "checksums.sha256": b"old"}.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    config = {"model": {"type": "fofe_ner", "levels": [0.5], "own": is_own}}
    copy_archive(str(tmp_path / "model.tar.gz"), str(tmp_path / "copy.tar.gz"), config, {"more.json": "{}"})
    copied = contents(tmp_path / "copy.tar.gz")
    (tmp_path / "folder").mkdir()
    unpack(tmp_path / "copy.tar.gz", tmp_path / "folder")
    assert len(copied.pop(checksums.CHECKSUMS_NAME).splitlines()) == 4
    assert json.loads(copied.pop("config.json")) == config and copied.pop("more.json") == b"{}"
    del before["config.json"]
    assert copied == before
    assert own_configurations.is_own(config) == is_own
    with pytest.raises(ConfigurationError, match="exists"):
        copy_archive(str(tmp_path / "model.tar.gz"), str(tmp_path / "copy.tar.gz"), config)
