import resource
import threading

import lmdb
import pytest
import torch
from allennlp.common.checks import ConfigurationError

from nerzoo.modules.vector_cache import VARIABLE, kept_vectors


@pytest.fixture(autouse=True)
def path(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "vectors"))
    return tmp_path / "vectors"


def test_other_trainings_write_while_vectors_are_computed(path):
    written = []

    def compute(missing):
        # The environment of this process, which must not open the file twice.
        writing = threading.Thread(target=lambda: kept_vectors([b"other"], [1], 1, lambda _: torch.ones(1, 1, 1)))
        writing.start()
        writing.join(timeout=20)
        written.append(not writing.is_alive())
        return torch.full((len(missing), 2, 1), 3.0)

    found = kept_vectors([b"a", b"b", b"a"], [2, 1, 2], 1, compute)
    assert written == [True] and found.squeeze(-1).tolist() == [[3.0, 3.0], [3.0, 0.0], [3.0, 3.0]]
    again = kept_vectors([b"other", b"b"], [1, 1], 1, lambda missing: pytest.fail(f"{missing} are kept"))
    assert again.squeeze(-1).tolist() == [[1.0], [3.0]]


def test_numbers_above_those_of_half_precision_become_the_largest():
    values = torch.tensor([[[1e6, -1e6, 1.5]]])
    assert kept_vectors([b"a"], [1], 3, lambda _: values).tolist() == [[[65504.0, -65504.0, 1.5]]]


def test_a_full_disk_is_an_error_that_names_the_file(path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    kept_vectors([b"a"], [1], 1, lambda _: torch.ones(1, 1, 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(ConfigurationError, match=f"{path}: found .*expected a file of {VARIABLE}") as raised:
            kept_vectors([b"b"], [1], 1_000_000, lambda _: torch.ones(1, 1, 1_000_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert isinstance(raised.value.__cause__, lmdb.Error)
    # What is there can be read.
    assert kept_vectors([b"a"], [1], 1, lambda _: pytest.fail("it is kept")).tolist() == [[[1.0]]]
