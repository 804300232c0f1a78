import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import nerzoo


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
        (("@in.jsonl", "--predictor-args", '{"x": 1}'), "found --predictor-args with 'x', expected options of ner: "),
        (("@in.jsonl", "--predictor", "no_such"), "'no_such' is not a registered name"),
    ],
)
def test_arguments_that_would_lose_data_or_are_none(predict, tmp_path, args, message):
    (tmp_path / "latin.jsonl").write_bytes(b'{"words": ["\xe9"]}\n')
    with pytest.raises(ConfigurationError, match=message):
        predict(*args)
    assert (tmp_path / "in.jsonl").read_text() == '{"words": ["Mara"]}\n'


def test_an_output_of_its_own(predict, tmp_path):
    (tmp_path / "out.jsonl").write_text("old")
    predict("@in.jsonl", "--output-file", "@out.jsonl")
    assert '"tags"' in (tmp_path / "out.jsonl").read_text()
