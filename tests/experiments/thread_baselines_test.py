import json
from dataclasses import replace

import pytest

from experiments import runs
from experiments.depth_curves import read as read_curves
from experiments.records import read_counts
from experiments.run_tables import execute
from experiments.runs import table_runs
from experiments.thread_baselines import SYSTEMS, main, prediction, read, score, to_slots, with_links
from nerzoo.data.dataset_readers.reply_threads import ReplyThreadsReader
from nerzoo.formats.jsonl import read_predictions
from nerzoo.formats.threads import Link, Post, Thread, thread_to_json
from nerzoo.runs.folds import divide
from nerzoo.training.metrics.thread_scores import POST_DEPTHS

PATH = "fixtures/threads/train.jsonl"
DEV_PATH = "fixtures/threads/dev.jsonl"
PREVIOUS_POST = SYSTEMS["previous_post"]
READER = {"type": "reply_threads"}


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "threads.json"
    path.write_text(json.dumps({"dataset_reader": READER, "train_data_path": PATH, "validation_data_path": DEV_PATH}))
    return str(path)


def scores_on(system, train, test):
    return score(train, test, SYSTEMS[system](train, test))


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
    return [with_links(ReplyThreadsReader(), each) for each in threads]


def after_a_context(each, num_context):
    before = [replace(post, links=None, is_context=True) for post in each.posts[:num_context]]
    return replace(each, posts=[*before, *each.posts[num_context:]])


def test_links_to_the_post_before_with_the_most_frequent_acts():
    train = linked(thread([(None, "ask")], [("a", "answer")], [("b", "thanks")], [("b", "answer")]))
    test = linked(
        thread([(None, "ask")], [("a", "thanks")], [("a", "answer")]),
        thread([(None, "shout")], [("a", "answer"), (None, "ask")]),
    )
    scores = scores_on("previous_post", train, test)
    assert scores["link_precision"] == pytest.approx(4 / 5)
    assert scores["link_recall"] == pytest.approx(4 / 6)
    assert scores["act_precision"] == pytest.approx(3 / 5)
    assert scores["joint_f1"] == pytest.approx(2 * 2 / (5 + 6))
    assert scores["link_f1-[3,4]"] == 0


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_thread_of_one_post_has_a_link(system):
    one = linked(thread([(None, "ask")]))
    assert scores_on(system, one, one)["joint_f1"] == 1


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
    assert scores_on(system, threads, threads[:1])["joint_f1"] == 1


def test_distances_that_are_too_long_lead_to_the_first_post():
    found = [("2", "ask"), ("3", "ask"), ("1", "answer"), ("head", "ask")]
    assert to_slots(linked(QUESTIONS)[0], found) == [(0, "ask"), (1, "ask"), (2, "answer"), (0, "ask")]


def test_a_prediction_leaves_out_the_context():
    (each,) = linked(after_a_context(thread([(None, "ask")], [("a", "answer")], [("a", "thanks")]), 1))
    posts = prediction(each, [(0, "ask"), (2, "answer")])["posts"]
    assert [(post["id"], post["link"], post["act"]) for post in posts] == [("b", None, "ask"), ("c", "b", "answer")]
    assert [post["gold_links"] for post in posts] == [[{"to": "a", "act": act}] for act in ("answer", "thanks")]


def test_baselines_and_networks_have_the_same_folds(config, tmp_path):
    output = tmp_path / "before"
    main(["previous_post", config, "--folds", "4", "-s", str(output)])
    threads = read(ReplyThreadsReader(), PATH)
    first, second, third, fourth = divide([f"{PATH}:{each.thread.id}" for each in threads], 4, 13370)
    # A network has the fourth fold for validation, when it is tested on the third.
    train, test = ([each for each in threads if f"{PATH}:{each.thread.id}" in part] for part in (first + second, third))
    expected = scores_on("previous_post", train, test)
    metrics = json.loads((output / "cross_validation.json").read_text())["metrics"]
    assert fourth and {name: metrics[name]["folds"][2] for name in expected} == expected
    curve = read_curves([output / "cross_validation.json"])["joint"]["before"]
    assert curve == [metrics[f"joint_f1-{depth}"]["mean"] for depth in POST_DEPTHS]
    predictions = read_predictions(str(output / "predictions.jsonl"), "links")
    assert [found.words for found in predictions] == [[post.id for post in each.thread.posts] for each in threads]


@pytest.fixture
def table_run(config, tmp_path, monkeypatch):
    """Makes a table with one row, a baseline, and returns its run when it is done."""
    for name in ("tables", "output", "records"):
        monkeypatch.setattr(runs, name.upper(), tmp_path / name)
    monkeypatch.setenv("DATA", str(tmp_path))

    def done(**table):
        row = {"config": config, "program": ["experiments.thread_baselines", "previous_post"]}
        (tmp_path / "tables").mkdir()
        content = json.dumps({"rows": {"before": row}, "seeds": 1, "metric": "joint_f1", **table})
        (tmp_path / "tables/t.jsonnet").write_text(content)
        (run,) = table_runs("t")
        run.folder.mkdir(parents=True)
        execute(run)
        return run

    return done


def test_run_tables_writes_the_record_of_a_baseline(table_run):
    run = table_run(folds=4)
    assert run.is_done and run.record["seconds"] > 0 and run.record["parameters"] is None
    folds = run.record["evaluations"]["folds"]
    counts = read_counts(folds)
    assert len(counts) == len(read(ReplyThreadsReader(), PATH))
    assert 0 < folds["metrics"]["joint_f1"] < 1 and 0 < counts[:, 0].sum() < counts[:, 1].sum()


def test_a_baseline_is_evaluated_on_a_test_file_without_its_context(table_run, tmp_path):
    posts = thread([(None, "ask")], [("a", "answer")], [("b", "answer")], [("b", "answer")])
    (tmp_path / "test.jsonl").write_text(json.dumps(thread_to_json(after_a_context(posts, 2))) + "\n")
    run = table_run(evaluations={"test": {"data": "test.jsonl"}})
    assert run.is_done and run.record["seconds"] > 0
    test = run.record["evaluations"]["test"]
    assert test["metrics"]["link_f1"] == 0.5
    # Two posts come after the context, and the link of the first of them is found.
    assert read_counts(test).tolist() == [[2, 4]]
    train, dev = (read(ReplyThreadsReader(), path) for path in (PATH, DEV_PATH))
    assert run.record["development"] == scores_on("previous_post", train, dev)
