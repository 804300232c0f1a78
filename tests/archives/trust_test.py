"""Names in configurations. `strangers_test.py` tests archives with them."""

import inspect
import re

import pytest
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data import TokenIndexer

import nerzoo.components  # noqa: F401
from nerzoo.archives import trust
from nerzoo.archives.trust import OPTION, check_named_files, is_own, refuse, remember, without_packed

SUSPICIOUS = re.compile(r".*(file|path|direct|url|pretrained|archive|model_name|cache|pipeline|language|download).*")
# Names of parts, numbers, and what is no option of a part that loading makes.
HARMLESS = {
    "bias_direction",
    "bias_direction1",
    "bias_direction2",
    "direction_vocab",
    "bidirectional",
    "direction",
    "files_to_save",
    "filed_name",
    "min_pretrained_embeddings",
    "only_include_pretrained_words",
    "vocab_to_cache",
    # Looked at by themselves.
    "language",
    "pipeline",
}


def test_a_packed_transformer_is_none_that_loading_reads_elsewhere(tmp_path):
    (tmp_path / "transformer").mkdir()
    (tmp_path / "transformer/source.json").write_text('{"model_name": "bert"}')

    def config(**names):
        indexers = {key: {"type": "transformer", "model_name": name} for key, name in names.items()}
        return {"dataset_reader": {"token_indexers": {"zeros": {"indexer": indexers}, "all": [*indexers.values()]}}}

    check_named_files("it", without_packed(config(x="bert"), tmp_path))
    for other in ({"y": "other"}, {"x": "bert", "y": "other"}):
        with pytest.raises(ConfigurationError, match="zeros.indexer.y.model_name = 'other' in its configuration"):
            check_named_files("it", without_packed(config(**other), tmp_path))
    # Only for the indexer that reads the packed one.
    reader = {"dataset_reader": {"path": "bert"}, "model": {"model_name": "bert"}}
    assert without_packed(reader, tmp_path) == reader


def registered_options():
    registry = vars(Registrable)["_registry"]
    for base, classes in registry.items():
        for name, (registered, constructor) in classes.items():
            if registered.__module__.partition(".")[0] not in ("allennlp", "nerzoo"):
                continue
            function = getattr(registered, constructor) if constructor else registered.__init__
            for option in inspect.signature(function).parameters:
                yield option, f"{base.__name__} {name}"


def test_every_option_that_may_name_a_file_is_known():
    found = {option: name for option, name in registered_options() if SUSPICIOUS.fullmatch(option)}
    unknown = {option: name for option, name in found.items() if not OPTION.fullmatch(option)}
    assert {option: name for option, name in unknown.items() if option not in HARMLESS} == {}
    # So that the test above does look at them.
    assert {"archive_file", "model_name", "weight_file", "pretrained_file"} <= found.keys()


@pytest.mark.parametrize("value", ["word", "a/b", "/", "...", "x.txt", "B-PER", "a:b", "", "\0/", "x/" * 999])
def test_strings_that_name_nothing(value):
    check_named_files("x", {"model": {"anything": value}})


@pytest.mark.parametrize("value", ["blank:en", "en_core_web_md"])
def test_pipelines_of_spacy_are_packages(value):
    check_named_files("x", {"dataset_reader": {"parser": {"pipeline": value}}})


@pytest.mark.parametrize("value", ["en", "pipeline", "en_core_web_md.zip", "xx"])
def test_other_pipelines_may_be_folders(value):
    with pytest.raises(ConfigurationError, match=f"x: found dataset_reader.parser.pipeline = '{value}'"):
        check_named_files("x", {"dataset_reader": {"parser": {"pipeline": value}}})


def test_a_mixture_may_name_files_below_its_data_folder():
    def config(files, key="parts"):
        return {"dataset_reader": {"corpus": {"type": "mixture", key: {"gum": {"corpus": "conllu", "files": files}}}}}

    check_named_files("x", config("gum/*.conllu.gz"))
    for refused in (config("/etc/passwd"), config("gum/../../secret"), config("gum/*.conllu.gz", "others")):
        with pytest.raises(ConfigurationError, match="found dataset_reader.corpus.*files = "):
            check_named_files("x", refused)


def test_a_language_that_is_installed_is_not_downloaded():
    check_named_files("x", {"dataset_reader": {"tokenizer": {"language": "spacy"}}})
    with pytest.raises(ConfigurationError, match="tokenizer.language = 'xx_missing'"):
        check_named_files("x", {"dataset_reader": {"tokenizer": {"language": "xx_missing"}}})


def test_a_section_that_is_a_type_name_is_not_a_path():
    check_named_files("x", {"dataset_reader": "conllu"})


def test_paths_that_exist(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b").write_text("")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError, match="x: found model.anything = 'a/b' in its configuration"):
        check_named_files("x", {"model": {"anything": "a/b"}})


def test_what_allennlp_takes_out_is_no_matter():
    embedder = {"type": "embedding", "pretrained_file": "/vectors.txt"}
    check_named_files("x", {"model": {"embedder": embedder, "initializer": {"weights_file_path": "/x"}}})
    for config in ({"model": {"embedders": [embedder]}}, {"dataset_reader": embedder}):
        with pytest.raises(ConfigurationError, match="pretrained_file = '/vectors.txt'"):
            check_named_files("x", config)
    check_named_files("x", {"trainer": {"path": "/x"}, "train_data_path": "/y"})


def test_a_second_archive_keeps_the_refused_types_of_the_first():
    refuse(["first_archive.Indexer", "single_id"])
    refuse(["second_archive.Indexer"])
    for name in ("first_archive.Indexer", "second_archive.Indexer"):
        with pytest.raises(ConfigurationError, match=f"found the type '{name}' in the configuration of an archive"):
            TokenIndexer.by_name(name)
    assert TokenIndexer.by_name("single_id")


def test_a_configuration_is_own_once_it_is_remembered(tmp_path, monkeypatch):
    monkeypatch.setattr(trust, "OWN_CONFIGURATIONS", tmp_path / "cache/own")
    config = {"model": {"type": "a", "size": 3}, "dataset_reader": {"type": "b"}}
    assert not is_own(config)
    remember(config)
    remember(config)
    assert is_own({"dataset_reader": {"type": "b"}, "model": {"size": 3, "type": "a"}})
    assert not is_own({**config, "vocabulary": {}})
    assert len((tmp_path / "cache/own").read_text().splitlines()) == 1


def test_a_place_where_nothing_can_be_written_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(trust, "OWN_CONFIGURATIONS", tmp_path / "file/own")
    remember({})
    assert not is_own({})
    (tmp_path / "bytes").write_bytes(b"\xff")
    monkeypatch.setattr(trust, "OWN_CONFIGURATIONS", tmp_path / "bytes")
    assert not is_own({})
