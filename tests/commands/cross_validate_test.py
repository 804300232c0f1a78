"""`nerzoo cross-validate` on the four documents of two files of the fixture."""

import gc
import json
import os
import shutil
import statistics

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.training import GradientDescentTrainer
from helpers.commands import DEPTREE_NER, allennlp
from helpers.killed_run import run_until_killed
from helpers.paths import ROOT

from nerzoo.commands import cross_validate as command
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.runs import runner
from nerzoo.runs.cross_validation import cross_validate, fold_config, summarize, train_folds
from nerzoo.runs.folds import FoldReader

DATA = ("fixtures/people_and_places/dev.conllu", "fixtures/people_and_places/test.conllu")
NUM_FOLDS = 3
EPOCHS = {"trainer.num_epochs": 2}
SCORES = {"precision", "recall", "f1", "accuracy", "loss"}


def _arguments(folder, *args, config=DEPTREE_NER, data=DATA, folds=NUM_FOLDS):
    data = ["--data", *map(str, data)] if data else []
    return ["cross-validate", str(config), "-s", str(folder), "--folds", str(folds), *data, *args]


def _cross_validate(folder, *args, overrides=EPOCHS, **kwargs):
    allennlp(*_arguments(folder, *args, **kwargs), overrides=overrides)
    return json.loads((folder / "cross_validation.json").read_text())


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unbroken")
    _cross_validate(folder)
    return folder


@pytest.fixture(scope="module")
def summary(unbroken):
    return json.loads((unbroken / "cross_validation.json").read_text())


@pytest.fixture
def finished(unbroken, tmp_path):
    """A copy of the folder, for tests that change it."""
    return shutil.copytree(unbroken, tmp_path / "run")


@pytest.fixture
def held_out(unbroken, tmp_path):
    """The path of an ordinary file with the documents of the first fold."""
    (fold, *_) = json.loads((unbroken / "folds.json").read_text())
    documents = []
    for path in DATA:
        for text in (ROOT / path).read_text().split("# newdoc id = ")[1:]:
            if f"{path}:{text.splitlines()[0]}" in fold:
                documents.append(f"# newdoc id = {text}")
    assert len(documents) == len(fold) == 2
    path = tmp_path / "held_out.conllu"
    path.write_text("".join(documents))
    return path


def test_each_document_is_in_one_fold(unbroken):
    folds = json.loads((unbroken / "folds.json").read_text())
    assert sorted(map(len, folds)) == [1, 1, 2]
    assert len({document for fold in folds for document in fold}) == 4
    assert {document.rsplit(":")[0] for fold in folds for document in fold} == set(DATA)


def test_the_summary_has_mean_and_deviation_of_the_scores_of_the_folds(unbroken, summary):
    folds = [json.loads((unbroken / f"fold-{fold}/test_metrics.json").read_text()) for fold in range(NUM_FOLDS)]
    assert summary["num_documents"] == 4
    assert summary["metrics"].keys() == SCORES
    for name, metric in summary["metrics"].items():
        values = [fold[name] for fold in folds]
        assert metric["folds"] == values
        assert metric["mean"] == pytest.approx(sum(values) / 3)
        assert metric["std"] == pytest.approx(statistics.stdev(values))
    assert len(set(summary["metrics"]["loss"]["folds"])) == 3


def test_the_summary_has_the_scores_on_folds_for_validation(unbroken, summary):
    folds = [_metrics(unbroken / f"fold-{fold}") for fold in range(NUM_FOLDS)]
    assert summary["validation_metrics"].keys() == SCORES
    for name, metric in summary["validation_metrics"].items():
        assert metric["folds"] == [fold[f"best_validation_{name}"] for fold in folds]


def test_the_scores_are_those_of_the_archive_on_an_ordinary_file(unbroken, held_out, tmp_path):
    output = tmp_path / "scores.json"
    allennlp("evaluate", unbroken / "fold-0/model.tar.gz", held_out, "--output-file", output)
    scores, expected = json.loads(output.read_text()), json.loads((unbroken / "fold-0/test_metrics.json").read_text())
    # The loss is the mean over batches, which the sampler draws at random.
    assert scores.pop("loss") == pytest.approx(expected.pop("loss"), rel=0.2)
    assert scores == expected


