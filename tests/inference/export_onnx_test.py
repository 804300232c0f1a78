import json
import logging
import sys

import numpy
import pytest
import torch
import transformers
from allennlp.common.checks import ConfigurationError
from allennlp.models import load_archive
from helpers.archives import assert_same, documents, sentences
from helpers.paths import FIXTURES
from helpers.untrained import transformer_archive, untrained_archive
from safetensors.torch import load_file

from nerzoo.archives import unpack
from nerzoo.inference.export_onnx import export_onnx
from nerzoo.inference.tagger import Tagger
from nerzoo.runtime.onnx_tagger import OnnxTagger

MARA = [[{"words": ["Mara", "left"]}]]
WORDS = ["İstanbul", "1996", "B2B", "☃", "x" * 120, "PARIS", "Zoë"]
BILSTM = {"type": "bilstm", "input_size": 7, "hidden_size": 5}
EMBEDDING = {"type": "embedding", "embedding_dim": 7}
# Weights so large that transitions matter.
INITIALIZER = {"initializer": {"regexes": [[".*", {"type": "normal", "std": 0.7}]]}}


def characters(encoder, type_="character_encoding", **embedding):
    return {"type": type_, "embedding": {"embedding_dim": 3, **embedding}, "encoder": encoder}


CNN = {"type": "cnn", "embedding_dim": 3, "num_filters": 2, "ngram_filter_sizes": [2, 3]}
CHARACTER_LSTM = {"type": "bilstm", "input_size": 3, "hidden_size": 2}
OF_CHARACTERS = {"vocab_namespace": "token_characters"}


def gated(combination, word_embedding=EMBEDDING, size=7):
    """A model of the indexer word_characters."""
    embedder = {"type": "char_gated", "combination": combination, "word_embedding": word_embedding}
    embedder["character_encoder"] = characters(CHARACTER_LSTM, **OF_CHARACTERS)
    return {
        "text_field_embedder": {"token_embedders": {"words": embedder}},
        "encoder": {**BILSTM, "input_size": size},
        "head": {"feedforward": {"num_layers": 1, "hidden_dims": 4, "activations": "tanh"}},
        **INITIALIZER,
    }


def plain(size=7, encoder=BILSTM, **embedders):
    return {
        "text_field_embedder": {"token_embedders": embedders},
        "encoder": {**encoder, "input_size": size},
        **INITIALIZER,
    }


def decoders(**options):
    head = {"type": "seq2biseq", "label_embedding_dim": 3, "hidden_size": 4, **options}
    return {"type": "seq2biseq", **plain(tokens=EMBEDDING, encoder={"type": "bigru", "hidden_size": 5}), "head": head}


WORD_CHARACTERS = {"words": {"type": "word_characters", "zero_digits": True, "lowercase_words": True}}
CONVOLUTION = {"type": "convolution", "hidden_size": 6, "window_size": 3}
VARIANTS = {
    "words": dict(model=plain(tokens=EMBEDDING)),
    "convolution_of_everything": dict(
        model={
            **plain(
                size=21,
                encoder=CONVOLUTION,
                words=EMBEDDING,
                characters=characters(CNN, "distinct_characters", **OF_CHARACTERS),
                forms={"type": "lexical_features"},
                hashes=characters(CHARACTER_LSTM, num_embeddings=129),
            ),
            "head": {"distribution": "softmax"},
        },
        token_indexers={
            "words": {"type": "zero_digits", "indexer": {"type": "cased_unknown"}},
            "characters": {"type": "cached_characters", "min_padding_length": 3, "token_min_padding_length": 2},
            "forms": "lexical_features",
            "hashes": {"type": "hashed_characters"},
        },
        coding_scheme="BIO",
    ),
    "memory": dict(model=plain(tokens=EMBEDDING, encoder={"type": "memory_hop", "hidden_size": 5})),
    "attention": dict(
        model=gated("attention"), token_indexers=WORD_CHARACTERS, vocabulary={"min_count": {"tokens": 3}}
    ),
    "concat": dict(model=gated("concat", size=14), token_indexers=WORD_CHARACTERS),
    "word": dict(model=gated("word"), token_indexers=WORD_CHARACTERS, coding_scheme="BIO"),
    "decoders": dict(model=decoders(), coding_scheme="BIO"),
    "forward_decoder": dict(model=decoders(forward_only=True, lexical_information=False)),
    "fofe": dict(
        model=plain(
            size=6, characters={"type": "fofe", "alpha": 0.7, "embedding": {"embedding_dim": 3, **OF_CHARACTERS}}
        ),
        token_indexers={"characters": {"type": "characters", "min_padding_length": 1}},
    ),
}


