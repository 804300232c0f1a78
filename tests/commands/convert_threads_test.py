import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import allennlp
from helpers.paths import REAL_DATA

from nerzoo.formats.irc import IrcThreads
from nerzoo.formats.molweni import MolweniThreads
from nerzoo.formats.threads import JsonlThreads

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
