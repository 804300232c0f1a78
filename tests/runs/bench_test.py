import fcntl
import json
from importlib.metadata import PackageNotFoundError, version

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from helpers.benches import FILES, PEOPLE_AND_PLACES, do_bench, run_here, settings
from helpers.tiny_pretrained import write_transformer

from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.runs import bench as module
from nerzoo.runs.bench import Bench, BenchRun, Cost, Share, machine, shares, versions
from nerzoo.runs.systems import all_systems


def start(folder, corpus=None, **more):
    bench = Bench(folder)
    bench.start(settings(**more), corpus or ColumnsCorpus())
    return bench


def test_what_is_missing_is_done_and_nothing_else(tmp_path, monkeypatch):
    done = []
    bench = do_bench(tmp_path / "bench", monkeypatch, done)
    assert done == ["runs/feature_crf-1-0"]
    (run,) = bench.runs
    assert run.record["parameters"] > 0 and len(run.predictions) == 34
    do_bench(tmp_path / "bench", monkeypatch, done)
    assert len(done) == 1
    (run.folder / "record.json").unlink()
    do_bench(tmp_path / "bench", monkeypatch, done)
    assert done == 2 * ["runs/feature_crf-1-0"] and run.record["starts"] == 2


def test_the_folder_says_what_was_asked_for_and_of_what(tmp_path):
    facts = start(tmp_path / "bench", systems=None).facts
    assert facts["settings"]["inputs"] == FILES and len(facts["sha256"]) == 2
    assert (facts["facts"]["num_documents"], facts["facts"]["depth"], facts["num_splits"]) == (2, 1, 1)
    assert set(facts["left_out"]) == {"deptree_ner", "fofe_ner_nested", "transformer"}
    assert facts["left_out"]["transformer"] == "--transformer names no folder"
    assert "no dependency trees" in facts["left_out"]["deptree_ner"]
    assert facts["versions"]["torch"] and facts["machine"]["cores"]
    assert facts["fingerprints"]["ner"] != facts["fingerprints"]["crf_tagger"]
    assert facts["fingerprints"]["spacy"] is None


def test_nested_entities_and_trees(tmp_path):
    inputs = [str(PEOPLE_AND_PLACES / f"{part}.conllu") for part in ("dev", "dev", "test")]
    corpus = ConlluCorpus(proper_names=True)
    nested = start(tmp_path / "nested", corpus, systems=None, inputs=inputs).facts
    assert set(nested["left_out"]) == {"fofe_ner", "transformer"} and nested["facts"]["depth"] > 1
    flat = start(tmp_path / "flat", corpus, systems=None, inputs=inputs, flat_layer="outermost").facts
    assert set(flat["left_out"]) == {"fofe_ner_nested", "transformer"}


def test_without_documents(tmp_path):
    path = tmp_path / "one.txt"
    path.write_text("Mara B-person\n\nleft O\n")
    facts = start(tmp_path / "bench", systems=["memory_ner"], inputs=[str(path)] * 3).facts
    assert facts["left_out"] == {"memory_ner": "the data does not separate documents"}


def test_a_transformer_is_one_more_system(tmp_path):
    write_transformer(tmp_path, hidden_size=16)
    bench = start(tmp_path / "bench", systems=["transformer"], transformer=str(tmp_path))
    assert bench.facts["systems"] == ["transformer"] and str(tmp_path) in bench.facts["sha256"]
    specification = bench.specification(BenchRun.below(tmp_path, "transformer", 1, 0), epochs=1)
    assert specification.environment["TRANSFORMER"] == str(tmp_path)


def test_a_folder_without_a_transformer(tmp_path):
    with pytest.raises(ConfigurationError, match="found no configuration of a transformer"):
        start(tmp_path / "bench", transformer=str(tmp_path))
    write_transformer(tmp_path, hidden_size=16)
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(ConfigurationError, match="found no weights of a transformer"):
        start(tmp_path / "bench", transformer=str(tmp_path))


def test_folds_are_runs_of_their_own(tmp_path, monkeypatch):
    done = []
    bench = do_bench(tmp_path / "bench", monkeypatch, done, inputs=[str(PEOPLE_AND_PLACES / "train.txt")], folds=3)
    assert done == [f"runs/feature_crf-1-{fold}" for fold in range(3)]
    assert sum(len(run.predictions) for run in bench.runs) == 208


