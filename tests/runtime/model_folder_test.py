import hashlib

import pytest

from nerzoo.runtime.word_input import ModelFolder

FILES = {"settings.json": b'{"format": 4, "tags": ["O"]}', "a.npy": b"\x00\xff"}


@pytest.fixture
def folder(tmp_path):
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    lines = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in FILES.items()]
    (tmp_path / "checksums.sha256").write_text("".join(lines))
    return tmp_path


def test_a_whole_folder_is_read(folder):
    (folder / "other.json").write_text("[1]")
    for path in (folder, str(folder)):
        found = ModelFolder(path)
        assert (found.path, found.settings, found.read_json("other.json")) == (
            folder,
            {"format": 4, "tags": ["O"]},
            [1],
        )


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_checked(folder, name):
    (folder / name).write_bytes(FILES[name] + b" ")
    with pytest.raises(ValueError, match=f"{name}: found another content"):
        ModelFolder(folder)
    (folder / name).unlink()
    with pytest.raises(ValueError, match=f"{name}: found no file"):
        ModelFolder(folder)


@pytest.mark.parametrize("settings", ['{"format": 1}', '{"format": "2"}', "[2]", "2", "{}", "{", "\udcff"])
def test_another_format_is_refused(folder, settings):
    (folder / "settings.json").write_text(settings, errors="surrogateescape")
    with pytest.raises(ValueError, match="settings.json: found"):
        ModelFolder(folder)
