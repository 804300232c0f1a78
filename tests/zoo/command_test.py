import gzip
import io
import json
import subprocess
import sys
from argparse import ArgumentParser

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.archives import assert_same
from helpers.commands import nerzoo
from helpers.paths import ROOT

from nerzoo.text.rendering import marked_parts, marked_text
from nerzoo.zoo.command import add_tag_arguments, model_and_inputs
from nerzoo.zoo.tagger import Tagger

LINES = [{"words": ["Mara", "lived", "in", "Calder", "."]}, {"words": ["Jordan", "Reyes", "left"]}]


@pytest.fixture
def marked(zoo):
    """The predictions for the lines, as text."""
    predictions = zip(LINES, Tagger.load("xy")(LINES), strict=True)
    parts = [part for pair in predictions for part in marked_parts(*pair)]
    assert any(spans for _, spans in parts)
    return "".join(marked_text(*part) + "\n" for part in parts)


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / "in.jsonl.gz"
    path.write_bytes(gzip.compress("\n\n".join(map(json.dumps, LINES)).encode()))
    return path


def error(*args):
    """Returns the line that a command ends with."""
    with pytest.raises((SystemExit, ConfigurationError)) as raised:
        nerzoo(*args)
    return raised.value


def test_the_list_and_a_card(zoo, capsys):
    nerzoo("zoo")
    header, row = capsys.readouterr().out.splitlines()
    assert header.split() == ["name", "what", "score", "MB", "licence"]
    assert row.startswith("xy    names of a fixture  F1 100.0") and row.endswith("CC0-1.0")
    nerzoo("zoo", "show", "xy")
    assert json.loads(capsys.readouterr().out)["data"] == ["fixtures"]