def texts():
    """With words that the fixture does not have."""
    return [*(sentence["words"] for sentence in sentences()), WORDS, *([word] for word in WORDS), []]


def assert_predicts_the_same(archive, folder):
    items = [{"words": words, "doc_id": "alone"} for words in texts()]
    if OnnxTagger.load(folder).reads_documents:
        items = [*items, *documents(), {"doc_id": "long", "sentences": items}]
        assert sum(map(len, texts())) > 2 * 256
    expected = list(Tagger.load(archive, "cpu", engine="torch")(items))
    found = list(OnnxTagger.load(folder, batch_tokens=300).predict(items))
    assert_same(found, expected, 1e-4)
    return [sentence for prediction in found for sentence in prediction.get("sentences", [prediction])]


@pytest.mark.parametrize("variant", VARIANTS)
def test_predicts_as_the_archive_does(variant, tmp_path):
    archive = untrained_archive(tmp_path / "archive", **VARIANTS[variant])
    found = assert_predicts_the_same(archive, export_onnx(archive, tmp_path / "onnx"))
    assert any(prediction["entities"] for prediction in found)


@pytest.mark.parametrize(
    "memory",
    [
        {},
        {"num_hops": 0},
        {"num_hops": 2, "window": {"size": 30}},
        {"null_memory": True, "window": {"size": 3}},
        {"window": {"size": 300, "kept": "first"}},
        {"causal": False, "shared_memory": True, "null_memory": True},
    ],
)
def test_documents_are_predicted_as_the_archive_does(memory, tmp_path):
    """One is longer than the blocks in which the graph attends, and documents of several lengths are in a batch."""
    model = plain(tokens=EMBEDDING, encoder={"type": "memory_hop", "hidden_size": 5, **memory})
    archive = untrained_archive(tmp_path / "archive", {"type": "memory_tagger", **model}, type="tagged_documents")
    found = assert_predicts_the_same(archive, export_onnx(archive, tmp_path / "onnx"))
    assert any(sentence["entities"] for sentence in found)


# Words without pieces, with more pieces than a window has, and sentences of more windows than one.
SPLIT_WORDS = ["Mara", "\u200b", "lived", "in", "x" * 30, "incomprehensibilities", "."]
SPLIT = [SPLIT_WORDS, ["\u200b"], ["a"], SPLIT_WORDS[2:4] * 40, ["x" * 200]]


@pytest.mark.parametrize(
    ("pooling", "layers", "tuned"), [("first", "last", True), ("first", "mix", False), ("mean", "mix", False)]
)
def test_transformers_read_the_same_windows(pooling, layers, tuned, tmp_path, monkeypatch):
    monkeypatch.setattr("nerzoo.runtime.word_input.BATCH_PIECES", 100)
    archive = transformer_archive(
        tmp_path / "archive", {"pooling": pooling, "layers": layers, "train_parameters": tuned}
    )
    folder = export_onnx(archive, tmp_path / "onnx")
    items = [{"words": words} for words in [*texts(), *SPLIT]]
    expected = list(Tagger.load(archive, "cpu", engine="torch")(items))
    assert_same(list(OnnxTagger.load(folder).predict(items)), expected, 1e-4)
    assert any(prediction["entities"] for prediction in expected)
    # The last word of a long sentence is read.
    scores = [
        OnnxTagger.load(folder).emissions([[{"words": ["in"] * 99 + [last]}]])[0][0, -1] for last in ("in", "lived")
    ]
    assert numpy.abs(scores[0] - scores[1]).max() > 0.01


