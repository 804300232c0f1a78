"""Every configuration trains a step, and the folder has the files that it says it has."""

import importlib
import json
import math
import os
import re

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params
from helpers.configurations import assert_trains_one_step, build, names, render, shorten
from helpers.main_jobs import MAIN_JOBS
from helpers.paths import CONFIGS, FIXTURES, ROOT
from helpers.renderings import VARIABLES, evaluate_snippet, evaluate_text

import nerzoo  # noqa: F401
from nerzoo.configuration.check import SEEDS, read_configuration

SYSTEMS = [job for job in MAIN_JOBS if job != "ner"]
FILES = sorted(CONFIGS.rglob("*sonnet"))
# On the folders of corpora; those that are not free have variables of their own and are in paper/.
ON_FREE_DATA = [name for name in names("*/*/*") if name.split("/")[1] not in ("paper", "small")]


@pytest.fixture(scope="module")
def trained():
    """The configurations that were trained, of which some are the same: a row of a table is the whole model."""
    return []


@pytest.fixture(scope="module")
def data(few_sentences, few_errors, few_lines):
    """A function of the parameters of a configuration: the path of little data that they can read."""

    def path(params):
        if "positive_label" in params["model"].get("head", {}):
            return few_errors
        others = {"text_lines": few_lines, "reply_threads": FIXTURES / "threads/dev.jsonl"}
        return others.get(params["dataset_reader"]["type"], few_sentences)

    return path


@pytest.mark.parametrize("name", names())
def test_every_configuration_trains_one_step(name, data, trained, pretrained, tmp_path):
    config = render(name)
    text = json.dumps(config)
    for variable in ("WORD_VECTORS", "CASED_WORD_VECTORS", "UNCASED_WORD_VECTORS"):
        file = os.environ[variable]
        size = vector_size(config, file)
        text = text.replace(json.dumps(file), json.dumps(str(pretrained / f"vectors_{size or 100}.txt")))
    params = Params(json.loads(text))
    if params["model"]["type"] == "crf_tagger":
        # Registers it, which takes seconds, and few configurations have it.
        importlib.import_module("allennlp_models.tagging")
    path = data(params)
    shorten(params, path)
    rendering = params.duplicate().as_dict(quiet=True)
    if rendering in trained:
        return
    trained.append(rendering)
    if "first_pass" in params["model"]:
        train_first_pass(params, path, tmp_path)
    is_frozen = "frozen_transitions" in str(rendering["trainer"])
    training = build(params, path, tmp_path / "output")
    metrics = assert_trains_one_step(training, zeroed="transitions" if is_frozen else "nothing")
    assert metrics.get("validation_perplexity", math.inf) > 1


def test_renderings_are_those_of_the_library_that_nerzoo_depends_on():
    """Main jobs and those of the papers, since the library takes a quarter of a minute for all configurations."""
    variables = {name: os.environ[name] for name in VARIABLES}
    text = ", ".join(f'import "{CONFIGS}/{name}.jsonnet"' for name in [*MAIN_JOBS, *names("*/paper")])
    by_tests, by_library = (
        json.loads(evaluate("", f"[{text}]", ext_vars=variables)) for evaluate in (evaluate_snippet, evaluate_text)
    )
    assert by_tests == by_library


@pytest.mark.parametrize("name", names())
def test_words_of_the_vocabulary_are_those_of_training_data(name):
    """Tags of other parts may be known, see docs/data.md; their words never are."""
    config = render(name)
    words_are_known = config.get("validation_dataset_reader", {}).get("count_words", True)
    assert config.get("datasets_for_vocab_creation") == ["train"] or not words_are_known


def vector_size(config, file):
    """The size of the vectors that are read from a file; None where there are none."""
    if isinstance(config, dict) and config.get("pretrained_file") == file:
        return config["embedding_dim"]
    parts = config.values() if isinstance(config, dict) else config if isinstance(config, list) else []
    return next(filter(None, (vector_size(part, file) for part in parts)), None)


