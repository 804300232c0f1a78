"""Rows that tables compare differ in the places that their names say, as `nerzoo config diff` lists them."""

import pytest
from allennlp.common import Params
from helpers.configurations import render

import nerzoo  # noqa: F401

WORDS = "model.text_field_embedder.token_embedders.words"
READ = ["data_loader.batch_sampler.batch_size", "dataset_reader.type", "model.type"]
ENCODER = [*READ, "model.encoder", "model.dropout", "model.input_dropout"]
TUNED = [f"{WORDS}.word_embedding.type", "vocabulary.min_pretrained_embeddings", "vocabulary.pretrained_files"]
# Two rows of a folder, and the places where they may differ.
ROWS = [
    ("char_attention/wnut17", "attention", "concat", [f"{WORDS}.combination", "model.encoder.input_size"]),
    ("char_attention/wnut17", "attention", "word", [f"{WORDS}.combination"]),
    ("char_attention/wnut17", "attention", "no_auxiliary", [f"{WORDS}.auxiliary_weight"]),
    ("char_attention/wnut17", "attention", "scalar_gate", [f"{WORDS}.scalar_gate"]),
    ("char_attention/wnut17", "attention", "word_gate", [f"{WORDS}.gate_reads_characters"]),
    (
        *("char_attention/wnut17", "attention", "scalar_word_gate"),
        [f"{WORDS}.{name}" for name in ("scalar_gate", "gate_reads_characters", "auxiliary_weight")],
    ),
    ("char_attention/wnut17", "attention", "softmax", ["model.head.distribution"]),
    ("char_attention/wnut17", "attention", "tuned", TUNED),
    ("char_attention/wnut17", "tuned", "tuned_concat", [f"{WORDS}.combination", "model.encoder.input_size"]),
    ("char_attention/wnut17", "tuned", "tuned_word", [f"{WORDS}.combination"]),
    (
        *("seq2biseq/uner_ewt", "last_characters_glove", "forward_only_last_characters_glove"),
        ["model.head.forward_only"],
    ),
    (
        *("seq2biseq/uner_ewt", "last_characters_glove", "bigru_crf_last_characters_glove"),
        ["model.head", "model.encoder.hidden_size"],
    ),
    ("fofe_ner/wnut17", "lexical", "boundaries", ["model.features.boundary_uncased"]),
    *(
        (f"thread_structure/{corpus}", *rows)
        for corpus in ("molweni", "irc")
        for rows in (
            ("me_crf", "exclude_self", ["model.exclude_self"]),
            ("exclude_self", "exclude_self_distances", ["model.distance_bias"]),
        )
    ),
    *(
        (f"memory_ner/{corpus}", *rows)
        for corpus in ("gum", "wikigold", "redocred", "litbank")
        for rows in (
            *(("hops_1", f"hops_{number}", ["model.encoder.num_hops"]) for number in (0, 2, 3)),
            ("hops_1", "sentence_memory", READ),
            ("sentence_memory", "sentence_hops_0", ["model.encoder.num_hops"]),
            ("hops_1", "bilstm_crf", ENCODER),
            ("bilstm_crf", "bilstm_crf_as_wide", ["model.encoder.hidden_size"]),
        )
    ),
]


@pytest.mark.parametrize("folder, first, second, places", ROWS)
def test_rows_differ_where_their_names_say(folder, first, second, places):
    before, now = (Params(render(f"{folder}/{row}")).as_flat_dict() for row in (first, second))
    found = {name for name in before.keys() | now.keys() if before.get(name) != now.get(name)}
    assert found
    assert not [name for name in found if not any(f"{name}.".startswith(f"{place}.") for place in places)]