def test_no_word_of_a_very_long_text_is_cut_off(tmp_path):
    archive = transformer_archive(tmp_path / "archive")
    words = numpy.random.default_rng(1).choice(["Mara", "in", "a", "."], 20_000).tolist()
    exported = OnnxTagger.load(export_onnx(archive, tmp_path / "onnx"))
    expected = Tagger.load(archive, "cpu", engine="torch")({"words": words})["tags"]
    assert len(expected) == 20_000 and exported({"words": words})["tags"] == expected
    # Each word is read: another one in its place has other scores.
    places = [0, 10_000, 19_999]
    others = [f"{word}b" if place in places else word for place, word in enumerate(words)]
    (scores,), (other_scores,) = (exported.emissions([[{"words": text}]])[0] for text in (words, others))
    assert (numpy.abs(scores - other_scores)[places].max(1) > 0.01).all()


TINY = {"vocab_size": 80, "hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
RELATIVE = {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_biased_input": False}


@pytest.mark.parametrize(
    "config",
    [
        transformers.RobertaConfig(**TINY, pad_token_id=1),
        transformers.ModernBertConfig(**TINY, pad_token_id=0),
        transformers.DebertaV2Config(**TINY, **RELATIVE, max_position_embeddings=40),
    ],
    ids=lambda config: config.model_type,
)
def test_other_transformers(config, tmp_path):
    """Their positions are absolute from another number on, rotations, or relative."""
    archive = transformer_archive(tmp_path / "archive", config=config)
    found = assert_predicts_the_same(archive, export_onnx(archive, tmp_path / "onnx"))
    assert any(prediction["entities"] for prediction in found)


def test_a_transformer_among_other_embedders(tmp_path):
    """The order of vectors is that of names; indices of words and of pieces are beside each other."""
    archive = transformer_archive(
        tmp_path / "archive",
        embedders={"a": EMBEDDING, "z": {"type": "lexical_features"}},
        token_indexers={"a": "single_id", "z": "lexical_features"},
        encoder={**BILSTM, "input_size": 8 + 7 + 6},
    )
    found = assert_predicts_the_same(archive, export_onnx(archive, tmp_path / "onnx"))
    assert any(prediction["entities"] for prediction in found)


def test_a_transformer_with_a_head_alone(tmp_path):
    encoder = {"type": "pass_through", "input_dim": 8}
    archive = transformer_archive(tmp_path / "archive", encoder=encoder)
    found = assert_predicts_the_same(archive, export_onnx(archive, tmp_path / "onnx"))
    assert any(prediction["entities"] for prediction in found)


def test_documents_over_a_transformer(tmp_path):
    """A document is one text, whose windows have several sentences."""
    encoder = {"type": "memory_hop", "input_size": 8, "hidden_size": 5}
    archive = transformer_archive(tmp_path / "archive", encoder=encoder, model="memory_tagger", type="tagged_documents")
    assert_predicts_the_same(archive, export_onnx(archive, tmp_path / "onnx"))


@pytest.mark.parametrize("bits", [8, 16])
def test_a_transformer_in_fewer_bits(bits, tmp_path):
    archive = transformer_archive(tmp_path / "archive")
    exact, rounded = (OnnxTagger.load(export_onnx(archive, tmp_path / str(n), n)) for n in (32, bits))
    scores = [
        tagger.emissions([[{"words": SPLIT_WORDS}], [{"words": ["in", "Calder"]}]])[0] for tagger in (exact, rounded)
    ]
    assert 0 < numpy.abs(scores[0] - scores[1]).max() < (0.5 if bits == 8 else 0.02)


def test_low_rank_updates_are_exported(tmp_path):
    folder = transformer_archive(tmp_path / "archive", {"lora_rank": 2})
    weights = torch.load(folder / "weights.th")
    torch.manual_seed(1)
    for name, tensor in weights.items():
        if "lora_B" in name:
            torch.nn.init.normal_(tensor, std=0.2)
    torch.save(weights, folder / "weights.th")
    assert_predicts_the_same(folder, export_onnx(folder, tmp_path / "onnx"))


def test_an_exported_transformer_trains_on(tmp_path):
    archive = transformer_archive(tmp_path / "archive")
    unpack(export_onnx(archive, tmp_path / "onnx"), tmp_path / "restored")
    # Other users can read it.
    assert all(path.stat().st_mode & 0o044 == 0o044 for path in (tmp_path / "onnx").iterdir())
    (tmp_path / "transformer").rename(tmp_path / "moved")
    original, restored = (load_archive(folder) for folder in (archive, tmp_path / "restored"))
    for name, tensor in original.model.state_dict().items():
        assert torch.allclose(restored.model.state_dict()[name], tensor, atol=0.02), name
    pieces, expected = (
        one.validation_dataset_reader.token_indexers["transformer"].transformer.pieces(SPLIT_WORDS)
        for one in (restored, original)
    )
    assert pieces == expected


def test_a_transformer_that_the_exporter_refuses_is_named(tmp_path, monkeypatch):
    archive = transformer_archive(tmp_path / "archive")
    monkeypatch.setattr("torch.onnx.export", lambda *_, **__: 1 / 0)
    with pytest.raises(ConfigurationError) as raised:
        export_onnx(archive, tmp_path / "onnx")
    said = "found the transformer BertModel, which cannot be exported (division by zero), expected another architecture"
    assert str(raised.value) == f"{archive}: {said}" and not (tmp_path / "onnx").exists()


def test_a_transformer_that_a_file_cannot_hold_is_refused_at_once(tmp_path, monkeypatch):
    archive = transformer_archive(tmp_path / "archive")
    monkeypatch.setattr("nerzoo.inference.export_onnx._MAX_SIZE", 1000)
    with pytest.raises(ConfigurationError, match="found a transformer of [0-9,]+ bytes, expected 1,000 at most"):
        export_onnx(archive, tmp_path / "onnx")


@pytest.mark.parametrize("bits", [8, 16])
def test_documents_in_fewer_bits(bits, archives, tmp_path):
    folders = [export_onnx(archives("memory_ner"), tmp_path / str(bits), bits) for bits in (32, bits)]
    exact, rounded = (
        [part["sentences"] for part in OnnxTagger.load(folder).predict(documents())] for folder in folders
    )
    pairs = [pair for both in zip(exact, rounded, strict=True) for pair in zip(*both, strict=True)]
    assert numpy.mean([one["tags"] == other["tags"] for one, other in pairs]) > 0.95
    assert exact != rounded


@pytest.mark.parametrize("job", ["ner", "char_attention", "memory_ner", "seq2biseq"])
def test_main_jobs(job, archives, tmp_path):
    found = assert_predicts_the_same(archives(job), export_onnx(archives(job), tmp_path / "onnx"))
    # After two epochs, the larger model finds none yet. Parts of speech are no entities.
    assert any(prediction.get("entities") for prediction in found) == (job in ("ner", "memory_ner"))


def encoder(**parts):
    """A dependency-aware encoder of 9 numbers a word."""
    trees = {"type": "child_sum_tree_lstm", "input_size": 9, "hidden_size": 9}
    return {"type": "dependency_aware", "semantic": [], "syntactic": [trees, trees], "norm": True, **parts}


TREE_ENCODERS = {
    "everything": encoder(
        semantic=[{"type": "bilstm", "input_size": 9, "hidden_size": 5}],
        relative_attention={"type": "relative_attention", "input_size": 19},
        global_attention={"type": "global_attention", "input_size": 19, "query_size": 19, "attention_size": 4},
        residual=["syntactic", "relative_attention"],
        query="final",
        query_from="states",
    ),
    "trees_alone": encoder(residual=False),
    "one_tree_lstm": {"type": "child_sum_tree_lstm", "input_size": 9, "hidden_size": 4},
    "no_trees": encoder(semantic=[{"type": "bilstm", "input_size": 9, "hidden_size": 5}], syntactic=[], residual=False),
}


@pytest.fixture(scope="module", params=TREE_ENCODERS)
def tree_archive(request, tmp_path_factory):
    label = {"type": "embedding", "embedding_dim": 1}
    embedders = {name: {**label, "vocab_namespace": name} for name in ("pos", "dep")}
    return untrained_archive(
        tmp_path_factory.mktemp(request.param) / "archive",
        {**plain(tokens=EMBEDDING, **embedders), "encoder": TREE_ENCODERS[request.param]},
        {
            "tokens": "single_id",
            "pos": {"type": "single_id", "namespace": "pos", "feature_name": "tag_"},
            "dep": {"type": "single_id", "namespace": "dep", "feature_name": "dep_"},
        },
        corpus={"type": "conllu"},
        parser={"pipeline": "blank:en"},
        data=FIXTURES / "people_and_places/train.conllu",
    )


def parsed(words, heads):
    """A sentence whose labels are new to the model."""
    labels = ["_"] * len(words)
    return {"words": words, "pos": labels, "heads": heads, "dep_labels": labels}


def test_trees_and_labels_are_read_as_the_archive_does(tree_archive, tmp_path):
    folder = export_onnx(tree_archive, tmp_path / "onnx")
    # One word; several roots; and a tree as deep as its sentence is long.
    items = [parsed(["No"], [0]), parsed(WORDS, [0, 1, 2, 0, 3, 4, 5]), parsed(["a"] * 300, [*range(300)])]
    items = [*sentences(), *items]
    expected = list(Tagger.load(tree_archive, "cpu", engine="torch")(items))
    assert_same(list(OnnxTagger.load(folder, batch_tokens=300).predict(items)), expected, 1e-4)
    assert_same(list(Tagger.load(folder)(items)), expected, 1e-4)


def test_the_parser_is_left_out_with_a_message(tree_archive, tmp_path, caplog):
    with caplog.at_level(logging.WARNING, "nerzoo"):
        folder = export_onnx(tree_archive, tmp_path / "onnx")
    assert "left out the parser: sentences come with what it finds" in caplog.text
    unpack(folder, tmp_path)
    assert "parser" not in json.loads((tmp_path / "config.json").read_text())["dataset_reader"]
    for tagger, error in ((OnnxTagger.load(folder), ValueError), (Tagger.load(folder), ConfigurationError)):
        with pytest.raises(
            error, match="found a sentence without .*, expected .*pos, (heads, )?dep_labels, which this model reads"
        ):
            tagger("Mara left.")


def test_the_main_job_with_trees(archives, tmp_path):
    folder = export_onnx(archives("deptree_ner"), tmp_path / "onnx")
    expected = list(Tagger.load(archives("deptree_ner"), "cpu")(sentences()))
    assert_same(list(OnnxTagger.load(folder).predict(sentences())), expected, 1e-4)


def test_documents_have_no_trees_to_read(tmp_path):
    said = refused(
        tmp_path,
        model={
            "type": "memory_tagger",
            **plain(tokens=EMBEDDING, size=7, encoder={"type": "child_sum_tree_lstm", "hidden_size": 5}),
        },
        type="tagged_documents",
    )
    assert (
        "found model.encoder, which reads heads, levels, expected one that reads words, or trees of sentences" in said
    )


def test_weights_in_half_precision(archives, tmp_path):
    folders = [export_onnx(archives("ner"), tmp_path / str(bits), bits) for bits in (32, 16)]
    graphs, tables = (
        [(folder / name).stat().st_size for folder in folders] for name in ("emissions.onnx", "tokens.npy")
    )
    assert graphs[1] < 0.6 * graphs[0] and tables[1] < 0.6 * tables[0]
    emissions = [
        OnnxTagger.load(folder).emissions([[{"words": ["Mara", "lived", "in", "Calder"]}]])[0] for folder in folders
    ]
    assert numpy.abs(emissions[0] - emissions[1]).max() < 0.02
    assert (emissions[0] != emissions[1]).any()


def test_products_in_8_bits(archives, tmp_path):
    folders = [export_onnx(archives("ner"), tmp_path / str(bits), bits) for bits in (32, 8)]
    sizes = [(folder / "emissions.onnx").stat().st_size for folder in folders]
    assert sizes[1] < 0.4 * sizes[0]
    exact, rounded = (OnnxTagger.load(folder) for folder in folders)
    items = [item["words"] for item in sentences()]
    assert [found["tags"] for found in rounded.predict(items)] == [found["tags"] for found in exact.predict(items)]
    difference = numpy.abs(exact.emissions(MARA)[0] - rounded.emissions(MARA)[0]).max()
    assert 0 < difference < 0.2


@pytest.mark.parametrize("bits", [16, 8, 4])
def test_fixed_vectors_are_exported_in_their_precision(bits, tmp_path):
    """Of words that only the file has, too."""
    vectors = tmp_path / "vectors.txt"
    words = ["mara", "lived", "paris", "istanbul"]
    vectors.write_text("".join(f"{word} {i}.1 0.3 -{i}.7 0.2\n" for i, word in enumerate(words)))
    embedder = {"type": "fixed_embedding", "embedding_dim": 4, "pretrained_file": str(vectors), "bits": bits}
    archive = untrained_archive(
        tmp_path / "archive",
        plain(size=4, tokens=embedder),
        {"tokens": {"type": "single_id", "lowercase_tokens": True}},
        {"pretrained_files": {"tokens": str(vectors)}, "min_pretrained_embeddings": {"tokens": -1}},
    )
    folder = export_onnx(archive, tmp_path / "onnx")
    files = {"tokens.words.npy", "tokens.trained.npy"} | ({"tokens.scales.npy"} if bits < 16 else set())
    assert files <= {file.name for file in folder.iterdir()}
    assert numpy.load(folder / "tokens.npy")[0].nbytes == 4 * bits // 8
    assert_predicts_the_same(archive, folder)
    # Of the archive that it was exported from, nothing is lost that training continues with.
    unpack(folder, tmp_path / "restored")
    restored, original = load_archive(tmp_path / "restored").model, load_archive(archive).model
    words = [model.vocab.get_token_to_index_vocabulary("tokens") for model in (restored, original)]
    assert words[0] == words[1]
    assert restored.state_dict().keys() == original.state_dict().keys()
    for name, tensor in original.state_dict().items():
        assert torch.equal(restored.state_dict()[name], tensor), name


def test_learned_vectors_are_stored_once(archives, tmp_path):
    folder = export_onnx(archives("ner"), tmp_path / "onnx", bits=16)
    name = "text_field_embedder.token_embedder_tokens.weight"
    assert name not in load_file(folder / "training.safetensors")
    unpack(folder, tmp_path / "restored")
    original = load_archive(archives("ner")).model.state_dict()[name]
    assert torch.equal(load_archive(tmp_path / "restored").model.state_dict()[name], original.half().float())


def test_tags_that_stand_for_themselves(tmp_path):
    archive = untrained_archive(
        tmp_path / "archive", plain(tokens=EMBEDDING), corpus={"type": "columns", "coding_scheme": None}
    )
    prediction = OnnxTagger.load(export_onnx(archive, tmp_path / "onnx"))(["Mara", "laughed"])
    assert list(prediction) == ["text", "words", "tags"]
    assert prediction == Tagger.load(archive, "cpu")({"words": ["Mara", "laughed"]})


def refused(tmp_path, **parts):
    archive = untrained_archive(tmp_path / "archive", **parts)
    with pytest.raises(ConfigurationError) as raised:
        export_onnx(archive, tmp_path / "onnx")
    assert str(raised.value).startswith(f"{archive}: found ") and not (tmp_path / "onnx").exists()
    return str(raised.value)


def test_an_encoder_that_is_not_exported_is_named(tmp_path):
    said = refused(tmp_path, model=plain(tokens=EMBEDDING, encoder={"type": "gru", "hidden_size": 5}))
    assert "found model.encoder of the type GruSeq2SeqEncoder, expected a tagger or fofe_ner that reads words" in said


def test_a_memory_that_reads_sentence_bounds_is_refused(tmp_path):
    encoder = {"type": "memory_hop", "hidden_size": 5, "current_input": "sentence"}
    said = refused(
        tmp_path, model={"type": "memory_tagger", **plain(tokens=EMBEDDING, encoder=encoder)}, type="tagged_documents"
    )
    assert "found model.encoder, which reads sentences, expected one that reads words, or trees" in said


def test_an_indexer_that_is_not_exported_is_named(tmp_path):
    said = refused(
        tmp_path,
        model=plain(tokens={**EMBEDDING, "vocab_namespace": "shapes"}),
        token_indexers={"tokens": {"type": "spacy", "hidden_dim": 3}},
    )
    assert "found the token indexer 'tokens' of the type spacy, expected one of single_id, " in said


@pytest.mark.parametrize(
    ("indexer", "expected"),
    [
        (
            {"type": "single_id", "end_tokens": ["END"]},
            "found the option end_tokens of the token indexer 'tokens' of the type single_id, expected no options but "
            "namespace, lowercase_tokens",
        ),
        (
            {"type": "zero_digits", "indexer": {"type": "single_id", "start_tokens": ["A"]}},
            "found the option start_tokens",
        ),
    ],
)
def test_an_option_that_is_not_exported_is_named(indexer, expected, tmp_path):
    assert expected in refused(tmp_path, model=plain(tokens=EMBEDDING), token_indexers={"tokens": indexer})


def test_features_without_options(tmp_path):
    said = refused(
        tmp_path,
        model=plain(tokens=EMBEDDING),
        token_indexers={"tokens": {"type": "single_id", "feature_name": "text"}},
    )
    assert "found the option feature_name" in said


@pytest.mark.parametrize(
    ("job", "expected"),
    [
        ("second_pass", "found model of the type FofeNerSecondPass"),
        ("thread_structure", "found model of the type ThreadTagger"),
    ],
)
def test_other_systems_are_refused_by_name(job, expected, archives, tmp_path):
    with pytest.raises(ConfigurationError, match=expected):
        export_onnx(archives(job), tmp_path / "onnx")


def test_a_beam_is_refused(tmp_path):
    said = refused(tmp_path, model=decoders(beam_size=2))
    assert "found model.head.beam_size 2, expected 1, which is exported" in said


def test_decoders_choose_among_all_types(tmp_path):
    tagger = OnnxTagger.load(export_onnx(untrained_archive(tmp_path / "archive", decoders()), tmp_path / "onnx"))
    item = {"words": ["Mara"], "types": ["person"]}
    with pytest.raises(ValueError, match="found the types .'person'., expected none: decoders choose among all"):
        tagger(item)
    with pytest.raises(ConfigurationError, match="found types, expected none: decoders choose among all"):
        Tagger.load(tagger.folder)(item)


def test_another_reader_is_refused(tmp_path):
    said = refused(tmp_path, model=plain(tokens=EMBEDDING), type="tagged_segments", length=2)
    assert "found the reader TaggedSegmentsReader, expected tagged_sentences" in said


def test_extra_outputs_are_left_out_and_named(tmp_path, caplog):
    archive = untrained_archive(tmp_path / "archive", {**plain(tokens=EMBEDDING), "extra_outputs": ["n_best"]})
    with caplog.at_level(logging.WARNING, "nerzoo"):
        export_onnx(archive, tmp_path / "onnx")
    assert "left out the extra outputs n_best of the model" in caplog.text


def test_a_graph_that_computes_something_else_is_not_exported(tmp_path, monkeypatch):
    monkeypatch.setattr("nerzoo.inference.onnx_graph._TOLERANCE", -1.0)
    said = refused(tmp_path, model=plain(tokens=EMBEDDING))
    assert f"PyTorch {torch.__version__}, expected -1.0 at most" in said


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert "pip install nerzoo[onnx]" in refused(tmp_path, model=plain(tokens=EMBEDDING))
