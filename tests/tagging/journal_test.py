import errno
import os

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.tagging.journal import Journal


def fill_disk(monkeypatch):
    """Lets the next write get half of its content to the disk and then fail."""
    write, contents = os.write, []

    def write_half(file, content):
        contents.append(content)
        if len(contents) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, content[: len(content) // 2])

    monkeypatch.setattr("nerzoo.tagging.journal.os.write", write_half)


def test_a_failed_write_after_resume_keeps_the_journal(tmp_path, monkeypatch):
    journal = Journal(tmp_path / "output.journal", {"model": "m"})
    journal.start()
    journal.append([{"words": ["Mara"]}, {"words": ["Calder"]}])
    journal.close()
    before = journal.path.read_bytes()
    resumed = Journal(journal.path, {"model": "m"})
    assert resumed.resume() == 2
    with monkeypatch.context() as patch:
        fill_disk(patch)
        with pytest.raises(ConfigurationError, match="No space left on device; its lines are whole"):
            resumed.append([{"words": ["Varda"]}])
    assert journal.path.read_bytes() == before
    # When there is room again, the next entry comes right after the old ones.
    resumed.append([{"words": ["Lindow"]}])
    resumed.close()
    assert [entry["words"] for entry in resumed.entries()] == [["Mara"], ["Calder"], ["Lindow"]]
