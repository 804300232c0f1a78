"""`nerzoo export-vectors` on a small tagger, and AllenNLP's reading of its output; `nerzoo export-onnx`."""

import gzip
import json
import logging

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.models import Model
from allennlp.models.archival import archive_model, load_archive
from allennlp.modules.token_embedders import Embedding
from helpers.commands import allennlp
from helpers.configurations import assert_trains_one_step, build, load

from nerzoo.commands.export import export_vectors
from nerzoo.runtime.onnx_tagger import OnnxTagger

SIZE = 7
# The no-break space would do for AllenNLP, and not for other programs.
WORDS = ["the", "5", "Žižek", "</s>"]
WITH_SPACE = ["New York", "10\u00a0000", ""]
EMBEDDING = "text_field_embedder.token_embedder_"


def save(folder, *embeddings):
    """The archive of an untrained model with embeddings of these names, each with a namespace of its own."""
    vocab = Vocabulary(oov_token="<unk>")
    for name in embeddings:
        vocab.add_tokens_to_namespace([*WORDS[:2], *WITH_SPACE, *WORDS[2:]], name)
    vocab.add_tokens_to_namespace(["O", "U-place"], "labels")
    embedders = {name: {"type": "embedding", "embedding_dim": SIZE, "vocab_namespace": name} for name in embeddings}
    model = {
        "type": "sequence_tagger",
        "text_field_embedder": {"token_embedders": embedders},
        "encoder": {"type": "pass_through", "input_dim": SIZE * len(embeddings)},
    }
    reader = {"type": "tagged_sentences", "corpus": "conllu"}
    (folder / "config.json").write_text(
        json.dumps({"dataset_reader": reader, "model": model, "vocabulary": {"oov_token": "<unk>"}})
    )
    vocab.save_to_files(folder / "vocabulary")
    saved = Model.from_params(Params(model), vocab=vocab)
    torch.save(saved.state_dict(), folder / "best.th")
    archive_model(folder)
    return saved, str(folder / "model.tar.gz")


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    return save(tmp_path_factory.mktemp("saved"), "words")


@pytest.mark.parametrize("ending", ["txt", "txt.gz"])
def test_allennlp_reads_the_vectors_of_the_model(saved, tmp_path, ending):
    model, archive = saved
    output = tmp_path / f"vectors.{ending}"
    export_vectors(archive, str(output))
    expected = model.text_field_embedder.token_embedder_words.weight
    vocab = Vocabulary(oov_token="<unk>")
    vocab.add_tokens_to_namespace(["unheard", *WORDS[::-1]])
    read = Embedding(SIZE, pretrained_file=str(output), vocab=vocab).weight
    for word in ["<unk>", *WORDS]:
        row = model.vocab.get_token_index(word, "words")
        assert torch.equal(read[vocab.get_token_index(word)], expected[row]), word
    # Of padding and of the other word.
    assert not any((vector == expected).all(1).any() for vector in read[[0, 2]])


def test_a_header_then_a_word_a_line(saved, tmp_path, capsys):
    output = tmp_path / "vectors.gz"
    allennlp("export-vectors", saved[1], output)
    header, *lines = gzip.decompress(output.read_bytes()).decode().split("\n")[:-1]
    assert header == f"5 {SIZE}"
    assert [line.split()[0] for line in lines] == ["<unk>", *WORDS]
    assert all(len(line.split()) == 1 + SIZE for line in lines)
    assert f"{output}: 5 vectors of {SIZE} numbers\n" in capsys.readouterr().out


def test_what_is_left_out_is_counted(saved, tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        export_vectors(saved[1], str(tmp_path / "vectors.txt"))
    assert f"{tmp_path}/vectors.txt: left out 3 words that are empty or have white space" in caplog.messages


def test_one_of_several_embeddings(tmp_path):
    model, archive = save(tmp_path, "words", "tags")
    output = str(tmp_path / "vectors.txt")
    names = f"found the embeddings {EMBEDDING}tags, {EMBEDDING}words"
    with pytest.raises(ConfigurationError, match=f"{names}, expected one, or the name of one of them in --embedding"):
        export_vectors(archive, output)
    with pytest.raises(ConfigurationError, match=f"{names}, expected encoder"):
        export_vectors(archive, output, "encoder")
    export_vectors(archive, output, f"{EMBEDDING}tags")
    word, *vector = (tmp_path / "vectors.txt").read_text().splitlines()[1].split()
    # AllenNLP has neither padding nor an unknown word in namespaces of this name.
    expected = model.text_field_embedder.token_embedder_tags.weight[0]
    assert word == WORDS[0] and torch.equal(torch.tensor(list(map(float, vector))), expected)


def test_a_tagger_begins_with_the_vectors_of_a_language_model(few_sentences, tmp_path, monkeypatch):
    """The two commands of the README."""
    language_model = tmp_path / "language_model"
    allennlp("train", "training_config/fofe_lm.jsonnet", "-s", language_model, overrides={"trainer.num_epochs": 1})
    monkeypatch.setenv("WORD_VECTORS", str(tmp_path / "words.txt.gz"))
    export_vectors(str(language_model / "model.tar.gz"), str(tmp_path / "words.txt.gz"))
    learned = load_archive(language_model / "model.tar.gz").model
    training = build(load("deptree_ner/small/word_vectors"), few_sentences, tmp_path / "tagger")
    vectors = [model.text_field_embedder.token_embedder_tokens.weight for model in (learned, training.model)]
    for word in ("the", "lived", "."):
        rows = [model.vocab.get_token_index(word) for model in (learned, training.model)]
        assert torch.equal(vectors[0][rows[0]], vectors[1][rows[1]]), word
    assert_trains_one_step(training)


def test_nothing_is_overwritten(saved, tmp_path):
    output = tmp_path / "vectors.txt"
    output.write_text("mine")
    with pytest.raises(ConfigurationError, match="vectors.txt: found an output that exists"):
        export_vectors(saved[1], str(output))
    assert output.read_text() == "mine"


def test_the_command_exports_a_tagger(archives, tmp_path, capsys):
    allennlp("export-onnx", archives("ner"), tmp_path / "onnx")
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith(f"{tmp_path}/onnx: ") and said.endswith(" MB")
    assert OnnxTagger.load(tmp_path / "onnx")(["Mara"])["words"] == ["Mara"]