@pytest.mark.parametrize(
    "more, message",
    [
        ({"inputs": FILES[:2]}, "found 2 files, expected three, .* or one with --folds"),
        ({"folds": 5}, "found 3 files"),
        ({"systems": ["bert"]}, "found the system 'bert', expected some of ner, .*, feature_crf"),
    ],
)
def test_what_cannot_be_done(more, message, tmp_path):
    with pytest.raises(ConfigurationError, match=message):
        start(tmp_path / "bench", **more)
    assert not (tmp_path / "bench/bench.json").exists()


def test_another_bench_in_the_folder(tmp_path):
    path = tmp_path / "test.txt"
    path.write_text("Mara B-person\n\nleft O\n")
    inputs = [*FILES[:2], str(path)]
    start(tmp_path / "bench", inputs=inputs)
    start(tmp_path / "bench", inputs=inputs)
    with pytest.raises(ConfigurationError, match="found another bench in .*: seeds is 2 and was 1; expected the same"):
        start(tmp_path / "bench", inputs=inputs, seeds=2)
    path.write_text("Mara B-person\n\nstayed O\n")
    with pytest.raises(ConfigurationError, match="test.txt is another file"):
        start(tmp_path / "bench", inputs=inputs)


def test_another_configuration_of_a_system(tmp_path):
    configs = tmp_path / "configs"
    configs.mkdir()
    for name in all_systems(configs):
        (configs / f"{name}.jsonnet").write_text("{ trainer: { num_epochs: 7 } }")
    start(tmp_path / "bench", configs=str(configs), systems=["ner", "deptree_ner"])
    # The data has no trees.
    (configs / "deptree_ner.jsonnet").write_text("{ trainer: { num_epochs: 8 } }")
    start(tmp_path / "bench", configs=str(configs), systems=["ner", "deptree_ner"])
    (configs / "ner.jsonnet").write_text("{ trainer: { num_epochs: 8 } }")
    with pytest.raises(ConfigurationError, match="another bench in .*: the configuration of ner is another one; expec"):
        start(tmp_path / "bench", configs=str(configs), systems=["ner", "deptree_ner"])


def test_something_else_in_the_folder(tmp_path):
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(ConfigurationError, match="found .* not empty and without bench.json, expected a new folder"):
        start(tmp_path)


def test_a_single_sentence(tmp_path):
    path = tmp_path / "one.txt"
    path.write_text("Mara B-person\nleft O\n")
    with pytest.raises(ConfigurationError, match="found a sentence of test data, expected two at least"):
        start(tmp_path / "bench", inputs=[*FILES[:2], str(path)])


@pytest.mark.parametrize(
    "more, expected", [({}, "some to learn from"), ({"folds": 3}, "some in the training data of a fold")]
)
def test_training_data_without_entities(tmp_path, more, expected):
    path = tmp_path / "none.txt"
    path.write_text("Mara O\n\n" * 3)
    inputs = [str(path)] if more else [str(path), *FILES[1:]]
    with pytest.raises(ConfigurationError, match=f"none.txt: found no entities, expected {expected}"):
        start(tmp_path / "bench", inputs=inputs, **more)
    assert not (tmp_path / "bench").exists()


def test_no_bench_in_the_folder(tmp_path):
    with pytest.raises(ConfigurationError, match="found no bench.json in .*, expected the folder of a bench"):
        _ = Bench(tmp_path).facts


def test_pilots_divide_the_time_and_what_fails_is_left_to_itself(tmp_path, monkeypatch):
    done = []
    more = {"systems": ["memory_ner", "feature_crf"], "minutes": 0.02, "seeds": 2}
    # A configuration that cannot be read.
    configs = tmp_path / "configs"
    configs.mkdir()
    for name in all_systems(configs):
        (configs / f"{name}.jsonnet").write_text("{ trainer: { num_epochs: 7 } }")
    bench = do_bench(tmp_path / "bench", monkeypatch, done, configs=str(configs), **more)
    assert done == ["pilots/memory_ner-1-0", "pilots/feature_crf-1-0", "runs/feature_crf-1-0"]
    facts = bench.facts
    assert set(facts["costs"]) == set(facts["shares"]) == {"feature_crf"}
    assert facts["full"] == {"memory_ner": {"epochs": 7, "seeds": 2}, "feature_crf": {"epochs": 100, "seeds": 1}}
    (run,) = bench.runs
    specification = json.loads((run.folder / "run.json").read_text())
    assert specification["epochs"] == facts["shares"]["feature_crf"]["epochs"] < 100
    # The time is divided once.
    do_bench(tmp_path / "bench", monkeypatch, done, configs=str(configs), **more)
    assert len(done) == 3