def test_the_archive_predicts(unbroken, held_out, tmp_path):
    output = tmp_path / "predictions.jsonl"
    arguments = ["--use-dataset-reader", "--output-file", output, "--silent"]
    allennlp("predict", unbroken / "fold-0/model.tar.gz", held_out, *arguments)
    assert len(output.read_text().splitlines()) == held_out.read_text().count("# sent_id")


def test_all_data_is_predicted_in_its_order_where_asked_for(finished):
    assert not (finished / "predictions.jsonl").exists()
    _cross_validate(finished, "--predict")
    predictions = list(map(json.loads, (finished / "predictions.jsonl").read_text().splitlines()))
    documents = [document for path in DATA for document in ConlluCorpus().read(ROOT / path)]
    assert [prediction["words"] for prediction in predictions] == [
        sentence.words for document in documents for sentence in document.sentences
    ]
    correct = [tag == gold for line in predictions for tag, gold in zip(line["tags"], line["gold_tags"], strict=True)]
    accuracies, sizes = [], []
    for number, fold in enumerate(json.loads((finished / "folds.json").read_text())):
        ids = {name.rsplit(":")[1] for name in fold}
        sizes.append(sum(len(line["words"]) for line in predictions if line["doc_id"] in ids))
        accuracies.append(json.loads((finished / f"fold-{number}/test_metrics.json").read_text())["accuracy"])
    expected = sum(accuracy * size for accuracy, size in zip(accuracies, sizes, strict=True)) / sum(sizes)
    assert sum(correct) / len(correct) == pytest.approx(expected)


def test_documents_read_as_a_whole(tmp_path):
    config = ROOT / "training_config/memory_ner.jsonnet"
    # Of so few documents those to train on need not have all tags.
    overrides = {"trainer.num_epochs": 1, "datasets_for_vocab_creation": None}
    summary = _cross_validate(tmp_path / "run", "--predict", config=config, overrides=overrides)
    assert summary["num_documents"] == 4
    predictions = map(json.loads, (tmp_path / "run/predictions.jsonl").read_text().splitlines())
    assert [(prediction["doc_id"], prediction["words"]) for prediction in predictions] == [
        (document.id, sentence.words)
        for path in DATA
        for document in ConlluCorpus().read(ROOT / path)
        for sentence in document.sentences
    ]


def test_threads_of_one_group_are_in_one_fold(tmp_path):
    threads = list(map(json.loads, (ROOT / "fixtures/threads/dev.jsonl").read_text().splitlines()))
    data = tmp_path / "threads.jsonl"
    data.write_text("".join(json.dumps({**thread, "group": f"g{n % 3}"}) + "\n" for n, thread in enumerate(threads)))
    config = ROOT / "training_config/thread_structure.jsonnet"
    arguments = {"config": config, "data": [data], "overrides": {"trainer.num_epochs": 1}}
    summary = _cross_validate(tmp_path / "run", "--predict", **arguments)
    assert summary["num_documents"] == 3
    assert {"link_f1", "act_f1", "joint_f1"} <= summary["metrics"].keys()
    folds = json.loads((tmp_path / "run/folds.json").read_text())
    assert sorted(document for fold in folds for document in fold) == [f"{data}:g{number}" for number in range(3)]
    predictions = map(json.loads, (tmp_path / "run/predictions.jsonl").read_text().splitlines())
    assert [prediction["id"] for prediction in predictions] == [thread["id"] for thread in threads]


def test_progress_and_table(finished, capsys):
    _cross_validate(finished)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "cross-validation: 4 documents in 3 folds"
    scores = json.loads((finished / "fold-1/test_metrics.json").read_text())
    assert lines[2].startswith("fold-1 (2 of 3): precision ") and f"f1 {100 * scores['f1']:.1f}" in lines[2]
    table = [line.split() for line in lines[4:]]
    assert table[0] == ["fold-0", "fold-1", "fold-2", "mean", "std"]
    assert {row[0] for row in table[1:]} == SCORES
    assert all(len(row) == 6 for row in table[1:])


def test_finished_folds_are_not_trained_again(finished, summary, monkeypatch):
    monkeypatch.setattr(runner, "train_model", None)
    (finished / "cross_validation.json").unlink()
    assert _cross_validate(finished) == summary


