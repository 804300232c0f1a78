import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import allennlp
from helpers.paths import FIXTURES, REAL_DATA

from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.formats.irc import IrcThreads
from nerzoo.formats.molweni import MolweniThreads
from nerzoo.formats.threads import JsonlThreads

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


def test_formats_by_their_endings(tmp_path, capsys):
    for ending in ("spacy", "jsonl", "conllu"):
        allennlp("convert", FIXTURES / "people_and_places/dev.conllu", "--output-file", tmp_path / f"out.{ending}")
    allennlp("convert", tmp_path / "out.spacy", "--output-format", "prodigy", "--output-file", tmp_path / "p.jsonl")
    # JSON lines of Prodigy are known by their keys.
    allennlp("convert", tmp_path / "p.jsonl", "--output-file", tmp_path / "again.conllu")
    before, again = (ConlluCorpus().read(tmp_path / name) for name in ("out.conllu", "again.conllu"))
    for document, converted in zip(before, again, strict=True):
        assert document.id == converted.id
        assert [s.words for s in document.sentences] == [s.words for s in converted.sentences]
        assert [s.entities for s in document.sentences] == [s.entities for s in converted.sentences]
    with pytest.raises(
        ConfigurationError, match="out.csv: found an ending of no format, expected another one, or --ou"
    ):
        allennlp("convert", NESTED, "--output-file", tmp_path / "out.csv")


def test_help_names_the_formats_and_their_endings(capsys):
    with pytest.raises(SystemExit):
        allennlp("convert", "--help")
    said = " ".join(capsys.readouterr().out.split())
    assert "genia (.xml)" in said and "html (.html)" in said
    assert said.count("spacy (.spacy)") == said.count("prodigy (.jsonl)") == said.count("brat (.ann)") == 2


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


MOLWENI = REAL_DATA / "molweni/DP"


def dialogues(path, *ids):
    edus = [{"speaker": "ann", "text": "Why?"}, {"speaker": "bob", "text": "So."}]
    relations = [{"x": 0, "y": 1, "type": "QAP"}]
    path.write_text(json.dumps([{"id": id, "edus": edus, "relations": relations} for id in ids]))
    return path


def test_several_files_become_one(tmp_path):
    inputs = [dialogues(tmp_path / "one.json", "1", "2"), dialogues(tmp_path / "two.json", "3")]
    output = tmp_path / "threads.jsonl"
    allennlp("convert-threads", "molweni", *inputs, "--output-file", output)
    assert list(JsonlThreads().read(output)) == [thread for path in inputs for thread in MolweniThreads().read(path)]


def test_options_of_the_format(tmp_path):
    (tmp_path / "day.ascii.txt").write_text("[10:00] <ann> one\n[10:00] <bob> two\n[10:01] <ann> three\n")
    (tmp_path / "day.annotation.txt").write_text("0 0 -\n1 0 -\n2 1 -\n")
    output = tmp_path / "threads.jsonl"
    allennlp("convert-threads", "irc", tmp_path, "--output-file", output, "--corpus-args", '{"max_posts": 2}')
    assert [thread.id for thread in JsonlThreads().read(output)] == ["day.0", "day.2"]
    assert list(JsonlThreads().read(output)) == list(IrcThreads(2).read(tmp_path))


def test_what_is_wrong_with_the_input(tmp_path):
    path = dialogues(tmp_path / "one.json", "1")
    with pytest.raises(ConfigurationError, match=f"{path}: found a thread with the id '1', as in an input before"):
        allennlp("convert-threads", "molweni", path, path, "--output-file", tmp_path / "threads.jsonl")
    with pytest.raises(SystemExit):
        allennlp("convert-threads", "no_such", path, "--output-file", tmp_path / "threads.jsonl")


@pytest.mark.skipif(not MOLWENI.exists(), reason="needs the data in ../shared/data/molweni")
def test_the_real_files(tmp_path):
    output = tmp_path / "molweni.jsonl"
    allennlp(
        "convert-threads",
        "molweni",
        MOLWENI / "dev.json.gz",
        MOLWENI / "test.json.gz",
        "--group-shared-posts",
        "--output-file",
        output,
    )
    threads = list(JsonlThreads().read(output))
    assert len(threads) == 1000
    # Most dialogues are variants of another one.
    assert len({thread.group for thread in threads}) == 396
