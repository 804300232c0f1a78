"""Taggers with the words of a transformer: trained, packed, and loaded where the transformer is not."""

import json
import os
import shutil

import pytest
import torch
import transformers
from _jsonnet import evaluate_snippet
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, DatasetReader
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from helpers.configurations import assert_trains_one_step, build, shorten
from helpers.main_jobs import MAIN_JOBS
from helpers.paths import CONFIGS, FIXTURES
from helpers.tiny_pretrained import write_transformer

import nerzoo
from nerzoo import archives
from nerzoo.configuration.check import read_configuration
from nerzoo.configuration.sources import with_defaults
from nerzoo.modules.token_embedders.transformer import TransformerEmbedder
from nerzoo.runs.train_options import fine_tuned
from nerzoo.text.annotation import Document, Sentence
from nerzoo.training.optimizers import FusedAdam
from nerzoo.training.train_model import train_model

WORDS = ["Mara", "Quill", "\u200b", "lived", "in", "Lindow", "."]
TAGGERS = [*(job for job in MAIN_JOBS if job != "fofe_lm"), "fofe_ner/small/encoded"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder = tmp_path / "bert"
    folder.mkdir()
    write_transformer(folder)
    monkeypatch.setenv("TRANSFORMER", str(folder))
    monkeypatch.delenv("TRANSFORMER_SIZE")
    monkeypatch.setenv("WORD_VECTORS", "")
    return folder


def configured(name, **options):
    return read_configuration(CONFIGS / f"{name}.jsonnet", options=options)


def encoder(model):
    (embedder,) = [module for module in model.modules() if isinstance(module, TransformerEmbedder)]
    return embedder.encoder


@pytest.mark.parametrize("words, is_tuned", [("transformer", True), ("both", False)])
@pytest.mark.parametrize("name", TAGGERS)
def test_every_system_reads_a_transformer_in_place_of_its_own_vectors_or_beside_them(
    name, words, is_tuned, folder, few_sentences, tmp_path
):
    params = configured(name, words=words, tune_transformer=is_tuned)
    data = FIXTURES / "threads/dev.jsonl" if name == "thread_structure" else few_sentences
    training = build(params, data, tmp_path / "run")
    tuned = {parameter for parameter in encoder(training.model).parameters() if parameter.requires_grad}
    assert bool(tuned) == is_tuned
    if is_tuned:
        names = {parameter: name for name, parameter in training.model.named_parameters()}
        for group in training.trainer.optimizer.param_groups:
            for parameter in group["params"]:
                rate = 5e-5 if parameter in tuned else 1e-3
                decay = 0 if names[parameter].endswith("bias") or "norm" in names[parameter].lower() else 0.01
                assert (group["initial_lr"], group["weight_decay"]) == (rate, decay), names[parameter]
    assert_trains_one_step(training)


@pytest.mark.parametrize("lora_rank", [None, 2])
def test_layer_decay_lowers_the_rates_of_lower_layers(lora_rank, folder, few_sentences, tmp_path):
    options = {"tune_transformer": True, "layer_decay": 0.5, "lora_rank": lora_rank}
    training = build(configured("ner", words="both", **options), few_sentences, tmp_path / "run")
    names = {parameter: name for name, parameter in training.model.named_parameters()}
    rates = {".layer.1.": 5e-5, ".layer.0.": 2.5e-5, ".encoder.embeddings.": 1.25e-5}
    found = set()
    for group in training.trainer.optimizer.param_groups:
        for parameter in group["params"]:
            name = names[parameter]
            (part,) = [part for part in rates if part in name] or [None]
            decays = not name.endswith("bias") and "norm" not in name.lower()
            assert (group["initial_lr"], group["weight_decay"]) == (rates.get(part, 1e-3), 0.01 * decays), name
            found.add(part)
    assert found == ({None, ".layer.0.", ".layer.1."} if lora_rank else {None, *rates})


@pytest.mark.parametrize(
    "name, is_lowest",
    [
        ("encoder.embeddings_project.weight", True),
        ("encoder.encoder.embedding_hidden_mapping_in.weight", True),
        ("encoder.position_embeddings.weight", True),
        ("encoder.layer_norm_emb.bias", True),
        ("encoder.encoder.relative_attention_bias.weight", True),
        ("encoder.final_norm.weight", False),
    ],
)
def test_weights_outside_the_layers_count_as_below_or_above_them(name, is_lowest):
    names = [f"text_field_embedder.token_embedder_transformer.{part}" for part in (name, "encoder.layer.1.weight")]
    parameters = [(part, torch.nn.Parameter(torch.zeros(1))) for part in names]
    optimizer = FusedAdam(parameters, parameter_groups=[([".*"], {"layer_decay": 0.5})], lr=1.0)
    rates = {id(parameter): group["lr"] for group in optimizer.param_groups for parameter in group["params"]}
    assert rates[id(parameters[0][1])] == (0.25 if is_lowest else 1.0) and rates[id(parameters[1][1])] == 1.0


def test_the_rates_rise_for_a_tenth_of_the_training_and_then_fall(folder):
    params = configured("ner", words="both", tune_transformer=True)["trainer"]["learning_rate_scheduler"]
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    scheduler = LearningRateScheduler.from_params(params, optimizer=optimizer, num_epochs=1, num_steps_per_epoch=100)
    rates = []
    for step in range(100):
        scheduler.step_batch(step)
        rates.append(optimizer.param_groups[0]["lr"])
    assert rates.index(1.0) == 10 and max(rates) == 1 and max(rates[0], rates[-1]) < 0.05
    assert rates[:11] == sorted({*rates[:11]}) and rates[10:] == sorted({*rates[10:]}, reverse=True)


def test_a_sentence_of_a_document_is_encoded_with_its_neighbours(folder, few_sentences, tmp_path):
    training = build(configured("memory_ner", words="transformer"), few_sentences, tmp_path / "run")
    model, reader = (
        training.model.eval(),
        DatasetReader.from_params(configured("memory_ner", words="transformer")["dataset_reader"]),
    )
    embedded = []
    for before in (["Mara", "met", "Quill"], ["It", "is", "raining"]):
        batch = Batch([reader.text_to_instance(Document("d", [Sentence(before), Sentence(WORDS)]), tagged=False)])
        reader.apply_token_indexers(batch.instances[0])
        batch.index_instances(training.model.vocab)
        tokens = batch.as_tensor_dict()["tokens"]
        embedded.append(model.text_field_embedder.token_embedder_transformer(**tokens["transformer"])[0, 3:])
    different = (embedded[0] != embedded[1]).any(1)
    # The third word has no piece, and the vector zero.
    assert different.tolist() == [True, True, False, True, True, True, True]


def test_an_unknown_choice_of_words(folder):
    with pytest.raises(ConfigurationError, match="words must be vectors, transformer or both; found elmo"):
        configured("memory_ner", words="elmo")


def test_without_the_name_of_a_transformer(folder, monkeypatch):
    for set_up in (lambda: monkeypatch.setenv("TRANSFORMER", ""), lambda: monkeypatch.delenv("TRANSFORMER")):
        set_up()
        with pytest.raises(
            ConfigurationError, match="words is both, which needs the variable TRANSFORMER: a folder, or"
        ):
            configured("ner", words="both")
    assert configured("ner")["model"]


def test_vectors_of_words_keep_their_size_beside_a_transformer(folder):
    name = CONFIGS / "memory_ner/gum/hops_1.jsonnet"
    source = f"(import '{name}') + (import '{CONFIGS}/lib/words.libsonnet') {{ words:: 'both' }}"
    given = {"WORD_VECTORS": "vectors.txt", "DATA": "data", "TRANSFORMER_SIZE": "16"}
    variables = with_defaults({**os.environ, **given})
    model = json.loads(evaluate_snippet("both", source, ext_vars=variables))["model"]
    assert model["text_field_embedder"]["token_embedders"]["tokens"]["embedding_dim"] == 100
    assert model["encoder"]["input_size"] == 100 + 150 + 16 + 6


@pytest.mark.parametrize(
    "config, variables, size",
    [
        ({"d_model": 512}, {}, 512),
        ({"emb_dim": 512}, {}, 512),
        ({"hidden_size": 512}, {"TRANSFORMER_SIZE": "16"}, 16),
        ({}, {}, 768),
        (["hidden_size"], {}, 768),
        (None, {"TRANSFORMER": "bert-base-cased"}, 768),
    ],
)
def test_the_size_of_its_vectors(folder, monkeypatch, config, variables, size):
    (folder / "config.json").write_text(json.dumps(config))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert configured("ner", words="transformer")["model"]["encoder"]["input_size"] == size


def test_the_weights_of_a_transformer_are_those_of_its_folder_where_others_are_initialised(
    folder, few_sentences, tmp_path
):
    training = build(configured("char_attention", words="both"), few_sentences, tmp_path / "run")
    weights = transformers.BertModel.from_pretrained(folder).state_dict()
    found = encoder(training.model).state_dict()
    assert all(torch.equal(found[name], weights[name]) for name in weights)


@pytest.mark.parametrize(
    "name, options",
    [
        ("ner", {"words": "transformer"}),
        ("ner", {"words": "both"}),
        ("ner", {"words": "both", "tune_transformer": True, "lora_rank": 2}),
        ("char_attention", {"words": "transformer"}),
        ("fofe_ner", {"words": "transformer"}),
    ],
)
def test_an_archive_needs_nothing_else(folder, few_sentences, tmp_path, monkeypatch, name, options):
    params = configured(name, hidden_size=4, **options)
    shorten(params, few_sentences)
    train_model(params, tmp_path / "run")
    archive = tmp_path / "run/model.tar.gz"
    weights = transformers.BertModel.from_pretrained(folder).state_dict()
    found = nerzoo.Tagger.load(archive)({"words": WORDS})
    # On the machine of someone else.
    shutil.rmtree(folder)
    monkeypatch.setattr("nerzoo.archives.trust.OWN_CONFIGURATIONS", tmp_path / "own")
    monkeypatch.setattr("socket.socket.connect", None)
    tagger = nerzoo.Tagger.load(archive)
    assert tagger({"words": WORDS}) == found and found["words"] == WORDS
    assert tagger({"words": WORDS * 100})["words"] == WORDS * 100
    found = {
        name.replace("base_layer.", ""): weight
        for name, weight in encoder(archives.load(archive).model).state_dict().items()
    }
    assert all(torch.equal(found[name], weights[name]) for name in weights)


@pytest.mark.parametrize("words", ["transformer", "both"])
def test_an_archive_is_continued_without_the_folder(words, folder, few_sentences, tmp_path):
    params, plain = configured("ner", words=words, hidden_size=4), configured("ner")
    for given in (params, plain):
        shorten(given, few_sentences)
    train_model(params, tmp_path / "run")
    shutil.rmtree(folder)
    archive = tmp_path / "run/model.tar.gz"
    train_model(fine_tuned(plain, archive), tmp_path / "continued")
    archive.unlink()
    assert nerzoo.Tagger.load(tmp_path / "continued/model.tar.gz")({"words": WORDS})["words"] == WORDS


def test_a_tuned_transformer_keeps_the_optimizer_of_its_archive(few_sentences, tmp_path):
    params = configured("ner", words="transformer", hidden_size=4, tune_transformer=True)
    shorten(params, few_sentences)
    trainer = params.duplicate()["trainer"].as_dict(quiet=True)
    train_model(params, tmp_path / "run")
    continued = fine_tuned(configured("ner"), tmp_path / "run/model.tar.gz")["trainer"].as_dict(quiet=True)
    for name in ("optimizer", "learning_rate_scheduler", "grad_norm"):
        assert continued[name] == trainer[name]
    assert "parameter_groups" in continued["optimizer"]
    again = configured("ner", words="both", tune_transformer=True, transformer_rate=1e-5)
    assert (
        fine_tuned(again, tmp_path / "run/model.tar.gz")["trainer"]["optimizer"]["parameter_groups"][0][1]["lr"] == 1e-5
    )
    config = json.loads((tmp_path / "run/config.json").read_text())
    del config["trainer"]
    (tmp_path / "run/config.json").write_text(json.dumps(config))
    with pytest.raises(ConfigurationError, match="found a tuned transformer and no training, expected the archive"):
        fine_tuned(configured("ner"), tmp_path / "run")


def test_options_without_effect_are_refused():
    with pytest.raises(ConfigurationError, match="tune_transformer is true and words is vectors"):
        configured("ner", tune_transformer=True)
    for options in ({"layer_decay": 0.9}, {"lora_rank": 2}, {"checkpointing": True}):
        with pytest.raises(ConfigurationError, match="without tune_transformer"):
            configured("ner", words="both", **options)


def test_another_name_in_an_archive_is_not_read(folder, few_sentences, tmp_path, monkeypatch):
    params = configured("ner", words="transformer", hidden_size=4)
    shorten(params, few_sentences)
    train_model(params, tmp_path / "run")
    run = tmp_path / "run"
    config = json.loads((run / "config.json").read_text())
    config["dataset_reader"]["token_indexers"]["transformer"]["model_name"] = "someone/else"
    (run / "config.json").write_text(json.dumps(config))
    monkeypatch.setattr("nerzoo.archives.trust.OWN_CONFIGURATIONS", tmp_path / "own")
    with pytest.raises(ConfigurationError) as caught:
        nerzoo.Tagger.load(run)
    assert "token_indexers.transformer.model_name = 'someone/else' in its configuration" in str(caught.value)
