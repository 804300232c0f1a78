import errno
import json
import os

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.inference.tag import Journal

SETTINGS = {"model": "m.tar.gz", "inputs": [["a.txt", 3]]}
ENTRIES = [{"words": ["Mara", "é"]}, {"words": []}, {"error": "a.txt:3"}]
HEADER = json.dumps({"nerzoo_tag": SETTINGS}).encode() + b"\n"
LINES = [json.dumps(entry).encode() + b"\n" for entry in ENTRIES]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "output.journal"


@pytest.fixture
def journal(path):
    journal = Journal(path, SETTINGS)
    yield journal
    journal.close()


def writes(monkeypatch, *sizes):
    """Has each write take no more than so many bytes; a size of `None` is a disk that is full."""
    left, write = list(sizes), os.write

    def limited(file, content):
        size = left.pop(0) if left else len(content)
        if size is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, content[:size])

    monkeypatch.setattr("nerzoo.inference.tag.os.write", limited)


def test_what_is_appended_is_there_in_order(journal, path):
    journal.start()
    assert path.read_bytes() == HEADER
    journal.append(ENTRIES[:2])
    journal.append([])
    journal.append(ENTRIES[2:])
    assert path.read_bytes() == HEADER + b"".join(LINES)
    assert list(journal.entries()) == ENTRIES


def test_what_was_there_before_a_start_is_gone(journal, path):
    path.write_bytes(HEADER + b"".join(LINES))
    journal.start()
    journal.append(ENTRIES[1:2])
    assert path.read_bytes() == HEADER + LINES[1]


def test_all_that_the_umask_allows_may_read_it(journal, path):
    before = os.umask(0o027)
    try:
        journal.start()
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640


def test_what_is_appended_is_on_the_disk(journal, path, monkeypatch):
    synced = []
    monkeypatch.setattr("nerzoo.inference.tag.os.fsync", lambda file: synced.append(os.fstat(file).st_size))
    journal.start()
    journal.append(ENTRIES[:1])
    assert synced == [len(HEADER), len(HEADER + LINES[0])]


@pytest.mark.parametrize("num_lines", range(4))
@pytest.mark.parametrize("cut_off", [b"", b"{", LINES[0][:-1]])
def test_a_run_goes_on_after_the_last_whole_line(journal, path, num_lines, cut_off):
    path.write_bytes(HEADER + b"".join(LINES[:num_lines]) + cut_off)
    assert journal.resume() == num_lines
    assert path.read_bytes() == HEADER + b"".join(LINES[:num_lines])
    journal.append(ENTRIES[num_lines:])
    assert list(journal.entries()) == ENTRIES


@pytest.mark.parametrize("beginning", [b"", HEADER[:5], HEADER[:-1]])
def test_a_run_that_ended_in_its_first_line_starts_anew(journal, path, beginning):
    path.write_bytes(beginning)
    assert journal.is_ours()
    assert journal.resume() == 0
    journal.append(ENTRIES)
    assert path.read_bytes() == HEADER + b"".join(LINES)


def test_the_settings_may_be_some_of_those_before(path):
    path.write_bytes(HEADER + LINES[0])
    journal = Journal(path, {"model": "m.tar.gz"})
    assert journal.resume() == 1
    journal.close()


@pytest.mark.parametrize(
    "header",
    [
        {"nerzoo_tag": {**SETTINGS, "inputs": [["a.txt", 4]]}},
        {"nerzoo_tag": {"model": "m.tar.gz"}},
        {"another": SETTINGS},
        [SETTINGS],
        None,
    ],
)
def test_another_run_is_left_as_it_is(journal, path, header):
    content = json.dumps(header).encode() + b"\n" + LINES[0] + b"{"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match="output.journal: found a"):
        journal.resume()
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("content", "expected"),
    [(HEADER + LINES[0], True), (HEADER[:3], True), (b"", True), (b"mine\n", False), (b' {"nerzoo_tag"', False)],
)
def test_a_journal_is_known_by_its_beginning(journal, path, content, expected):
    path.write_bytes(content)
    assert journal.is_ours() == expected


def test_what_is_written_in_pieces_is_whole(journal, path, monkeypatch):
    writes(monkeypatch, 1, 2, 3, 1, 1, 5)
    journal.start()
    journal.append(ENTRIES)
    assert path.read_bytes() == HEADER + b"".join(LINES)


@pytest.mark.parametrize("written", [0, 7, len(LINES[1])])
@pytest.mark.parametrize("resumed", [False, True])
def test_of_entries_that_find_no_room_none_is_there(journal, path, monkeypatch, written, resumed):
    if resumed:
        path.write_bytes(HEADER)
        journal.resume()
    else:
        journal.start()
    journal.append(ENTRIES[:1])
    for _ in range(2):
        writes(monkeypatch, written, None)
        with pytest.raises(ConfigurationError, match="output.journal: No space left"):
            journal.append(ENTRIES[1:])
        assert path.read_bytes() == HEADER + LINES[0]
    # There is room again.
    journal.append(ENTRIES[1:])
    assert path.read_bytes() == HEADER + b"".join(LINES)


def test_a_start_without_room_leaves_an_empty_file(journal, path, monkeypatch):
    path.write_bytes(HEADER + LINES[0])
    writes(monkeypatch, 4, None)
    with pytest.raises(ConfigurationError, match="No space left"):
        journal.start()
    assert path.read_bytes() == b""


def test_only_its_own_file_is_closed_and_once(journal, monkeypatch):
    closed, close = [], os.close
    monkeypatch.setattr("nerzoo.inference.tag.os.close", lambda file: (closed.append(file), close(file)))
    journal.close()
    journal.start()
    journal.close()
    journal.close()
    assert len(closed) == 1 and closed[0] > 2
