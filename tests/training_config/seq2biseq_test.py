"""The configurations of Seq2Biseq have the settings of their rows."""

import math

import pytest
from allennlp.commands.train import TrainModel
from helpers.configurations import build, load, render, stems

import nerzoo  # noqa: F401

# Rows of the paper on Seq2Biseq: the model, lexical information in the decoders, one decoder alone, the length of
# segments and the number of optimisers.
SEQ2BISEQ = {
    "seq2biseq/paper": ("seq2biseq", True, False, 15, 2),
    "seq2biseq/paper/seq2biseq": ("seq2biseq", False, False, 10, 1),
    "seq2biseq/paper/seq2biseq_le": ("seq2biseq", True, False, 10, 1),
    "seq2biseq/paper/seq2biseq_le_segments_15": ("seq2biseq", True, False, 15, 1),
    "seq2biseq/paper/forward_only_segments_15": ("seq2biseq", True, True, 15, 1),
    "seq2biseq/paper/two_optimizers_one_after_another": ("seq2biseq", True, False, 15, 2),
    "seq2biseq/paper/bigru_crf": ("sequence_tagger", None, None, 15, 1),
    "seq2biseq/paper/bigru_crf_as_large": ("sequence_tagger", None, None, 15, 1),
    "seq2biseq/paper/wsj": ("seq2biseq", True, False, None, 1),
    "seq2biseq/paper/wsj_two_optimizers": ("seq2biseq", True, False, None, 2),
    "seq2biseq/paper/wsj_bigru_crf": ("sequence_tagger", None, None, None, 1),
}
SEQ2BISEQ_VARIANTS = {
    "seq2biseq": ("seq2biseq", False, False, None, 1),
    "seq2biseq_le": ("seq2biseq", True, False, None, 1),
    "segments": ("seq2biseq", True, False, 10, 1),
    "forward_only": ("seq2biseq", True, True, None, 1),
    "two_optimizers": ("seq2biseq", True, False, None, 2),
    "bigru_crf": ("sequence_tagger", None, None, None, 1),
}


def seq2biseq_row(config):
    model, optimizer = config["model"], config["trainer"]["optimizer"]
    is_seq2biseq = model["type"] == "seq2biseq"
    assert config["validation_dataset_reader"]["type"] == "tagged_sentences"
    callbacks = [
        callback if isinstance(callback, str) else callback["type"] for callback in config["trainer"]["callbacks"]
    ]
    assert ("per_loss" in callbacks) == ("optimizers" in optimizer)
    assert model.get("input_dropout") == (None if is_seq2biseq else {"p": model["dropout"]})
    return (
        model["type"],
        model["head"].get("lexical_information", True) if is_seq2biseq else None,
        model["head"].get("forward_only", False) if is_seq2biseq else None,
        config["dataset_reader"].get("length"),
        len(optimizer.get("optimizers", ["loss"])),
    )


def test_rows_of_seq2biseq_are_leaves():
    assert {"seq2biseq/paper", *(f"seq2biseq/paper/{row}" for row in stems("seq2biseq/paper"))} == set(SEQ2BISEQ)
    for name, expected in SEQ2BISEQ.items():
        assert seq2biseq_row(render(name)) == expected, name


@pytest.mark.parametrize("variant", SEQ2BISEQ_VARIANTS)
def test_variants_of_seq2biseq_on_real_data(variant):
    config = render(f"seq2biseq/snips/{variant}")
    assert seq2biseq_row(config) == SEQ2BISEQ_VARIANTS[variant]
    assert config["random_seed"] == 13370


def test_settings_of_seq2biseq():
    media, wsj = (render(name) for name in ("seq2biseq/paper", "seq2biseq/paper/wsj"))
    for config, sizes, epochs in ((media, (200, 300), 40), (wsj, (300, 150), 52)):
        model = config["model"]
        embedders = model["text_field_embedder"]["token_embedders"]
        characters = embedders["token_characters"]
        assert (embedders["tokens"]["embedding_dim"], model["head"]["hidden_size"]) == sizes
        assert model["head"]["hidden_size"] == model["encoder"]["hidden_size"]
        assert (characters["embedding"]["embedding_dim"], characters["encoder"]["hidden_size"]) == (30, 100)
        assert (model["head"]["label_embedding_dim"], model["head"]["dropout"], model["dropout"]) == (150, 0.5, 0.5)
        assert config["trainer"]["num_epochs"] == epochs
        assert config["trainer"]["validation_metric"] == "+accuracy"
        assert config["data_loader"]["batch_sampler"]["batch_size"] == 100
    sgd = {"type": "sgd", "lr": 0.125, "momentum": 0.9}
    expected = {"backward_loss": sgd, "loss": {**sgd, "weight_decay": 1e-4}}
    assert media["trainer"]["optimizer"] == {"type": "per_loss", "optimizers": expected}
    assert wsj["trainer"]["optimizer"] == {"type": "adam", "lr": 1e-3, "weight_decay": 1e-4}


@pytest.mark.parametrize("row, size", [("bigru_crf", 200), ("bigru_crf_as_large", 581)])
def test_sizes_of_the_baseline(row, size):
    assert render(f"seq2biseq/paper/{row}")["model"]["encoder"]["hidden_size"] == size


@pytest.mark.parametrize("row", ["paper", "paper/bigru_crf"])
def test_concepts_that_only_development_and_test_data_have_are_wrong_and_no_reason_to_stop(row, tmp_path, monkeypatch):
    long = "une x null\nchambre x hotel-B\ndouble x hotel-I\n" * 6
    (tmp_path / "train.txt").write_text(f"{long}\n{long}\n")
    (tmp_path / "dev.txt").write_text("une x null\nautre x dev-B\n\n")
    (tmp_path / "test.txt").write_text("une x null\nautre x test-B\nautre x test-I\n\n")
    monkeypatch.setenv("MEDIA", str(tmp_path))
    params = load(f"seq2biseq/{row}")
    params["trainer"]["num_epochs"] = 2
    params["trainer"]["cuda_device"] = -1
    training = TrainModel.from_params(params, serialization_dir=str(tmp_path / "out"), local_rank=0)
    metrics = training.run()
    vocab = training.model.vocab
    assert vocab.get_token_to_index_vocabulary("labels").keys() == {
        *("O", "B-hotel", "I-hotel", "B-dev", "B-test", "I-test")
    }
    assert vocab.get_token_to_index_vocabulary("tokens").keys() == {
        "@@PADDING@@",
        "@@UNKNOWN@@",
        "une",
        "chambre",
        "double",
    }
    assert math.isfinite(metrics["validation_loss"])
    # Half of the tags at most are right, and nothing is found of the concept.
    assert (
        metrics["validation_accuracy"] <= 0.5 and metrics["validation_f1"] == 0.0 and metrics["validation_cer"] >= 1.0
    )


def test_embeddings_of_the_paper_start_from_the_normal_distribution(few_sentences, tmp_path):
    model = build(load("seq2biseq/paper/wsj"), few_sentences, tmp_path).model
    embedders = model.text_field_embedder
    for weight in (
        embedders.token_embedder_tokens.weight,
        embedders.token_embedder_token_characters._embedding._module.weight,
        model.head.forward_decoder.embedding.weight,
    ):
        assert 0.9 < weight.std() < 1.1
