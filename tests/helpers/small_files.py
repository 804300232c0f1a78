"""A small file of each format that a corpus reads: its reader, its name, and its bytes."""

import json
import tempfile
from pathlib import Path

from allennlp.common import Params
from helpers.paths import FIXTURES

from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.formats.corpus import AnnotationWriter, Corpus
from nerzoo.formats.threads import ThreadCorpus

GENIA = """<?xml version="1.0" encoding="UTF-8"?>
<set>
<article><articleinfo><bibliomisc>MEDLINE:1</bibliomisc></articleinfo>
<title><sentence><cons lex="a" sem="G#protein_molecule">IL-2 <cons lex="b" sem="G#DNA_part">gene</cons></cons> in
<cons lex="c" sem="(AND G#cell_line G#cell_line)">T and B</cons> cells</sentence></title>
<abstract><sentence>Nothing &amp; more.</sentence></abstract></article>
</set>
"""
LOG = "[10:00] <bob> what is this?\n=== cy has joined #chat\n[10:01]  * bob nods\n[10:02] (cy/#chat) pasted\n"
MOLWENI = [
    {
        "id": "d",
        "edus": [{"speaker": "ann ", "text": "Why?"}, {"speaker": "", "text": "No."}],
        "relations": [{"x": 0, "y": 1, "type": "Comment"}],
    }
]


def _fixture(path, lines):
    return b"".join((FIXTURES / path).read_bytes().splitlines(keepends=True)[:lines])


def _written(name):
    """Returns the bytes of the file of the format; for brat, of the annotation beside a text."""
    document = next(ConlluCorpus().read(FIXTURES / "people_and_places/dev.conllu"))
    document.sentences = document.sentences[:3]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x")
        AnnotationWriter.by_name(name)().write_all([document], path)
        files = sorted(path.rglob("*.*")) if path.is_dir() else [path]
        return {file.name: file.read_bytes() for file in files}


def small_files():
    """Yields the name of the format, a function that reads a path, the file to change, and other files beside it."""
    texts = {
        "conllu": ("conllu", _fixture("people_and_places/dev.conllu", 40)),
        "columns": ("columns", _fixture("people_and_places/dev.txt", 40)),
        "columns with trees": (
            {"type": "columns", "word_column": 1, "tag_column": 9, "head_column": 6, "coding_scheme": None},
            b"".join(
                line for line in _fixture("people_and_places/dev.conllu", 30).splitlines(True) if line[:1] != b"#"
            ),
        ),
        "nested columns": (
            {"type": "columns", "tag_column": [-2, -1]},
            b"w B-A O\nx I-A B-B\n\ny O B-B\n",
        ),
        "suffixed columns": ({"type": "columns", "tag_notation": "suffix"}, _fixture("corpora/media.txt", 30)),
        "jsonl": ("jsonl", _fixture("corpora/sentences.jsonl", 4)),
        "ontonotes": ("ontonotes", _fixture("corpora/example.gold_conll", 40)),
        "semeval2010": ("semeval2010", _fixture("corpora/semeval2010.txt", 40)),
        "genia": ("genia", GENIA.encode()),
    }
    for name, (spec, content) in texts.items():
        yield (
            name,
            Corpus.from_params(Params({"type": spec} if isinstance(spec, str) else dict(spec))).read,
            "x",
            {"x": content},
        )
    for name in ("doccano", "label_studio", "parquet", "prodigy", "spacy"):
        ((_, content),) = _written(name).items()
        yield name, Corpus.by_name(name)().read, "x", {"x": content}
    brat = _written("brat")
    for file in brat:
        if file.endswith((".ann", ".txt")):
            yield f"brat {file[-3:]}", (lambda path: Corpus.by_name("brat")().read(path.parent)), file, brat
    slots = {name: _fixture(f"slot_filling/dev/{name}", 5) for name in ("seq.in", "seq.out")}
    for file in slots:
        yield f"slot_filling {file}", (lambda path: Corpus.by_name("slot_filling")().read(path.parent)), file, slots
    yield "threads", ThreadCorpus.by_name("jsonl")().read, "x", {"x": _fixture("threads/dev.jsonl", 2)}
    yield "molweni", ThreadCorpus.by_name("molweni")().read, "x", {"x": json.dumps(MOLWENI).encode()}
    log = {"x.ascii.txt": LOG.encode(), "x.annotation.txt": b"0 0 -\n1 1 -\n2 0 -\n3 2 -\n"}
    for file in log:
        yield (
            f"irc {file}",
            (lambda path: ThreadCorpus.by_name("irc")().read(path.with_name("x.annotation.txt"))),
            file,
            log,
        )