def test_the_default_model_on_the_screen(lines, marked, capsys):
    nerzoo("tag", lines)
    assert capsys.readouterr().out == marked
    nerzoo("tag", lines, "--output-format", "html")
    page = capsys.readouterr().out
    assert (
        page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n") and page.count("<mark") == marked.count("[")
    )


def test_a_file(lines, marked, tmp_path):
    output = tmp_path / "out.jsonl"
    nerzoo("tag", "xy", lines, "--output-file", output)
    expected = list(Tagger.load("xy")(LINES))
    assert_same([json.loads(line) for line in output.read_text().splitlines()], expected)
    before = output.read_bytes()
    error("tag", "xy", lines, "--output-file", output)
    assert output.read_bytes() == before
    nerzoo("tag", "xy", lines, "--output-file", output, "--force", "--output-format", "text")
    assert output.read_text() == marked


def test_the_ending_tells_the_format_and_a_hyphen_is_the_screen(lines, marked, tmp_path, capsys):
    nerzoo("tag", "xy", lines, "--output-file", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == marked
    nerzoo("tag", "xy", lines, "--output-file", tmp_path / "out.html")
    assert (tmp_path / "out.html").read_text().startswith("<!DOCTYPE html>")
    nerzoo("tag", "xy", lines, "--output-file", "-")
    assert "entities" in json.loads(capsys.readouterr().out.splitlines()[0])


def test_it_starts_without_torch_and_allennlp(zoo, marked):
    """And reads the standard input."""
    source = (
        "import sys; sys.argv = ['nerzoo', 'tag', sys.argv[1], '-', '--input-format', 'jsonl']\n"
        "from nerzoo.__main__ import main; main()\n"
        "packages = {name.partition('.')[0] for name in sys.modules}\n"
        "assert not packages & {'torch', 'allennlp', 'spacy', 'transformers', 'scipy', 'tqdm'}, packages\n"
    )
    command = [sys.executable, "-c", source, zoo / "xy"]
    content = "".join(json.dumps(line) + "\n" for line in LINES)
    done = subprocess.run(command, cwd=ROOT, input=content, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (marked, "")


def test_a_reader_that_has_seen_enough(zoo):
    command = f"{sys.executable} -m nerzoo tag --model {zoo / 'xy'} --text Mara | true"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "args, message",
    [
        (["--model", "xz", "--text", "a"], "xz: found no model of the zoo and no file with this name, expected"),
        (["@in.txt", "--text", "a"], "found --text and the input"),
        ([], "found no input, expected files, - for the standard input, or --text"),
        (["--text", "Mara \udcff"], "--text: found '\\udcff', one half of a surrogate pair, expected text that a file"),
        (["@half.jsonl"], "@half.jsonl:1: found '\\ud800', one half of a surrogate pair"),
        (["@bad.jsonl"], "@bad.jsonl:2: found Expecting value in column"),
        (["@list.jsonl"], "@list.jsonl:1: found 5, expected a JSON object"),
        (["@latin.txt"], "@latin.txt:1: found the byte 0xfc as byte 2 of the line, expected UTF-8"),
        (["@none.txt"], "@none.txt: found a file that cannot be read"),
        (["@cut.txt.gz"], "@cut.txt.gz: found a file that cannot be read"),
        (["@damaged.txt.gz"], "@damaged.txt.gz: found a file that cannot be read"),
        (["@bad.jsonl", "--output-file", "@bad.jsonl", "--force"], "@bad.jsonl: found an input"),
        (["@in.txt", "--output-file", "@out.csv"], "@out.csv: found the ending .csv, expected another one, such as"),
    ],
)
def test_errors(zoo, tmp_path, capsys, args, message):
    (tmp_path / "in.txt").write_text("Mara")
    (tmp_path / "bad.jsonl").write_text('{"words": ["Mara"]}\n{"words": \n')
    (tmp_path / "half.jsonl").write_text('{"words": ["\\ud800"]}')
    (tmp_path / "list.jsonl").write_text("5\n")
    (tmp_path / "latin.txt").write_bytes(b"L\xfc")
    (tmp_path / "cut.txt.gz").write_bytes(gzip.compress(b"Mara" * 100)[:-9])
    (tmp_path / "damaged.txt.gz").write_bytes(gzip.compress(b"Mara" * 100)[:10] + b"\xff" * 20)
    found = error("tag", *(arg.replace("@", f"{tmp_path}/") for arg in args))
    assert isinstance(found, SystemExit) and found.code == 1
    said = capsys.readouterr().err
    assert said.startswith("error: ") and message.replace("@", f"{tmp_path}/") in said and said.count("\n") == 1


def test_errors_in_their_places(zoo, tmp_path, capsys):
    path = tmp_path / "in.jsonl"
    path.write_text('{"words": [5]}\n{"words": ["Mara"]}\n')
    nerzoo("tag", path, "--errors", "yield", "--output-format", "jsonl")
    said = capsys.readouterr()
    first, second = map(json.loads, said.out.splitlines())
    assert first["index"] == 0 and first["error"].startswith(f"{path}:1: found") and second["words"] == ["Mara"]
    assert said.err == "1 items could not be predicted\n"


@pytest.mark.parametrize(
    "given, model, inputs",
    [
        (["a.txt"], "xy", ["a.txt"]),
        (["-"], "xy", ["-"]),
        (["a.txt", "b.txt"], "xy", ["a.txt", "b.txt"]),
        (["ner", "a.txt"], "ner", ["a.txt"]),
        (["x.conllu", "--model", "ner"], "ner", ["x.conllu"]),
        (["x.conllu"], "xy", ["x.conllu"]),
        (["model.tar.gz", "--text", "a"], "model.tar.gz", ["--text"]),
        (["ner", "--text", ""], "ner", ["--text"]),
        (["ner", "--workers", "2", "a.txt", "--force", "b.txt"], "ner", ["a.txt", "b.txt"]),
        (["hf://a/b", "x.conllu", "y.txt"], "hf://a/b", ["x.conllu", "y.txt"]),
    ],
)
def test_the_model_and_the_inputs(zoo, given, model, inputs):
    parser = ArgumentParser()
    add_tag_arguments(parser)
    assert model_and_inputs(parser.parse_args(given)) == (model, inputs)


ARABIC, CHINESE = "\u0645\u0627\u0631\u0627 \u0647\u0646\u0627.", "\u5f20\u4e09\u4f4f\u5728\u5317\u4eac\u3002"


@pytest.mark.parametrize("text", ["", "M", " \n\t", "\x00\x1b[31m\x7f", ARABIC, CHINESE, "\ufeffMara", "word " * 5000])
def test_any_text_is_answered_and_nothing_is_lost(zoo, text, capsys):
    nerzoo("tag", "--text", text, "--output-format", "jsonl")
    prediction = json.loads(capsys.readouterr().out)
    assert prediction["text"] == text
    nerzoo("tag", "--text", text)
    marked = marked_text(*next(marked_parts(text, prediction)))
    assert capsys.readouterr().out == marked + "\n"
    left = marked
    for entity in prediction["entities"]:
        left = left.replace(f"[{entity['text']} {entity['label']}]", entity["text"], 1)
    assert left == text


def test_an_archive_alone_lacks_an_input(zoo, capsys):
    error("tag", "model.tar.gz")
    assert "found no input" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_colours_on_a_terminal(zoo, lines, monkeypatch):
    for variable, expected in (("", True), ("1", False)):
        if variable:
            monkeypatch.setenv("NO_COLOR", variable)
        monkeypatch.setattr(sys, "stdout", Terminal())
        nerzoo("tag", lines)
        assert ("\x1b[" in sys.stdout.getvalue()) is expected
