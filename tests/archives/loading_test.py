import functools
import json
import shutil

import cached_path
import pytest
import requests
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.models import Model, load_archive
from cached_path.meta import Meta
from helpers.tampered import packed, unpacked

from nerzoo.archives import reading
from nerzoo.archives.loading import device_number, load
from nerzoo.inference.tagger import Tagger

TEXT = "Mara lived in Calder."
REVISION = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(scope="module")
def archive(request):
    return request.getfixturevalue("archives")("ner")


@pytest.fixture
def folder(archive, tmp_path):
    """With what is in the archive, but for the checksums."""
    unpacked(archive, tmp_path / "folder")
    (tmp_path / "folder/checksums.sha256").unlink()
    return tmp_path / "folder"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """AllenNLP's cache, with nothing in it and no way to the network."""
    monkeypatch.setattr("nerzoo.archives.reading.CACHE_DIRECTORY", str(tmp_path / "cache"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    # It tries again for half a minute.
    monkeypatch.setattr("cached_path.schemes.http.session_with_backoff", lambda headers: requests.Session())
    (tmp_path / "cache").mkdir()
    return tmp_path / "cache"


@pytest.fixture
def expected(archive):
    return Tagger.load(archive, engine="torch")(TEXT)


def test_a_folder(folder, expected):
    assert Tagger.load(str(folder), engine="torch")(TEXT) == expected


def test_a_folder_of_a_training(archive, expected):
    assert Tagger.load(archive.parent, engine="torch")(TEXT) == expected


def test_a_folder_with_an_archive(archive, expected, tmp_path):
    shutil.copy(archive, tmp_path)
    assert Tagger.load(tmp_path, engine="torch")(TEXT) == expected


def test_an_archive_packed_in_another_order(folder, expected, tmp_path):
    assert Tagger.load(packed(folder, tmp_path / "packed.tar.gz"), engine="torch")(TEXT) == expected


def test_a_url_from_the_cache(archive, cache, expected, capfd):
    url = "https://models.invalid/ner/model.tar.gz"
    path = cache / cached_path.resource_to_filename(url, '"etag"')
    shutil.copy(archive, path)
    Meta.new(url, path, etag='"etag"').to_file()
    assert Tagger.load(url, engine="torch")(TEXT) == expected
    assert capfd.readouterr() == ("", "")


def hub(cache, revision):
    repository = cache / "models--owner--name"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / revision).write_text(REVISION)
    return repository / "snapshots" / REVISION


@pytest.mark.parametrize("revision", ["main", "v1", REVISION])
def test_a_repository_of_the_hub_from_the_cache(folder, cache, expected, revision, capfd):
    snapshot = hub(cache, revision)
    shutil.copytree(folder, snapshot)
    files = [str(path.relative_to(snapshot)) for path in snapshot.rglob("*") if path.is_file()]
    listing = {"format_version": 1, "files": {name: {"size": 1, "blob_id": "0"} for name in files}}
    (snapshot.parents[1] / "trees").mkdir()
    (snapshot.parents[1] / "trees" / f"{REVISION}.json").write_text(json.dumps(listing))
    name = "hf://owner/name" if revision == "main" else f"hf://owner/name@{revision}"
    assert Tagger.load(name, engine="torch")(TEXT) == expected
    assert capfd.readouterr() == ("", "")


def test_a_repository_of_the_hub_with_an_archive(archive, cache, expected):
    snapshot = hub(cache, "v1")
    snapshot.mkdir(parents=True)
    shutil.copy(archive, snapshot)
    assert Tagger.load("hf://owner/name@v1", engine="torch")(TEXT) == expected
    assert Tagger.load("hf://owner/name@v1/model.tar.gz", engine="torch")(TEXT) == expected


@pytest.mark.parametrize(
    "name", ["missing.tar.gz", "hf://owner/name@v1", "https://models.invalid/model.tar.gz", "xyz://nothing"]
)
def test_nothing_there(cache, name):
    with pytest.raises(ConfigurationError, match=f"^{name}: found nothing there .*, expected an archive of a model"):
        Tagger.load(name)


@pytest.mark.parametrize("part", ["config.json", "weights.th", "vocabulary"])
def test_a_part_is_missing(folder, part, tmp_path):
    path = folder / part
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    name = "best.th" if part == "weights.th" else part
    with pytest.raises(ConfigurationError, match=f"folder: found no {name} in it, expected an archive"):
        Tagger.load(folder)
    with pytest.raises(ConfigurationError, match="packed.tar.gz: found"):
        Tagger.load(packed(folder, tmp_path / "packed.tar.gz"))


# At the end there are up to 10,240 bytes of padding, which nobody misses.
@pytest.mark.parametrize("length", [0, 10, 500, -12_000])
def test_a_file_that_is_cut_off(archive, tmp_path, length):
    (tmp_path / "cut.tar.gz").write_bytes(archive.read_bytes()[:length])
    with pytest.raises(ConfigurationError, match="cut.tar.gz: found .*"):
        Tagger.load(tmp_path / "cut.tar.gz")


def change(folder, **model):
    config = json.loads((folder / "config.json").read_text())
    config["model"].update(model)
    (folder / "config.json").write_text(json.dumps(config))


@pytest.mark.parametrize("load", [load, load_archive, functools.partial(Tagger.load, engine="torch")])
@pytest.mark.parametrize("is_packed", [False, True])
def test_a_configuration_is_parsed_once_and_weights_are_hashed_once(archive, load, is_packed, tmp_path, monkeypatch):
    path = archive if is_packed else unpacked(archive, tmp_path / "unpacked")
    parsed, hashed = [], []
    parse, digest = reading.parse_config, reading.digest
    monkeypatch.setattr(reading, "parse_config", lambda file, size: parsed.append(size) or parse(file, size))
    monkeypatch.setattr(reading, "digest", lambda file: hashed.append(file.name) or digest(file))
    load(path)
    assert len(parsed) == 1 and hashed.count("weights.th") == 1
    assert len(hashed) == len(set(hashed)) > 3


def test_a_model_that_nobody_registers(folder):
    change(folder, type="their_tagger")
    with pytest.raises(ConfigurationError, match="folder: found model.type = 'their_tagger', expected"):
        Tagger.load(folder)


def test_plugins_are_imported_where_a_type_is_not_known(folder, monkeypatch):
    imported = []
    monkeypatch.setattr("nerzoo.archives.loading.plugins.import_plugins", lambda: imported.append(True))
    load(folder, "cpu")
    (folder / "weights.th").rename(folder / "elsewhere.th")
    with pytest.raises(ConfigurationError):
        load(folder, "cpu")
    assert imported == []
    (folder / "elsewhere.th").rename(folder / "weights.th")
    change(folder, type="their_tagger")
    with pytest.raises(ConfigurationError, match="their_tagger"):
        load(folder, "cpu")
    assert imported == [True]


def test_a_model_of_another_package(folder):
    """AllenNLP's own tagger, with a predictor that takes nothing but text."""
    config = json.loads((folder / "config.json").read_text())
    for name in ("dataset_reader", "validation_dataset_reader"):
        config[name] = {"type": "sequence_tagging"}
    embedder = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 3}}}
    encoder = {"type": "pass_through", "input_dim": 3}
    config["model"] = {"type": "simple_tagger", "text_field_embedder": embedder, "encoder": encoder}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(RuntimeError, match="in loading state_dict for SimpleTagger"):
        Tagger.load(folder)

    model = Model.from_params(Params(config["model"]), vocab=Vocabulary.from_files(folder / "vocabulary"))
    torch.save(model.state_dict(), folder / "weights.th")
    with pytest.raises(ConfigurationError, match="type 'simple_tagger', which the predictor sentence_tagger"):
        Tagger.load(folder)


def test_another_device_is_an_error(folder):
    with pytest.raises(ConfigurationError, match="found the device 'meta'"):
        load(folder, "meta")


def test_a_configuration_without_a_model(folder):
    (folder / "config.json").write_text("[]")
    with pytest.raises(ConfigurationError, match="found no configuration of a model .config.json is not an object"):
        Tagger.load(folder)
    (folder / "config.json").write_text("{")
    with pytest.raises(ConfigurationError, match="found no configuration of a model"):
        Tagger.load(folder)


def test_devices(monkeypatch):
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    assert [device_number(name) for name in (None, -1, 1, "cpu", "cuda", "cuda:1")] == [0, -1, 1, -1, 0, 1]
    for name in ("cuda:2", 2, "gpu", "mps"):
        with pytest.raises(ConfigurationError, match=f"found the device {name!r}"):
            device_number(name)
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert device_number(None) == -1
