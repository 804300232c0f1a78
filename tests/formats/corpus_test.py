import gzip
import logging

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.formats.corpus import Corpus

FORMATS = ["columns", "conllu", "jsonl", "ontonotes", "semeval2010"]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("content", ["", "\n \n\t\n"], ids=["empty", "blank"])
def test_a_file_without_sentences(tmp_path, name, content):
    path = tmp_path / "empty.txt"
    path.write_text(content)
    with pytest.raises(ConfigurationError, match="empty.txt: found no sentence, expected at least one"):
        list(Corpus.by_name(name)().read(path))


@pytest.mark.parametrize("name", FORMATS)
def test_bytes_that_are_not_utf_8(tmp_path, name):
    path = tmp_path / "latin-1.txt"
    path.write_bytes("é\n".encode("latin-1"))
    with pytest.raises(ConfigurationError, match="latin-1.txt:1: found the byte 0xe9"):
        list(Corpus.by_name(name)().read(path))


def test_file_endings_do_not_matter(tmp_path):
    content = b"Anna B-PER\nleft O\n\nOslo B-LOC\n"
    variants = [
        content,
        content.rstrip(),
        content.replace(b"\n", b"\r\n"),
        gzip.compress(content),
        b"\xef\xbb\xbf" + content,
    ]
    path = tmp_path / "file"
    corpora = []
    for variant in variants:
        path.write_bytes(variant)
        corpora.append(list(Corpus.by_name("columns")().read(path)))
    assert [len(sentence.words) for sentence in corpora[0][0].sentences] == [2, 1]
    assert all(corpus == corpora[0] for corpus in corpora)


def test_what_is_skipped_is_counted(tmp_path, caplog):
    caplog.set_level(logging.INFO, logger="nerzoo")
    path = tmp_path / "file.conllu"
    rows = [["1-2", "du"], ["1", "de"], ["2", "le"], ["2.1", "il"]]
    path.write_text("\n".join("\t".join([*row, *"________"]) for row in rows))
    list(Corpus.by_name("conllu")().read(path))
    assert caplog.messages == [f"{path}: left out or adapted: 1 empty nodes, 1 multiword ranges"]
