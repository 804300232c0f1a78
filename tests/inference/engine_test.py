"""ONNX Runtime in the place of PyTorch, for archives of taggers that can be exported."""

import shutil

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.archives import assert_same, documents
from helpers.commands import allennlp, nerzoo
from helpers.tampered import changed_config, packed, unpacked
from helpers.untrained import transformer_archive

from nerzoo.archives import unpacked as unpacked_archive
from nerzoo.inference.engine import load
from nerzoo.inference.tagger import Tagger
from nerzoo.models.exported_tagger import ExportedDocumentTagger, ExportedSpanModel, ExportedTaggerModel
from nerzoo.models.sequence_tagger import SequenceTagger
from nerzoo.zoo.command import run
from nerzoo.zoo.finding import is_exported, kept_export

ITEMS = [
    "Mara lived in Calder. She left for Port Essel.",
    {"sentence": "Jordan lived in Lindow."},
    {"words": ["Mara", "left", "."], "space_after": [True, False, False]},
    {"text": "Mara lived in Calder.", "types": ["place"], "id": 7},
    {"words": ["Mara", "left"], "entities": [{"start": 0, "end": 1, "label": "person"}]},
    "",
]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty folder for what is kept. Other tests share what they keep."""
    monkeypatch.setenv("ALLENNLP_CACHE_ROOT", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def ner(archives):
    return archives("ner")


def test_onnx_runtime_predicts_as_pytorch(ner, cache):
    by_torch = list(Tagger.load(ner, "cpu", engine="torch")(ITEMS))
    for _ in ("exported", "kept"):
        tagger = Tagger.load(ner, "cpu")
        assert isinstance(tagger.predictor.model, ExportedTaggerModel)
        assert_same(list(tagger(ITEMS)), by_torch)
    assert Tagger.load(ner, "cpu", engine="torch").labels == tagger.labels


def test_documents(archives, cache):
    items = [*documents()[:2], {"doc_id": 7, "sentences": [{"words": []}, {"sentence": "Mara left."}]}, *ITEMS]
    by_torch, by_onnx = (Tagger.load(archives("memory_ner"), "cpu", engine=engine) for engine in ("torch", "auto"))
    assert isinstance(by_onnx.predictor.model, ExportedDocumentTagger)
    assert_same(list(by_onnx(items)), list(by_torch(items)), 1e-4)


def test_spans(archives, cache):
    items = [*ITEMS, {"sentence": "Mara Quill's sister lives in Port Essel.", "id": 3}, {"words": []}]
    by_torch, by_onnx = (Tagger.load(archives("fofe_ner"), "cpu", engine=engine) for engine in ("torch", "auto"))
    assert isinstance(by_onnx.predictor.model, ExportedSpanModel)
    assert_same(list(by_onnx(items)), list(by_torch(items)), 1e-4)
    assert by_onnx.labels == by_torch.labels
    mistakes = [{"sentence": "Mara", "types": ["beast"]}, {"words": ["Mara"], "types": ["beast"]}]
    found, expected = ([each["error"] for each in tagger(mistakes, "yield")] for tagger in (by_onnx, by_torch))
    assert found == expected


def test_transformers(cache, tmp_path):
    archive = packed(transformer_archive(tmp_path / "archive"), tmp_path / "model.tar.gz")
    by_torch, by_onnx = (Tagger.load(archive, "cpu", engine=engine) for engine in ("torch", "auto"))
    assert isinstance(by_onnx.predictor.model, ExportedTaggerModel)
    assert_same(list(by_onnx(ITEMS)), list(by_torch(ITEMS)), 1e-4)


def test_is_exported_once(ner, monkeypatch):
    load(ner, "cpu")
    monkeypatch.setattr("nerzoo.inference.engine.export_loaded", None)
    assert isinstance(load(ner, "cpu").model, ExportedTaggerModel)


def test_another_archive_has_another_export(ner, tmp_path):
    other = tmp_path / "model.tar.gz"
    shutil.copy(ner, other)
    assert kept_export(other) == kept_export(ner)
    with other.open("ab") as file:
        file.write(b"\0")
    assert kept_export(other) != kept_export(ner)


@pytest.mark.parametrize("job", ["thread_structure", "second_pass"])
def test_what_cannot_be_exported_is_predicted_by_pytorch(archives, job, cache):
    assert not isinstance(load(archives(job), "cpu").model, ExportedTaggerModel)
    with pytest.raises(ConfigurationError, match="model.tar.gz: found model.* of the type"):
        load(archives(job), "cpu", engine="onnx")
    assert not is_exported(kept_export(archives(job))) and not list(cache.rglob("emissions.onnx"))


def test_overrides_choose_pytorch(ner):
    overrides = {"model.extra_outputs": ["logits"]}
    assert isinstance(load(ner, "cpu", overrides).model, SequenceTagger)
    with pytest.raises(ConfigurationError, match="found the engine 'onnx' with a GPU or overrides, expected none"):
        load(ner, "cpu", overrides, engine="onnx")


@pytest.mark.parametrize(
    "change, found",
    [
        ({"model__extra_outputs": ["logits"]}, "the extra outputs logits, expected none"),
        ({"model__head": {"min_probability": 0.9}}, "model.head.min_probability 0.9, expected 0"),
        ({"dataset_reader__parser": {}}, "a parser in the dataset reader, expected none"),
    ],
)
def test_archives_with_more_than_the_graph_choose_pytorch(ner, change, found, tmp_path, cache):
    folder = unpacked(ner, tmp_path / "unpacked")
    changed = packed(folder, tmp_path / "model.tar.gz", changed_config(folder, **change))
    assert isinstance(load(changed, "cpu").model, SequenceTagger)
    with pytest.raises(ConfigurationError, match=f"model.tar.gz: found {found}"):
        load(changed, "cpu", engine="onnx")


def test_where_nothing_can_be_kept_pytorch_predicts(ner, cache):
    cache.write_text("a file")
    assert isinstance(load(ner, "cpu").model, SequenceTagger)


def test_folders_and_unknown_engines(ner):
    with unpacked_archive(ner) as folder:
        assert isinstance(load(folder, "cpu").model, ExportedTaggerModel)
        # Only an archive that is whole has them.
        (folder / "checksums.sha256").unlink()
        assert isinstance(load(folder, "cpu").model, SequenceTagger)
        with pytest.raises(ConfigurationError, match="found a folder without checksums, expected a file .tar.gz or a"):
            load(folder, "cpu", engine="onnx")
    with pytest.raises(ConfigurationError, match="engine"):
        load(ner, "cpu", engine="tensorflow")


def test_texts_are_tagged_without_pytorch_from_the_second_time_on(ner, tmp_path, cache, capsys):
    texts, items = tmp_path / "texts.txt", tmp_path / "items.jsonl"
    texts.write_text("Mara lived in Calder.\n")
    items.write_text('{"text": "Mara lived in Calder."}\n')
    assert not run(["tag", str(ner), str(texts)])
    allennlp("tag", ner, texts)
    assert run(["tag", str(ner), str(texts)])
    by_torch, by_onnx = capsys.readouterr().out.splitlines()
    assert by_onnx == by_torch
    for others in ([texts, "--engine", "torch"], [items], [texts, "--overrides", "{}"], [texts, "--workers", "2"]):
        assert not run(["tag", str(ner), *map(str, others)])


def test_long_runs_keep_a_journal(ner, tmp_path, monkeypatch):
    texts = tmp_path / "texts.txt"
    texts.write_text("Mara lived in Calder.\n" * 10)
    load(ner, "cpu")
    monkeypatch.setattr("nerzoo.zoo.command._FEW", 100)
    assert not run(["tag", str(ner), str(texts)])


@pytest.mark.parametrize("engine, model", [("torch", SequenceTagger), ("onnx", ExportedTaggerModel)])
def test_predict_has_the_option(ner, engine, model, tmp_path, monkeypatch):
    items, output = tmp_path / "items.jsonl", tmp_path / "output.jsonl"
    items.write_text('{"words": ["Mara", "lived", "in", "Calder", "."]}\n')
    found = []

    def forward(self, *args, **kwargs):
        found.append(type(self))
        return unchanged(self, *args, **kwargs)

    unchanged = model.forward
    monkeypatch.setattr(model, "forward", forward)
    nerzoo("predict", ner, items, "--output-file", output, "--engine", engine)
    assert found and len(output.read_text().splitlines()) == 1
