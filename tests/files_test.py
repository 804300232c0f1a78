import errno
import hashlib
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.files import (
    check_is_new,
    check_links,
    digest,
    folder_written_whole,
    remove_unfinished,
    write_json,
    write_text,
    written_whole,
)


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


def test_links_stay_and_what_they_name_is_replaced(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/file")
    for text in ("first", "second"):
        write_text(tmp_path / "link", text)
        assert (tmp_path / "link").is_symlink() and (tmp_path / "folder/file").read_text() == text


def test_links_out_of_a_folder(tmp_path):
    folder = tmp_path / "run"
    (folder / "fold-0").mkdir(parents=True)
    (folder / "fold-0/metrics.json").write_text("{}")
    (folder / "latest").symlink_to("fold-0/metrics.json")
    check_links(folder)
    check_links(tmp_path / "none")
    (folder / "fold-0/config.json").symlink_to(tmp_path / "outside")
    with pytest.raises(ConfigurationError, match="fold-0/config.json: found a link to .*outside, expected none out of"):
        check_links(folder)


def test_a_digest_covers_names_and_bytes(tmp_path):
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/c").write_text("1")
    (tmp_path / "a/d").write_text("2")
    assert digest(tmp_path / "a/d") == hashlib.sha256(b"2").hexdigest()
    assert digest(tmp_path / "a") == hashlib.sha256(b"b/c1d2").hexdigest()
    assert digest(tmp_path / "a", str(tmp_path / "a/b")) == hashlib.sha256(b"d2").hexdigest()
    (tmp_path / "link").symlink_to("a")
    assert digest(tmp_path / "link", str(tmp_path / "a/b")) == hashlib.sha256(b"d2").hexdigest()


def test_what_fails_leaves_nothing(tmp_path):
    with pytest.raises(UnicodeEncodeError), written_whole(tmp_path / "a") as unfinished:
        assert not unfinished.exists()
        unfinished.write_text("\ud800", encoding="utf-8")
    with written_whole(tmp_path / "folder") as unfinished:
        (unfinished / "in").mkdir(parents=True)
        (unfinished / "in/file").touch()
    assert (tmp_path / "folder/in/file").exists() and os.listdir(tmp_path) == ["folder"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EFBIG, errno.EDQUOT])
def test_a_full_disk_is_named_with_the_path(number, tmp_path):
    full = OSError(number, os.strerror(number))
    for write, path in ((written_whole, tmp_path / "a"), (folder_written_whole, tmp_path / "folder")):
        with pytest.raises(OSError, match=rf"^\[Errno {number}\] {os.strerror(number)}: '{path}'$"), write(path):
            raise full
        # As `torch.save` does.
        with pytest.raises(OSError, match=f"{os.strerror(number)}: '{path}'"), write(path):
            try:
                raise full
            finally:
                raise RuntimeError("unexpected pos 139264 vs 139156")
    assert not os.listdir(tmp_path)


def test_other_errors_stay_as_they_are(tmp_path):
    denied = PermissionError(errno.EACCES, "Permission denied")
    with pytest.raises(PermissionError) as caught, written_whole(tmp_path / "a"):
        raise denied
    assert caught.value is denied and denied.filename is None


def test_neighbours_and_permissions_stay(tmp_path):
    (tmp_path / "a.txt").write_text("before")
    (tmp_path / "a.txt").chmod(0o640)
    (tmp_path / "a.unfinished").write_text("of somebody else")
    write_text(tmp_path / "a.txt", "after")
    (tmp_path / "new").touch()
    write_text(tmp_path / "new.txt", "after")
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("a.txt", "new", "new.txt")]
    assert modes[0] == 0o640 and modes[1] == modes[2]
    assert (tmp_path / "a.unfinished").read_text() == "of somebody else"


def test_what_is_no_file_is_written_itself(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor() as reader:
        found = reader.submit((tmp_path / "pipe").read_text)
        write_text(tmp_path / "pipe", "text")
        assert found.result() == "text" and (tmp_path / "pipe").is_fifo()
    write_text(Path(os.devnull), "text")
    assert Path(os.devnull).is_char_device()
    with (tmp_path / "out").open("w") as out:
        write_text(Path(f"/dev/fd/{out.fileno()}"), "text")
        assert os.fstat(out.fileno()).st_nlink == 1
    assert (tmp_path / "out").read_text() == "text"


def test_a_folder_is_written_whole(tmp_path):
    folder = tmp_path / "parent/folder"
    for text in ("first", "second"):
        with folder_written_whole(folder) as unfinished:
            (unfinished / "a").write_text(text)
            (unfinished / text).write_text("")
        assert (folder / "a").read_text() == text
    assert sorted(path.name for path in folder.iterdir()) == ["a", "first", "second"]
    with pytest.raises(UnicodeEncodeError), folder_written_whole(folder) as unfinished:
        (unfinished / "a").write_text("third \ud800", encoding="utf-8")
    assert (folder / "a").read_text() == "second" and os.listdir(tmp_path / "parent") == ["folder"]


def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path):
    (tmp_path / ".a.txt.0123.unfinished").touch()
    (tmp_path / ".b.0123.unfinished").mkdir()
    (tmp_path / "a.unfinished").touch()
    remove_unfinished(tmp_path)
    assert os.listdir(tmp_path) == ["a.unfinished"]


def test_an_output_that_is_there_is_no_new_one(tmp_path):
    (tmp_path / "dangling").symlink_to("nothing")
    check_is_new(tmp_path / "nothing")
    for path in (tmp_path, tmp_path / "dangling", os.devnull):
        with pytest.raises(ConfigurationError, match="found an output that exists"):
            check_is_new(path)


def test_paths_that_no_output_can_have(tmp_path):
    (tmp_path / "file").touch()
    for path in ("", tmp_path / "file/below", tmp_path / "file/far/below"):
        with pytest.raises(ConfigurationError, match="found .*, expected the path of an output in a folder"):
            check_is_new(path)
    with pytest.raises(ConfigurationError, match="found the file"), folder_written_whole(tmp_path / "file/below"):
        pass
    for path, found in ((tmp_path, "a folder"), (tmp_path / "none/a", "no folder for it")):
        with (
            pytest.raises(ConfigurationError, match=f"found {found}, expected the path of a file"),
            written_whole(path),
        ):
            pass
    assert os.listdir(tmp_path) == ["file"]
