import json
import sys
from dataclasses import replace

import pytest

from experiments import previous_post
from nerzoo.data.dataset_readers.reply_threads import ReplyThreadsReader
from nerzoo.formats.threads import Link, Post, Thread, thread_to_json
from nerzoo.runs.folds import divide


def thread(*links):
    """A thread of posts a, b ... with the links of each."""
    names = "abcdefg"
    return Thread(
        "t",
        [
            Post(name, "ann", "Hello", links=[Link(*link) for link in of_post])
            for name, of_post in zip(names, links, strict=False)
        ],
    )


def instances(*threads):
    return [ReplyThreadsReader().text_to_instance(thread) for thread in threads]


def test_links_to_the_post_before_with_the_most_frequent_acts():
    train = instances(thread([(None, "ask")], [("a", "answer")], [("b", "thanks")], [("b", "answer")]))
    test = instances(
        thread([(None, "ask")], [("a", "thanks")], [("a", "answer")]),
        thread([(None, "shout")], [("a", "answer"), (None, "ask")]),
    )
    scores = previous_post.score(train, test, batch_size=1)
    assert scores["link_precision"] == pytest.approx(4 / 5)
    assert scores["link_recall"] == pytest.approx(4 / 6)
    assert scores["act_precision"] == pytest.approx(3 / 5)
    assert scores["joint_f1"] == pytest.approx(2 * 2 / (5 + 6))
    assert scores["link_f1-[3,4]"] == 0
    assert previous_post.score(train, test) == scores


def test_threads_of_one_post():
    one = instances(thread([(None, "ask")]))
    assert previous_post.score(one, one)["joint_f1"] == 1


def test_prints_the_mean_over_the_folds(monkeypatch, capsys):
    path = "fixtures/threads/train.jsonl"
    folds = previous_post.cross_validate(path, 4, 13370)
    instances = list(ReplyThreadsReader().read(path))
    fold = set(divide([f"{path}:{instance['metadata']['document_id']}" for instance in instances], 4, 13370)[2])
    parts = [], []
    for instance in instances:
        parts[f"{path}:{instance['metadata']['document_id']}" in fold].append(instance)
    assert folds[2] == previous_post.score(*parts)
    monkeypatch.setattr(sys, "argv", ["previous_post", path, "--folds", "4"])
    previous_post.main()
    printed = {line.split()[0]: line.split()[1] for line in capsys.readouterr().out.splitlines()}
    assert {"link_f1", "act_f1", "joint_f1", "joint_f1-[7,)"} <= printed.keys()
    assert float(printed["joint_f1"]) == pytest.approx(25 * sum(scores["joint_f1"] for scores in folds), abs=0.01)


def test_scores_a_test_file_and_none_of_a_context(monkeypatch, capsys, tmp_path):
    posts = thread([(None, "ask")], [("a", "answer")], [("b", "answer")], [("b", "answer")]).posts
    before = [replace(post, links=None, is_context=True) for post in posts[:2]]
    path = tmp_path / "test.jsonl"
    path.write_text(json.dumps(thread_to_json(Thread("t", [*before, *posts[2:]]))) + "\n")
    monkeypatch.setattr(sys, "argv", ["previous_post", "fixtures/threads/train.jsonl", "--test", str(path)])
    previous_post.main()
    printed = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert printed["link_f1"] == "50.00"
