import io
import tarfile

import pytest

from nerzoo.archives.parts import opened


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """Five members of 300 bytes, where 1000 bytes may be unpacked."""
    path = tmp_path / "model.tar.gz"
    with tarfile.open(path, "w:gz") as file:
        for number in range(5):
            member = tarfile.TarInfo(f"vocabulary/{number}.txt")
            member.size = 300
            file.addfile(member, io.BytesIO(bytes(300)))
    monkeypatch.setenv("NERZOO_MAX_UNPACKED", "1000")
    return path


def test_small_members_that_together_exceed_the_limit_are_refused(archive):
    found = []
    message = "3.txt', with which it unpacks to 1200 bytes, expected at most 1000"
    with pytest.raises(tarfile.ExtractError, match=message), opened(archive) as reader:
        for member in reader:
            found.append(member.name)
    assert found == [f"vocabulary/{number}.txt" for number in range(3)]


def test_members_of_exactly_the_limit_together_are_read(archive, monkeypatch):
    monkeypatch.setenv("NERZOO_MAX_UNPACKED", "1500")
    with opened(archive) as reader:
        assert len(list(reader)) == 5