def train_first_pass(params, path, folder):
    first = params.duplicate().as_dict(quiet=True)
    first["model"], first["dataset_reader"] = first["model"]["first_pass"], first.pop("validation_dataset_reader")
    first = Params(first)
    shorten(first, path)
    train_model(first, folder / "first")
    params["dataset_reader"]["first_pass"] = "gold"
    params["model"]["pretrained_file"] = str(folder / "first/model.tar.gz")


def test_the_main_jobs_a_folder_for_each_system_what_they_share_and_what_a_bench_trains():
    entries = {path.name for path in CONFIGS.iterdir()}
    assert entries == {f"{name}.jsonnet" for name in MAIN_JOBS} | {*SYSTEMS, "bench", "lib", "records.json", "zoo"}
    assert not names("lib/**/*")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_folder_has_what_it_shares_the_paper_and_rows_of_its_tables(system):
    folder = CONFIGS / system
    assert (folder / "base.libsonnet").exists() and (folder / "rows.libsonnet").exists()
    assert [path.name for path in folder.glob("*.jsonnet")] == ["paper.jsonnet"]
    assert list(folder.glob("paper/*.jsonnet"))


@pytest.mark.parametrize("name", MAIN_JOBS)
def test_main_jobs_have_the_seed_of_the_variable_or_those_of_allennlp(name):
    for value, seeds in (("3", {3}), ("4", {4}), ("", {None})):
        config = read_configuration(CONFIGS / f"{name}.jsonnet", ext_vars={"SEED": value})
        assert {config.params.get(key) for key in SEEDS} == seeds


@pytest.mark.parametrize("name", names("*/**/*"))
def test_leaves_are_short(name):
    assert len((CONFIGS / f"{name}.jsonnet").read_text().splitlines()) < 25


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CONFIGS)))
def test_where_data_lies_and_what_the_seed_is_stands_once(path):
    text = path.read_text()
    variables = set(re.findall(r"extVar\('(\w+)'\)", text))
    assert not variables & {"VARIANT", "COMBINATION", "ROW"}
    assert "shared/" not in text
    assert "DATA" not in variables or path == CONFIGS / "lib/data.libsonnet"
    assert "SEED" not in variables or path == CONFIGS / "lib/seed.libsonnet"
    assert "_seed:" not in text or path == CONFIGS / "lib/seed.libsonnet"


@pytest.mark.parametrize("name", ON_FREE_DATA)
def test_on_free_data_the_folder_and_the_seed_are_variables(name):
    config = render(name)
    assert {config["random_seed"], config["numpy_seed"], config["pytorch_seed"]} == {17}
    paths = [config[part] for part in config if part.endswith("_data_path")]
    assert paths and all(path.startswith("/elsewhere/") for path in paths)


@pytest.mark.parametrize("name", [name for name in names() if "paper" in name.split("/")])
def test_with_the_settings_of_a_paper_the_seed_is_a_variable(name):
    config = render(name)
    assert {config["random_seed"], config["numpy_seed"], config["pytorch_seed"]} == {17}


@pytest.mark.parametrize("name", names())
def test_filters_fit_into_the_shortest_word(name):
    config = render(name)
    embedders = config["model"].get("text_field_embedder", {}).get("token_embedders", {})
    for key, embedder in embedders.items():
        sizes = embedder.get("encoder", {}).get("ngram_filter_sizes")
        if sizes is not None:
            assert config["dataset_reader"]["token_indexers"][key]["min_padding_length"] >= max(sizes)


@pytest.mark.parametrize("name", MAIN_JOBS)
def test_main_jobs_are_on_the_fixtures_and_ask_for_nothing(name, monkeypatch):
    for variable in VARIABLES:
        monkeypatch.delenv(variable)
    config = render(name)
    for part in ("train", "validation"):
        assert (ROOT / config[f"{part}_data_path"]).exists()
