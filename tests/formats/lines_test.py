import gzip

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.errors import format_error
from nerzoo.formats.lines import Line, blocks, read_lines, split_columns


@pytest.mark.parametrize(
    "content", [b"a\n\nb c\n", b"a\r\n\r\nb c\r\n", b"\xef\xbb\xbfa\n\nb c"], ids=["unix", "windows", "bom"]
)
@pytest.mark.parametrize("compress", [lambda content: content, gzip.compress], ids=["plain", "gz"])
def test_read_lines(tmp_path, content, compress):
    path = tmp_path / "without_suffix"
    path.write_bytes(compress(content))
    assert list(read_lines(path)) == [Line(str(path), 1, "a"), Line(str(path), 2, ""), Line(str(path), 3, "b c")]


def test_bytes_that_are_not_utf_8(tmp_path):
    path = tmp_path / "latin-1.txt"
    path.write_bytes("good\ncafé\n".encode("latin-1"))
    with pytest.raises(ConfigurationError, match=r"latin-1.txt:2: found the byte 0xe9 as byte 4 of the line.*UTF-8"):
        list(read_lines(path))


def test_format_error_names_the_sentence():
    error = format_error(Line("file.txt", 7, "", sentence_id="s1"), "one thing", "another")
    assert "file.txt:7 (sentence s1): found one thing, expected another" in str(error)


def test_blocks():
    lines = [Line("", number, text) for number, text in enumerate(["", "a", "b", "\t", " ", "\u3000"])]
    assert [[line.text for line in block] for block in blocks(lines)] == [["a", "b"], ["\u3000"]]


def test_split_columns():
    lines = [Line("", 1, "a \t b "), Line("", 2, "c\xa0c d")]
    assert split_columns(lines) == [["a", "b"], ["c\xa0c", "d"]]
    assert split_columns([Line("", 1, "a a\t\tb")], "\t") == [["a a", "", "b"]]


def test_ragged_columns():
    with pytest.raises(ConfigurationError, match="f:2: found 3 columns, expected 2"):
        split_columns([Line("f", 1, "a b"), Line("f", 2, "a b c")])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\nb\rc\n", "2: found a carriage return in a line, expected Unix or Windows line ends"),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n", "2: found a byte order mark, expected none after the first line"),
    ],
)
def test_files_of_other_systems_and_joined_ones(content, message, tmp_path):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(ConfigurationError, match=message):
        list(read_lines(tmp_path / "file"))


def test_what_is_long_is_shortened_in_errors():
    location = Line("a.txt", 3, "text", "s" * 5000)
    message = str(format_error(location, "f" * 5000, "e" * 5000))
    assert message.startswith("a.txt:3 (sentence sss") and message.endswith("eee") and "fff ... fff" in message
    assert len(message) < 2000