def test_the_time_is_not_divided_while_another_process_is_at_a_pilot(tmp_path, monkeypatch):
    pilot = tmp_path / "bench/pilots/feature_crf-1-0"
    bench = start(tmp_path / "bench", minutes=0.02)
    run_here(monkeypatch)
    pilot.mkdir(parents=True)
    with (pilot / "log").open("a") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        with pytest.raises(ConfigurationError, match="found another process at pilots/feature_crf-1-0, expected none"):
            bench.run()
    assert "shares" not in bench.facts
    bench.run()
    assert set(bench.facts["shares"]) == {"feature_crf"}


def test_seeds_come_one_after_the_other(tmp_path):
    bench = start(tmp_path / "bench", systems=["ner", "feature_crf"], seeds=2)
    bench_file = tmp_path / "bench/bench.json"
    shares = {"ner": {"epochs": 1, "seeds": 2}, "feature_crf": {"epochs": 1, "seeds": 1}}
    bench_file.write_text(json.dumps({**bench.facts, "shares": shares}))
    assert [run.folder.name for run in bench.runs] == ["ner-1-0", "feature_crf-1-0", "ner-2-0"]


@pytest.mark.parametrize("header", ["", "2 3\n"])
def test_the_size_of_word_vectors_is_that_of_the_file(header, tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text(f"{header}the 1 2 3\na 4 5 6\n")
    assert start(tmp_path / "bench", word_vectors=str(path)).facts["vector_size"] == 3


def test_no_word_vectors(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("\n")
    with pytest.raises(ConfigurationError, match="vectors.txt: found no word vectors, expected a line for each word"):
        start(tmp_path / "bench", word_vectors=str(path))


COSTS = {"quick": Cost(1.0, 4.0), "slow": Cost(10.0, 10.0)}
FULL = {"quick": Share(10, 3), "slow": Share(20, 3)}


def total(found, num_splits=1):
    return sum(num_splits * share.seeds * COSTS[name].total(share.epochs) for name, share in found.items())


def test_with_enough_time_all_get_what_was_asked_for():
    assert shares(COSTS, FULL, 1, 3 * (14 + 210)) == FULL


@pytest.mark.parametrize("seconds, seeds", [(671, 2), (448, 2), (447, 1), (224, 1)])
def test_seeds_are_cut_before_epochs(seconds, seeds):
    found = shares(COSTS, FULL, 1, seconds)
    assert found == {name: share._replace(seeds=seeds) for name, share in FULL.items()}
    assert total(found) <= seconds


def test_what_has_one_seed_in_any_case_keeps_it():
    full = {**FULL, "quick": Share(10, 1)}
    assert shares(COSTS, full, 1, 14 + 2 * 210) == {"quick": Share(10, 1), "slow": Share(20, 2)}


def test_time_that_one_does_not_need_goes_to_the_others():
    found = shares(COSTS, FULL, 1, 114)
    assert found == {"quick": Share(10, 1), "slow": Share(9, 1)}
    assert total(found) == 114


def test_a_system_whose_share_is_too_short_gets_the_others_as_much():
    costs, full = {"a": Cost(1.0, 0.0), "b": Cost(2.0, 0.0)}, {"a": Share(100, 1), "b": Share(100, 1)}
    assert shares(costs, full, 1, 60) == {"a": Share(30, 1), "b": Share(15, 1)}


def test_splits_count():
    found = shares(COSTS, FULL, 5, 5 * 114)
    assert (found["slow"], total(found, 5)) == (Share(9, 1), 5 * 114)


def test_an_epoch_is_the_least():
    assert shares(COSTS, FULL, 1, -5) == {"quick": Share(1, 1), "slow": Share(1, 1)}


def test_what_there_is():
    found = machine()
    assert found["processor"] and int(found["cores"]) >= 1 and found["memory"].endswith(" GiB")
    assert versions()["torch"] == torch.__version__.partition("+")[0]


def test_what_there_is_not(monkeypatch, tmp_path):
    def without_spacy(package):
        if package == "spacy":
            raise PackageNotFoundError(package)
        return version(package)

    monkeypatch.setattr(module, "version", without_spacy)
    monkeypatch.setattr(module, "_CPU_INFO", tmp_path / "missing")
    assert "spacy" not in versions() and machine()["processor"]
