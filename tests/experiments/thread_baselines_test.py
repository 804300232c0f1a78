import json
from dataclasses import replace

import pytest

from experiments.depth_curves import read as read_curves
from experiments.thread_baselines import SYSTEMS, LinkedThread, cross_validate, main, read, score, to_slots
from nerzoo.data.dataset_readers.reply_threads import ReplyThreadsReader
from nerzoo.formats.threads import Link, Post, Thread, thread_to_json
from nerzoo.runs.folds import divide
from nerzoo.training.metrics.thread_scores import POST_DEPTHS

PATH = "fixtures/threads/train.jsonl"
PREVIOUS_POST = SYSTEMS["previous_post"]


def thread(*links, texts=("Hello",) * 7):
    """A thread of posts a, b ... with the links of each."""
    return Thread(
        "t",
        [
            Post(name, "ann", text, links=[Link(*link) for link in post_links])
            for name, text, post_links in zip("abcdefg", texts, links, strict=False)
        ],
    )


def linked(*threads):
    return [LinkedThread(each, ReplyThreadsReader().text_to_instance(each)["links"]) for each in threads]


def after_a_context(each, num_context):
    before = [replace(post, links=None, is_context=True) for post in each.posts[:num_context]]
    return replace(each, posts=[*before, *each.posts[num_context:]])


def test_links_to_the_post_before_with_the_most_frequent_acts():
    train = linked(thread([(None, "ask")], [("a", "answer")], [("b", "thanks")], [("b", "answer")]))
    test = linked(
        thread([(None, "ask")], [("a", "thanks")], [("a", "answer")]),
        thread([(None, "shout")], [("a", "answer"), (None, "ask")]),
    )
    scores = score(PREVIOUS_POST, train, test)
    assert scores["link_precision"] == pytest.approx(4 / 5)
    assert scores["link_recall"] == pytest.approx(4 / 6)
    assert scores["act_precision"] == pytest.approx(3 / 5)
    assert scores["joint_f1"] == pytest.approx(2 * 2 / (5 + 6))
    assert scores["link_f1-[3,4]"] == 0


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_thread_of_one_post_has_a_link(system):
    one = linked(thread([(None, "ask")]))
    assert score(SYSTEMS[system], one, one)["joint_f1"] == 1


# Posts after the first two: one that asks is no reply, and another one replies to the question before last.
QUESTIONS = thread(
    [(None, "ask")],
    [(None, "ask")],
    [("a", "answer")],
    [("b", "answer")],
    [(None, "ask")],
    [("e", "answer")],
    texts=("Why?", "Where?", "first", "second", "How?", "third"),
)


@pytest.mark.parametrize("num_context", [0, 2])
@pytest.mark.parametrize("system", ["crf", "joint_crf"])
def test_a_crf_learns_distances_and_acts_from_features(system, num_context):
    threads = linked(*[after_a_context(QUESTIONS, num_context)] * 3)
    gold = [(0, "ask"), (0, "ask"), (1, "answer"), (2, "answer"), (0, "ask"), (5, "answer")]
    assert SYSTEMS[system](threads, threads[:1]) == [gold[num_context:]]
    assert score(SYSTEMS[system], threads, threads[:1])["joint_f1"] == 1


def test_distances_that_are_too_long_lead_to_the_first_post():
    found = [("2", "ask"), ("3", "ask"), ("1", "answer"), ("head", "ask")]
    assert to_slots(linked(QUESTIONS)[0], found) == [(0, "ask"), (1, "ask"), (2, "answer"), (0, "ask")]


def test_prints_and_writes_the_mean_over_the_folds(capsys, tmp_path):
    folds = cross_validate(PREVIOUS_POST, PATH, 4, 13370)
    threads = read(PATH)
    first, second, third, fourth = divide([f"{PATH}:{each.thread.id}" for each in threads], 4, 13370)
    # A network has the fourth fold for validation, when it is tested on the third.
    parts = [[each for each in threads if f"{PATH}:{each.thread.id}" in part] for part in (first + second, third)]
    assert fourth and folds[2] == score(PREVIOUS_POST, *parts)
    main(["previous_post", PATH, "--folds", "4", "--output-folder", str(tmp_path / "before")])
    printed = {line.split()[0]: line.split()[1] for line in capsys.readouterr().out.splitlines()}
    assert {"link_f1", "act_f1", "joint_f1", "joint_f1-[7,)"} <= printed.keys()
    assert float(printed["joint_f1"]) == pytest.approx(25 * sum(scores["joint_f1"] for scores in folds), abs=0.01)
    curve = read_curves([tmp_path / "before/cross_validation.json"])["joint"]["before"]
    assert [f"{100 * value:.2f}" for value in curve] == [printed[f"joint_f1-{depth}"] for depth in POST_DEPTHS]


def test_scores_a_test_file_without_the_posts_of_its_context(capsys, tmp_path):
    posts = thread([(None, "ask")], [("a", "answer")], [("b", "answer")], [("b", "answer")])
    path = tmp_path / "test.jsonl"
    path.write_text(json.dumps(thread_to_json(after_a_context(posts, 2))) + "\n")
    main(["previous_post", PATH, "--test", str(path)])
    printed = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert printed["link_f1"] == "50.00"
