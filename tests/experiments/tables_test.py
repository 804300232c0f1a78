"""Tables of trainings name configurations and rows that there are."""

import functools
import json

import pytest
from allennlp.common import Params
from helpers.paths import REAL_DATA, ROOT

from experiments.runs import TABLES, read_table, table_runs
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.threads import ThreadCorpus

NAMES = sorted(path.stem for path in (ROOT / TABLES).glob("*.jsonnet"))


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", NAMES)
def test_configurations_and_rows(name):
    table, runs = read_table(name), list(table_runs(name))
    assert all((ROOT / run.config).exists() for run in runs)
    assert table.get("reference", runs[0].row) in table["rows"]
    assert sorted(table.get("order", table["rows"])) == sorted(table["rows"])
    assert table.get("gold", runs[0].row) in table["rows"]
    assert ("folds" in table) != ("evaluations" in table)


@pytest.mark.skipif(not REAL_DATA.exists(), reason="needs the corpora in ../shared/data")
@pytest.mark.parametrize("name", NAMES)
def test_evaluated_files_are_read(name, monkeypatch):
    monkeypatch.setenv("DATA", str(REAL_DATA))
    monkeypatch.setenv("WORD_VECTORS", "")
    evaluated = [(run, values) for run in table_runs(name) if run.seed == 1 for values in run.evaluations.values()]
    corpora = set()
    for run, values in evaluated:
        if "data" in values:
            config = run.rendered_config(values.get("overrides"))
            reader = config.get("validation_dataset_reader") or config["dataset_reader"]
            corpora.add((json.dumps(reader.get("corpus")), values["data"]))
    for corpus, path in corpora:
        # The readers of allennlp-models' `crf_tagger` and of language models have no corpus of nerzoo's.
        if corpus != "null":
            assert first_document(corpus, str(REAL_DATA / path))


@functools.cache
def first_document(corpus, path):
    params = Params(json.loads(corpus))
    base = Corpus if params["type"] in Corpus.list_available() else ThreadCorpus
    return next(iter(base.from_params(params).read(path)), None)


@pytest.mark.parametrize("name", [path.stem for path in sorted((ROOT / TABLES).glob("memory_*"))])
def test_documents_are_compared_where_a_memory_reads_them(name):
    assert read_table(name)["by_document"] is True


def test_language_models_are_compared_with_the_l2_terms_and_the_rates_that_were_tried(monkeypatch):
    monkeypatch.setenv("DATA", "/nowhere")
    table, tried = read_table("wikitext2"), read_table("wikitext2_rates")["rows"]
    models, terms, rates = ("fofe_1", "fofe_2", "lstm"), ("4e-5", "1e-4", "4e-4"), ("0.064", "0.128", "0.256", "0.512")
    assert {*table["rows"]} == {f"{model}-{term}" for model in models for term in terms} and table["seeds"] == 3
    assert {*tried} == {f"{model}-{term}-{rate}" for model in models for term in terms for rate in rates}
    perplexities = {
        run.row: run.record["evaluations"]["development"]["metrics"]["perplexity"]
        for run in table_runs("wikitext2_rates")
        if run.product.exists()
    }
    for run in table_runs("wikitext2"):
        optimizer = run.rendered_config()["trainer"]["optimizer"]
        assert optimizer["weight_decay"] == float(run.row.partition("-")[2])
        measured = {rate: perplexities[row] for rate in rates if (row := f"{run.row}-{rate}") in perplexities}
        # A rate is known for best only among those that were tried.
        if len(measured) == len(rates):
            assert optimizer["lr"] == float(min(measured, key=measured.get)), run.row


def test_trees_are_predicted_on_the_part_and_with_the_parts_of_speech_of_the_papers_table_5():
    evaluation = read_table("gum")["evaluations"]["development_predicted_trees"]
    overrides = evaluation["overrides"]
    assert evaluation["data"] == "gum/dev.conllu.gz"
    assert overrides["dataset_reader.predicted_trees"]
    assert "dataset_reader.predicted_pos" not in overrides
