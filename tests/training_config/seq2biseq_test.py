"""The configurations of Seq2Biseq have the settings of their rows."""

import pytest
from helpers.configurations import render, stems

import nerzoo  # noqa: F401

# Rows of the paper on Seq2Biseq: the model, lexical information in the decoders, one decoder alone, the length of
# segments and the number of optimisers.
SEQ2BISEQ = {
    "seq2biseq/paper": ("seq2biseq", True, False, 15, 2),
    "seq2biseq/paper/seq2biseq": ("seq2biseq", False, False, 10, 1),
    "seq2biseq/paper/seq2biseq_le": ("seq2biseq", True, False, 10, 1),
    "seq2biseq/paper/seq2biseq_le_segments_15": ("seq2biseq", True, False, 15, 1),
    "seq2biseq/paper/forward_only_segments_15": ("seq2biseq", True, True, 15, 1),
    "seq2biseq/paper/bigru_crf": ("sequence_tagger", None, None, 15, 1),
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
    assert ("per_loss" in config["trainer"]["callbacks"]) == ("optimizers" in optimizer)
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