def test_one_fold_is_in_memory_at_a_time(tmp_path, monkeypatch):
    alive, train_model = [], runner.train_model

    def count_and_train(*args, **kwargs):
        alive.append(sum(type(thing) is FoldReader for thing in gc.get_objects()))
        train_model(*args, **kwargs)

    monkeypatch.setattr(runner, "train_model", count_and_train)
    _cross_validate(tmp_path / "run", overrides={"trainer.num_epochs": 1})
    assert alive == [0, 0, 0]


@pytest.mark.parametrize(
    ("epoch", "kept"), [(0, False), (1, True)], ids=["before the first checkpoint", "after the first checkpoint"]
)
def test_an_interrupted_run_goes_on_to_the_same_summary(finished, summary, monkeypatch, epoch, kept):
    unbroken_outputs = GradientDescentTrainer.batch_outputs

    def batch_outputs(self, batch, for_training):
        if self._serialization_dir.endswith("fold-1") and self._epochs_completed == epoch:
            raise KeyboardInterrupt
        return unbroken_outputs(self, batch, for_training)

    (finished / "cross_validation.json").unlink()
    shutil.rmtree(finished / "fold-1")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(GradientDescentTrainer, "batch_outputs", batch_outputs)
        _cross_validate(finished)
    assert (finished / "fold-0/test_metrics.json").exists()
    assert not (finished / "fold-1/test_metrics.json").exists()
    assert (finished / "fold-1/training_state_e1_b0.th").exists() == kept
    assert _approximately(_cross_validate(finished), summary)


def test_a_killed_run_goes_on_to_the_same_summary(summary, tmp_path):
    folder = tmp_path / "run"
    run_until_killed(*_arguments(folder), overrides=EPOCHS, epoch=1, folder="fold-1")
    assert (folder / "fold-1/training_state_e1_b0.th").exists() and not (folder / "fold-2").exists()
    (folder / ".config.json.0123.unfinished").touch()
    os.truncate(folder / "fold-1/model_state_e1_b0.th", 1000)
    assert _approximately(_cross_validate(folder), summary)
    assert (folder / "fold-1/model_state_e1_b0.th.broken").exists() and not list(folder.glob(".*"))


@pytest.mark.parametrize(
    "name", ["config.json", "folds.json", "fold-1/test_metrics.json", "fold-2/metrics.json", "fold-0/config.json"]
)
def test_json_that_is_cut_off_is_named(name, finished):
    if name == "fold-0/config.json":
        # The fold is still to be finished.
        (finished / "fold-0/test_metrics.json").unlink()
    path = finished / name
    os.truncate(path, path.stat().st_size // 2)
    expected = f"expected all of it; remove the folder {path.parent} to train anew"
    with pytest.raises(ConfigurationError, match=f"^{path}: found JSON that is cut off .*char.*, {expected}"):
        _cross_validate(finished)


def test_json_of_another_kind(finished):
    (finished / "config.json").write_text("[]")
    with pytest.raises(ConfigurationError, match="config.json: found a list, expected a dict; remove the folder"):
        _cross_validate(finished)


def _approximately(summary, expected):
    assert summary.keys() == expected.keys() and summary["metrics"].keys() == expected["metrics"].keys()
    assert summary["num_documents"] == expected["num_documents"]
    return all(
        summary["metrics"][name]["folds"] == pytest.approx(metric["folds"], rel=1e-12)
        for name, metric in expected["metrics"].items()
    )


def test_the_training_data_of_a_configuration_without_validation(tmp_path, monkeypatch):
    config = tmp_path / "config.jsonnet"
    config.write_text(
        """{
          dataset_reader: { type: 'tagged_sentences', corpus: 'conllu' },
          train_data_path: 'fixtures/people_and_places/dev.conllu',
          data_loader: { batch_size: 8, shuffle: true },
          random_seed: std.parseInt(std.extVar('SEED')),
          model: {
            type: 'sequence_tagger',
            text_field_embedder: { token_embedders: { tokens: { type: 'embedding', embedding_dim: 6 } } },
            encoder: { type: 'bilstm', input_size: 6, hidden_size: 3 },
            head: { metrics_per_type: true },
          },
          trainer: { num_epochs: 1, optimizer: 'adam', patience: null },
        }"""
    )
    monkeypatch.setenv("SEED", "5")
    kwargs = {"config": config, "data": None, "folds": 2, "overrides": None}
    summary = _cross_validate(tmp_path / "run", **kwargs)
    assert summary["num_documents"] == 2
    settings = json.loads((tmp_path / "run/fold-1/config.json").read_text())
    assert (settings["random_seed"], settings["validation"], settings["test_fold"]) == (5, False, 1)
    assert not any(name.startswith("best_validation") for name in _metrics(tmp_path / "run/fold-1"))
    assert summary["validation_metrics"] == {}
    monkeypatch.setenv("SEED", "6")
    with pytest.raises(ConfigurationError, match="random_seed is 6 and was 5; expected the same or a new folder"):
        _cross_validate(tmp_path / "run", **kwargs)


def _metrics(folder):
    return json.loads((folder / "metrics.json").read_text())


def test_a_score_that_a_fold_lacks():
    summary = summarize([{"f1": 0.5, "f1-place": 0.25}, {"f1": 1.0}])
    assert summary["f1-place"] == {"mean": 0.25, "std": None, "folds": [0.25, None]}
    assert command._table(summary, 2).splitlines()[2].split() == ["f1-place", "25.0", "-", "25.0", "-"]


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"overrides": {"trainer.num_epochs": 3}}, "trainer.num_epochs is 3 and was 2"),
        ({"folds": 4}, "num_folds is 4 and was 3"),
        ({"data": [DATA[1], DATA[0]]}, "train_data_path is .*test.conllu.* and was .*dev.conllu"),
        ({"overrides": {**EPOCHS, "trainer.grad_clipping": 1}}, "trainer.grad_clipping is 1 and was null"),
    ],
)
def test_another_configuration_in_the_same_folder(unbroken, changes, difference):
    with pytest.raises(ConfigurationError, match=difference):
        _cross_validate(unbroken, **changes)


