import json
import logging
import re
from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.paths import REAL_DATA

from nerzoo.formats.molweni import MolweniThreads
from nerzoo.formats.threads import START, Link, Post, Thread, thread_from_json, thread_to_json

MOLWENI = REAL_DATA / "molweni/DP"


def utterances(*texts):
    return [{"speaker": "ann ", "text": text} for text in texts]


def relation(x, y, type="Comment"):
    return {"x": x, "y": y, "type": type}


def write(tmp_path, *dialogues):
    path = tmp_path / "dialogues.json"
    path.write_text(json.dumps(dialogues, indent=1))
    return path


def test_relations_are_links_and_their_types_dialogue_acts(tmp_path, caplog):
    dialogue = {
        "id": "7",
        "edus": [*utterances("a", "", "c"), {"speaker": " ", "text": "d"}],
        "relations": [relation(0, 3, "QAP"), relation(0, 1), relation(1, 3, "Result")],
    }
    path = write(tmp_path, dialogue, {"id": "8", "edus": utterances("a"), "relations": []})
    with caplog.at_level(logging.INFO):
        first, second = MolweniThreads().read(path)
    assert first == Thread(
        "7",
        [
            Post("0", "ann", "a", links=[Link(None, START)]),
            Post("1", "ann", "", links=[Link("0", "Comment")]),
            Post("2", "ann", "c", links=[Link(None, START)]),
            Post("3", "?", "d", links=[Link("0", "QAP"), Link("1", "Result")]),
        ],
    )
    assert second == Thread("8", [Post("0", "ann", "a", links=[Link(None, START)])])
    assert caplog.messages == [
        f"{path}: left out or adapted: 1 utterances by a speaker without a name, "
        "1 utterances without a relation, except for first ones, read as starts"
    ]


@pytest.mark.parametrize(
    ("dialogue", "found", "expected"),
    [
        ({"id": "7", "edus": utterances("a")}, "KeyError 'relations'", '"id", "edus" with'),
        ({"id": "7", "edus": [{"text": "a"}], "relations": []}, "KeyError 'speaker'", '"id", "edus" with'),
        ([], "TypeError", '"id", "edus" with'),
        ({"id": "7", "edus": [], "relations": []}, "no utterance", "at least one"),
        ({"id": "7", "edus": utterances("a", None), "relations": []}, "the text None", "a string"),
        ({"id": "7", "edus": utterances("a", "b"), "relations": [relation(0, 1, None)]}, "of type None", "a type"),
        ({"id": "7", "edus": utterances("a"), "relations": [relation(0, 0)]}, "from 0 to 0", "0 <= x < y < 1"),
        ({"id": "7", "edus": utterances("a", "b"), "relations": [relation(1, 0)]}, "from 1 to 0", "0 <= x < y < 2"),
        ({"id": "7", "edus": utterances("a", "b"), "relations": [relation(1, 2)]}, "from 1 to 2", "0 <= x < y < 2"),
        (
            {"id": "7", "edus": utterances("a", "b"), "relations": 2 * [relation(0, 1)]},
            "two relations from 0 to 1",
            "one",
        ),
    ],
)
def test_what_is_wrong_with_a_dialogue(tmp_path, dialogue, found, expected):
    good = {"id": "6", "edus": utterances("a"), "relations": []}
    path = write(tmp_path, good, dialogue)
    with pytest.raises(ConfigurationError, match=f"{path}: dialogue 2.*{re.escape(found)}.*{re.escape(expected)}"):
        list(MolweniThreads().read(path))


@pytest.mark.parametrize(("text", "message"), [("[\n{", ":2: found .*"), ("{}", ": found JSON of type dict")])
def test_what_is_wrong_with_a_file(tmp_path, text, message):
    path = tmp_path / "dialogues.json"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=f"{path}{message}, expected a JSON list of dialogues"):
        list(MolweniThreads().read(path))


def test_a_folder_whose_dialogues_share_utterances(tmp_path):
    (tmp_path / "README.md").write_text("no JSON")
    for name, *texts in (("dev.json", ("a", "b"), ("c",)), ("test.json", ("b", "d"))):
        dialogues = [
            {"id": f"{name}-{number}", "edus": utterances(*dialogue), "relations": []}
            for number, dialogue in enumerate(texts)
        ]
        (tmp_path / name).write_text(json.dumps(dialogues))
    threads = list(MolweniThreads(group_shared_posts=True).read(tmp_path))
    assert [(thread.id, thread.group) for thread in threads] == [
        ("dev.json-0", "dev.json-0"),
        ("dev.json-1", "dev.json-1"),
        ("test.json-0", "dev.json-0"),
    ]
    assert [thread.group for thread in MolweniThreads().read(tmp_path)] == [None] * 3
    (tmp_path / "train.json").write_text("{}")
    with pytest.raises(
        ConfigurationError, match="train.json: found JSON of type dict, expected a JSON list of dialogues"
    ):
        list(MolweniThreads().read(tmp_path))


def test_a_folder_of_other_files(tmp_path):
    with pytest.raises(ConfigurationError, match=f"{tmp_path}: found no thread"):
        list(MolweniThreads().read(tmp_path))


@pytest.mark.skipif(not MOLWENI.exists(), reason="needs the data in ../shared/data/molweni")
def test_the_real_folder():
    threads = list(MolweniThreads(group_shared_posts=True).read(MOLWENI))
    assert len(threads) == 1000
    # Dialogues of the two files share utterances, too.
    apart = [len({thread.group for thread in part}) for part in (threads[:500], threads[500:])]
    assert len({thread.group for thread in threads}) < sum(apart)


@pytest.mark.skipif(not MOLWENI.exists(), reason="needs the data in ../shared/data/molweni")
@pytest.mark.parametrize(("part", "headless", "acts"), [("dev", 6, 17), ("test", 19, 16)])
def test_the_real_files(part, headless, acts):
    threads = list(MolweniThreads().read(MOLWENI / f"{part}.json.gz"))
    assert len(threads) == 500
    links = [link for thread in threads for post in thread.posts for link in post.links]
    assert len(links) == sum(len(thread.posts) for thread in threads)
    assert Counter(link.act for link in links)[START] == sum(link.to is None for link in links) == 500 + headless
    assert len({link.act for link in links}) == acts
    assert [thread_from_json(thread_to_json(thread), "input") for thread in threads] == threads
