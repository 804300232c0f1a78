"""Taggers with the words of a transformer: trained, packed, and loaded where the transformer is not."""

import json
import shutil

import pytest
import torch
import transformers
from allennlp.common.checks import ConfigurationError
from helpers.configurations import assert_trains_one_step, build, shorten
from helpers.paths import CONFIGS
from helpers.tiny_pretrained import write_transformer

import nerzoo
from nerzoo import archives
from nerzoo.archives.trust import OWN_CONFIGURATIONS
from nerzoo.configuration.check import read_configuration
from nerzoo.training.train_model import train_model

WORDS = ["Mara", "Quill", "\u200b", "lived", "in", "Lindow", "."]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder = tmp_path / "bert"
    folder.mkdir()
    write_transformer(folder)
    monkeypatch.setenv("TRANSFORMER", str(folder))
    monkeypatch.setenv("WORD_VECTORS", "")
    return folder


def compose(tmp_path, *libraries, options=""):
    path = tmp_path / "config.jsonnet"
    parts = [
        f"(import '{CONFIGS}/{name}')"
        for name in ("ner.jsonnet", *(f"lib/{library}.libsonnet" for library in libraries))
    ]
    path.write_text(f"{' + '.join(parts)} {{ transformer_size:: 8, hidden_size:: 4, {options} }}")
    return read_configuration(path)


@pytest.mark.parametrize(
    "libraries, options",
    [
        (["transformer"], ""),
        (["with_transformer"], ""),
        (["with_transformer", "tuned_transformer"], "lora_rank:: 2"),
    ],
)
def test_an_archive_needs_nothing_else(folder, few_sentences, tmp_path, libraries, options):
    params = compose(tmp_path, *libraries, options=options)
    shorten(params, few_sentences)
    train_model(params, tmp_path / "run")
    archive = tmp_path / "run/model.tar.gz"
    weights = transformers.BertModel.from_pretrained(folder).state_dict()
    found = nerzoo.Tagger.load(archive)({"words": WORDS})
    # On the machine of someone else.
    shutil.rmtree(folder)
    OWN_CONFIGURATIONS.unlink(missing_ok=True)
    tagger = nerzoo.Tagger.load(archive)
    assert tagger({"words": WORDS}) == found and len(found["tags"]) == len(WORDS)
    long = {"words": WORDS * 100}
    assert len(tagger(long)["tags"]) == 700
    encoder = archives.load(archive).model.text_field_embedder.token_embedder_transformer.encoder
    found = {name.replace("base_layer.", ""): weight for name, weight in encoder.state_dict().items()}
    assert all(torch.equal(found[name], weights[name]) for name in weights)


def test_another_name_in_an_archive_is_not_read(folder, few_sentences, tmp_path):
    params = compose(tmp_path, "transformer")
    shorten(params, few_sentences)
    train_model(params, tmp_path / "run")
    run = tmp_path / "run"
    config = json.loads((run / "config.json").read_text())
    config["dataset_reader"]["token_indexers"]["transformer"]["model_name"] = "someone/else"
    (run / "config.json").write_text(json.dumps(config))
    OWN_CONFIGURATIONS.unlink(missing_ok=True)
    with pytest.raises(ConfigurationError) as caught:
        nerzoo.Tagger.load(run)
    assert "token_indexers.transformer.model_name = 'someone/else' in its configuration" in str(caught.value)


def test_a_tuned_one_has_rates_of_its_own(folder, few_sentences, tmp_path):
    training = build(compose(tmp_path, "with_transformer", "tuned_transformer"), few_sentences, tmp_path / "run")
    groups = training.trainer.optimizer.param_groups
    parameters = {parameter: name for name, parameter in training.model.named_parameters()}
    found = {}
    for group in groups:
        for parameter in group["params"]:
            found[parameters[parameter]] = (group["initial_lr"], group["weight_decay"])
    own = "text_field_embedder.token_embedder_transformer.encoder."
    assert found.keys() == {name for name, parameter in training.model.named_parameters() if parameter.requires_grad}
    for name, settings in found.items():
        decay = 0 if name.endswith("bias") or "LayerNorm" in name else 0.01
        assert settings == (5e-5 if name.startswith(own) else 1e-3, decay), name
    assert_trains_one_step(training)
