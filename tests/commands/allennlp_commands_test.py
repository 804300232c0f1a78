import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import nerzoo
from helpers.paths import FIXTURES


@pytest.fixture
def evaluate(archives, tmp_path):
    (tmp_path / "in.txt").write_text((FIXTURES / "people_and_places/dev.txt").read_text())

    def run(*args):
        nerzoo("evaluate", archives("ner"), *(arg.replace("@", f"{tmp_path}/") for arg in args))

    return run


@pytest.mark.parametrize(
    "args, message",
    [
        (("",), "found the input '', expected the path of a file"),
        (
            ("@in.txt,@in.txt", "--output-file", "@o"),
            "found 1 files in --output-file and 2 inputs, expected one",
        ),
        (("@in.txt", "--predictions-output-file", "@o,@p"), "found 2 files in --predictions-output-file and 1 inputs"),
        (("@in.txt", "--output-file", "@in.txt"), "in.txt: found an input, expected the path of another file"),
        (("@in.txt", "--predictions-output-file", "@in.txt"), "in.txt: found an input, expected the path of another"),
    ],
)
def test_arguments_that_evaluate_nothing_or_would_lose_data(evaluate, tmp_path, args, message):
    before = (tmp_path / "in.txt").read_text()
    with pytest.raises(ConfigurationError, match=message):
        evaluate(*args)
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"] and (tmp_path / "in.txt").read_text() == before


def test_writes_each_output_and_prints_the_scores(evaluate, tmp_path, capsys):
    evaluate("@in.txt,@in.txt", "--output-file", "@a,@b", "--auto-names", "PREDS")
    first, second = (json.loads((tmp_path / name).read_text()) for name in "ab")
    assert first["f1"] == second["f1"] > 0
    said = capsys.readouterr().out
    assert f"in_f1 {100 * first['f1']:.1f}" in said and "by_type" not in first
    # AllenNLP keeps one of two files with the same name.
    _, name, header, total, *types = [line.split() for line in said.splitlines()]
    assert (name, header) == (["in"], ["precision", "recall", "F1", "gold"])
    assert total[:4] == ["all", *(f"{100 * first[name]:.1f}" for name in ("precision", "recall", "f1"))]
    assert int(total[4]) == sum(int(row[4]) for row in types)


@pytest.fixture
def predict(archives, tmp_path):
    (tmp_path / "in.jsonl").write_text('{"words": ["Mara"]}\n')

    def run(*args):
        paths = [str(arg).replace("@", f"{tmp_path}/") for arg in args]
        nerzoo("predict", archives("ner"), *paths, "--silent")

    return run


@pytest.mark.parametrize(
    "args, message",
    [
        (("@in.jsonl", "--output-file", "@in.jsonl"), "in.jsonl: found an input, expected the path of another"),
        (("@in.jsonl", "--output-file", "@new.jsonl", "--batch-size", 0), "found --batch-size 0, expected at least 1"),
        (
            ("@none.jsonl", "--output-file", "@new.jsonl"),
            "none.jsonl: found a file that cannot be read .*, expected a text in UTF-8",
        ),
        (("@latin.jsonl", "--output-file", "@new.jsonl"), "latin.jsonl: found a file that cannot be read .*0xe9"),
        (("@in.jsonl", "--predictor-args", "{"), "found --predictor-args { .*, expected a JSON object"),
        (
            ("@in.jsonl", "--predictor-args", '{"x": 1}'),
            "with 'x', expected options of ner: batch_tokens, frozen, output_format",
        ),
        (("@in.jsonl", "--predictor", "no_such"), "'no_such' is not a registered name"),
    ],
)
def test_arguments_that_would_lose_data_or_are_none(predict, tmp_path, args, message):
    (tmp_path / "latin.jsonl").write_bytes(b'{"words": ["\xe9"]}\n')
    with pytest.raises(ConfigurationError, match=message):
        predict(*args)
    assert (tmp_path / "in.jsonl").read_text() == '{"words": ["Mara"]}\n'


def test_predictor_args_reach_the_base_class(predict, tmp_path):
    predict("@in.jsonl", "--output-file", "@new.jsonl", "--predictor-args", '{"batch_tokens": 64}')
    assert '"tags"' in (tmp_path / "new.jsonl").read_text()


def test_an_output_of_its_own(predict, tmp_path):
    (tmp_path / "out.jsonl").write_text("old")
    predict("@in.jsonl", "--output-file", "@out.jsonl")
    assert '"tags"' in (tmp_path / "out.jsonl").read_text()
