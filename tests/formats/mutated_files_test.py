"""
Files of all formats, changed in any way: each is read, or ends in a `ConfigurationError`, within a second.

    MUTATIONS=10000 uv run pytest tests/data/mutated_files_test.py      # of each format; without it 25
"""

import gzip
import logging
import os
import time

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.small_files import small_files
from hypothesis import HealthCheck, given, settings, strategies as st

FORMATS = list(small_files())
PIECES = [
    *(
        b"",
        b"\n",
        b"\n\n",
        b"\t",
        b" ",
        b"\r",
        b"\0",
        b"\xff",
        b"\xc3",
        b"\xef\xbb\xbf",
        b"-",
        b"_",
        b"*",
        b"|",
        b"=",
        b"#",
    ),
    *(
        b"(",
        b")",
        b"[",
        b"]",
        b"{",
        b"}",
        b"<",
        b">",
        b'"',
        b"\\",
        b"\\ud800",
        b"&x;",
        b"<cons>",
        b"</cons>",
        b"null",
        b"NaN",
    ),
    *(
        b"-1",
        b"0",
        b"1-2",
        b"1.1",
        b"1e999",
        b"9" * 20,
        b"9" * 5000,
        b"(" * 2000,
        b"[" * 3000,
        b'{"a":' * 3000,
        b"a" * 5000,
    ),
    *(
        b"B-PER",
        b"I-",
        b"Entity=(1-person-new-nn-1-1-coref)",
        b"NER=X",
        b"@@PADDING@@",
        "\u2028\u00a0\u200b\ufeff".encode(),
    ),
]
EDIT = st.tuples(
    st.floats(0, 1), st.sampled_from(["insert", "replace", "delete", "cut", "double", "swap"]), st.sampled_from(PIECES)
)
CHANGES = st.tuples(
    st.lists(EDIT, min_size=1, max_size=4), st.sampled_from(["plain", "plain", "plain", "gz", "cut gz"])
)


def changed(content, edits):
    for share, kind, piece in edits:
        place = int(share * len(content))
        before, after = content[:place], content[place:]
        if kind == "insert":
            content = before + piece + after
        elif kind == "replace":
            content = before + piece + after[max(1, len(piece)) :]
        elif kind == "delete":
            content = before + after[1 + len(piece) :]
        elif kind == "cut":
            content = before
        elif kind == "double":
            content = before + after[:200] + after
        else:
            content = after + before
    return content


def packed(content, form):
    if form == "plain":
        return content
    zipped = gzip.compress(content, mtime=0)
    return zipped if form == "gz" else zipped[: len(zipped) * 2 // 3]


@pytest.mark.parametrize("name, read, file, files", FORMATS, ids=[name for name, *_ in FORMATS])
def test_each_is_read_or_said_to_be_wrong(name, read, file, files, tmp_path, caplog):
    caplog.set_level(logging.ERROR)
    for other, content in files.items():
        (tmp_path / other).write_bytes(content)
    assert list(read(tmp_path / file))

    @settings(
        max_examples=int(os.environ.get("MUTATIONS", 25)),
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(CHANGES)
    def check(changes):
        edits, form = changes
        (tmp_path / file).write_bytes(packed(changed(files[file], edits), form))
        start = time.process_time()
        try:
            for document in read(tmp_path / file):
                assert document is not None
        except ConfigurationError as error:
            assert len(str(error)) < 3000
        assert time.process_time() - start < 1

    check()
