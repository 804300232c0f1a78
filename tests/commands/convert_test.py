import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import allennlp
from helpers.paths import FIXTURES

from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.conllu import ConlluCorpus

NESTED = FIXTURES / "corpora/nested.tsv"
LAYERS = json.dumps({"type": "columns", "tag_column": [1, 2]})


def convert(source, corpus, output_format, output):
    allennlp("convert", source, "--corpus", corpus, "--output-format", output_format, "--output-file", output)


def test_what_is_lost_is_counted_and_named(tmp_path, capsys):
    convert(NESTED, LAYERS, "conllu", tmp_path / "out.conllu")
    said = f"{tmp_path}/out.conllu: left out, as conllu cannot express it: 1 nested entities\n"
    assert capsys.readouterr().err.endswith(said)
    (document,) = ConlluCorpus().read(tmp_path / "out.conllu")
    assert [len(sentence.entities) for sentence in document.sentences] == [1, 1]


def test_options_and_nothing_lost(tmp_path, capsys):
    convert(NESTED, LAYERS, '{"type": "conllu", "entities": "Entity"}', tmp_path / "out.conllu")
    assert "left out" not in capsys.readouterr().err
    again, before = (
        list(corpus.read(path))
        for corpus, path in [(ConlluCorpus(), tmp_path / "out.conllu"), (ColumnsCorpus(tag_column=[1, 2]), NESTED)]
    )
    assert [s.entities for s in again[0].sentences] == [s.entities for s in before[0].sentences]


def test_what_the_corpus_leaves_out_is_said(tmp_path, caplog):
    (tmp_path / "a.txt").write_text("Mara left.")
    (tmp_path / "a.ann").write_text("T1\tPER 0 4\tMara\nR1\tx Arg1:T1 Arg2:T1\n")
    convert(tmp_path, "brat", "jsonl", tmp_path / "out.jsonl")
    assert "1 relations" in caplog.text


@pytest.mark.parametrize(
    "corpus, output_format, message",
    [
        ("x", "jsonl", "found the format 'x', expected one of .*columns"),
        ("columns", "{}", "found the format None, expected one of .*brat"),
        ("columns", "{type: x}", "found '{type: x}' .* expected a name, or a JSON object"),
        ("jsonl", "columns", "nested.tsv:1: found .* expected a JSON object"),
    ],
)
def test_bad_formats(tmp_path, corpus, output_format, message):
    with pytest.raises(ConfigurationError, match=message):
        convert(NESTED, corpus, output_format, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_output_that_exists(tmp_path):
    (tmp_path / "out").touch()
    with pytest.raises(ConfigurationError, match="out: found an output that exists, expected the path of a new one"):
        convert(NESTED, LAYERS, "jsonl", tmp_path / "out")