def test_another_seed_in_the_same_folder(unbroken):
    with pytest.raises(ConfigurationError, match="fold_seed is 1 and was 13370"):
        _cross_validate(unbroken, "--seed", "1")


def test_other_data_under_the_same_path(tmp_path, monkeypatch):
    def train_model(params, folder, **options):
        os.mkdir(folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "train_model", train_model)
    data = tmp_path / "data.conllu"
    text = "".join((ROOT / path).read_text() for path in DATA)
    data.write_text(text)
    with pytest.raises(KeyboardInterrupt):
        _cross_validate(tmp_path / "run", data=[data])
    data.write_text(text.replace("-person-", "-human-"))
    with pytest.raises(ConfigurationError, match="another cross-validation in .*run: .*data.conllu is another file; "):
        _cross_validate(tmp_path / "run", data=[data])


def test_other_documents_under_the_same_path(finished):
    folds = (finished / "folds.json").read_text()
    (finished / "folds.json").write_text(folds.replace("dev.conllu:", "dev.conllu:former_"))
    with pytest.raises(ConfigurationError, match="the documents of .*dev.conllu, .* are others than before"):
        _cross_validate(finished)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"folds": 5}, "found 4 documents, expected at least one for each of 5 folds"),
        ({"folds": 2}, "found 2 folds, expected at least 3: to train, to validate and to test"),
        (
            {"data": None, "overrides": {"train_data_path": None}},
            "found the train_data_path None, expected one or more",
        ),
        ({"overrides": {"distributed": {"cuda_devices": [-1, -1]}}}, "with type or distributed, expected neither"),
    ],
)
def test_nothing_is_written_where_it_cannot_work(tmp_path, changes, message):
    with pytest.raises(ConfigurationError, match=message):
        _cross_validate(tmp_path / "run", **changes)
    assert not (tmp_path / "run").exists()


def test_params_stay_as_they_are(finished):
    params = Params.from_file(ROOT / DEPTREE_NER, json.dumps(EPOCHS))
    before = json.dumps(params.as_dict(quiet=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        cross_validate(params, str(finished), NUM_FOLDS, data=list(DATA))
    assert json.dumps(params.as_dict(quiet=True)) == before
    shutil.rmtree(finished / "fold-0")
    config = fold_config(params, list(DATA), NUM_FOLDS, seed=1, validation=True)
    before = json.dumps(config.as_dict(quiet=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        next(train_folds(finished, config))
    assert json.dumps(config.as_dict(quiet=True)) == before


def test_a_folder_of_something_else(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ConfigurationError, match="not empty and without config.json, expected a new folder"):
        _cross_validate(tmp_path)
