"""Files that are made to take long, or much memory: each is read or refused within seconds of processor time."""

import gzip
import json
import os
import time
import zlib

import pytest
import spacy
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from spacy.tokens import Doc, DocBin

from nerzoo.formats import lines
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.lines import read_lines
from nerzoo.formats.threads import ThreadCorpus

N = 10_000
XML = "<set><article><bibliomisc>1</bibliomisc><sentence>{}</sentence></article></set>"


def word(number, head="_", misc="_"):
    return f"{number}\tw\t_\tN\tN\t_\t{head}\t_\t_\t{misc}\n"


def nested():
    """N entities, one in another, over 2 N words."""
    opening = (word(i + 1, misc=f"Entity=({i}-person-new-nn-1-1-coref") for i in range(N))
    closing = (word(N + i + 1, misc=f"Entity={N - 1 - i})") for i in range(N))
    return "".join([*opening, *closing])


def labels(text, step):
    return json.dumps({"text": text, "label": [[start, len(text) - 1, "A"] for start in range(0, N * step, step)]})


FILES = {
    "nested brackets": ("conllu", nested),
    "nested brackets of names": ({"type": "conllu", "proper_names": True}, nested),
    "brackets in a cell": ("conllu", lambda: word(1, misc="Entity=" + "(a" * 6 * N)),
    "closing brackets": ("conllu", lambda: word(1, misc="Entity=" + ")" * 6 * N)),
    "a chain of heads": ("conllu", lambda: "".join(word(i + 1, (i + 2) % (N + 1)) for i in range(N))),
    "a cycle of heads": ("conllu", lambda: word(1, 0) + "".join(word(i + 2, (i + 1) % N + 2) for i in range(N))),
    "an id of many digits": ("conllu", lambda: word("9" * 5000)),
    "a head of many digits": ("conllu", lambda: word(1, "9" * 5000)),
    "nested elements": ("genia", lambda: XML.format('<cons sem="G#DNA_x">' * N + "w" + "</cons>" * N)),
    "elements": ("genia", lambda: XML.format('<cons sem="G#DNA_x">w</cons> ' * N)),
    "an empty element": ("genia", lambda: XML.format('w <cons sem="G#DNA_x"></cons>')),
    "long entities": ("doccano", lambda: labels("word " * 2 * N, 5)),
    "entities over sentences": ("doccano", lambda: labels("w.\n" * N + "w", 3)),
    "brackets": ("doccano", lambda: json.dumps({"text": "(" * 10 * N, "label": []})),
    "texts of a document": ("doccano", lambda: (json.dumps({"text": "w" + "\n" * (N // 4), "label": []}) + "\n") * N),
    "deep JSON": ("jsonl", lambda: "[" * 10 * N),
    "many keys": ("jsonl", lambda: json.dumps({"words": ["w"], **{f"key{i}": 1 for i in range(N)}})),
    "a word of many letters": ("jsonl", lambda: json.dumps({"words": "w" * 100 * N})),
    "half a surrogate pair": ("jsonl", lambda: '{"words": ["\\ud800"]}'),
    "many digits": ("jsonl", lambda: '{"words": ["w"], "key": ' + "9" * 5000 + "}"),
}


@pytest.mark.parametrize("name", FILES)
def test_files_are_read_or_refused_in_time(name, tmp_path):
    spec, text = FILES[name]
    (tmp_path / "file").write_text(text() + "\n\n")
    corpus = Corpus.from_params(Params({"type": spec} if isinstance(spec, str) else dict(spec)))
    start = time.process_time()
    try:
        assert list(corpus.read(tmp_path / "file"))
    except ConfigurationError as error:
        assert str(error).startswith(f"{tmp_path}/file") and len(str(error)) < 1500
    assert time.process_time() - start < 5


def test_posts_with_many_links(tmp_path):
    links = [[{"to": None, "act": "a"}, *({"to": str(to), "act": "a"} for to in range(i))] for i in range(700)]
    posts = [{"id": str(i), "author": "a", "text": "t", "links": of_post} for i, of_post in enumerate(links)]
    (tmp_path / "file").write_text(json.dumps({"id": "1", "posts": posts}))
    start = time.process_time()
    (thread,) = ThreadCorpus.by_name("jsonl")().read(tmp_path / "file")
    assert len(thread.posts[-1].links) == 700 and time.process_time() - start < 5


@pytest.mark.parametrize("piece", [b"a", b"\n"])
def test_a_bomb_of_a_line_or_of_many(piece, tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "_SMALL", 2**18)
    with gzip.open(tmp_path / "bomb", "wb") as file:
        for _ in range(16):
            file.write(piece * 2**20)
    with pytest.raises(ConfigurationError, match="bomb: found a gzipped file of more than 200 times its bytes"):
        for _ in read_lines(tmp_path / "bomb"):
            pass


def test_a_doc_bin_that_unpacks_to_too_many_bytes(tmp_path):
    (tmp_path / "bomb").write_bytes(zlib.compress(bytes(2**27)))
    with pytest.raises(ConfigurationError, match="bomb: found a DocBin of more than 200 times its bytes"):
        list(Corpus.by_name("spacy")().read(tmp_path / "bomb"))


def test_joining_docs_of_one_document_takes_linear_time(tmp_path):
    doc = Doc(spacy.blank("xx").vocab, ["w", "\n" * N], user_data={"doc_id": None})

    def seconds(num_docs):
        DocBin(docs=[doc] * num_docs, store_user_data=True).to_disk(tmp_path / "file")
        start = time.process_time()
        (document,) = Corpus.by_name("spacy")().read(tmp_path / "file")
        assert len(document.sentences) == num_docs
        return time.process_time() - start

    # The first reading imports what it needs.
    seconds(1)
    few, many = seconds(N // 24), seconds(N // 6)
    # It would be sixteen times as much if the time were quadratic.
    assert many < 8 * few


@pytest.mark.parametrize("opened", [open, gzip.open])
def test_a_long_line(opened, tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "MAX_LINE", 10)
    with opened(tmp_path / "file", "wb") as file:
        file.write(b"0123456789\n")
    with pytest.raises(ConfigurationError, match="file:1: found a line of more than 10 bytes, expected at most lines"):
        list(read_lines(tmp_path / "file"))


@pytest.mark.parametrize("length", [5, 15, -3])
def test_gzip_that_is_cut_off_or_damaged(length, tmp_path):
    content = gzip.compress(b"w B-X\n\n" * 100)
    (tmp_path / "file").write_bytes(content[:length])
    with pytest.raises(ConfigurationError, match="file:.* found (the end of a gzipped|a file that cannot be)"):
        list(read_lines(tmp_path / "file"))
    (tmp_path / "file").write_bytes(content[:-8] + b"\0" * 8)
    with pytest.raises(ConfigurationError, match="file: found a file that cannot be read .CRC"):
        list(read_lines(tmp_path / "file"))


def test_what_is_no_file(tmp_path):
    with pytest.raises(ConfigurationError, match="found a file that cannot be read .*Is a directory"):
        list(read_lines(tmp_path))
    with pytest.raises(ConfigurationError, match="none: found no such file"):
        list(read_lines(tmp_path / "none"))
    for url in ("ftp://host/x", "file:///etc/passwd"):
        with pytest.raises(ConfigurationError, match=f"{url}: found a URL of the scheme .*expected a file, or one of"):
            list(read_lines(url))


@pytest.mark.parametrize("name", ["brat", "ontonotes", "parquet"])
def test_pipes_in_a_folder_are_not_waited_for(name, tmp_path):
    for file in ("x.ann", "x.txt", "x_gold_conll", "x.parquet"):
        os.mkfifo(tmp_path / file)
    with pytest.raises(ConfigurationError, match="found a (folder|directory) without"):
        list(Corpus.by_name(name)().read(tmp_path))
