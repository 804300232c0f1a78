import io
import json
import tarfile

import pytest

from nerzoo.files import copy_archive, write_json, write_text


def test_json_is_read_as_it_was(tmp_path):
    value = {"words": ["Zoë"], "f1": 0.5, "none": None}
    write_json(tmp_path / "value.json", value)
    assert json.loads((tmp_path / "value.json").read_text(encoding="utf-8")) == value
    assert "Zoë" in (tmp_path / "value.json").read_text(encoding="utf-8")


def test_what_cannot_be_written_whole_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "text.txt"
    write_text(path, "before")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "after \ud800")
    assert path.read_text() == "before"
    write_text(path, "after")
    assert path.read_text() == "after"


def test_a_copy_of_an_archive_has_another_configuration_and_all_else(tmp_path):
    contents = {"config.json": b"{}", "weights.th": bytes(range(256)), "vocabulary/tokens.txt": b"a\nb\n"}
    with tarfile.open(tmp_path / "model.tar.gz", "w:gz") as archive:
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    config = {"model": {"type": "fofe_ner", "levels": [0.5]}}
    copy_archive(str(tmp_path / "model.tar.gz"), str(tmp_path / "copy.tar.gz"), config)
    with tarfile.open(tmp_path / "copy.tar.gz") as archive:
        copied = {member.name: archive.extractfile(member).read() for member in archive}
    assert json.loads(copied.pop("config.json")) == config
    del contents["config.json"]
    assert copied == contents
    with pytest.raises(FileExistsError):
        copy_archive(str(tmp_path / "model.tar.gz"), str(tmp_path / "copy.tar.gz"), config)
