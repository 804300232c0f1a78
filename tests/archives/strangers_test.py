"""What the archive of a stranger does to whoever loads it, by nerzoo's loader and by AllenNLP's: nothing."""

import gzip
import json
import os
import tarfile

import pytest
from allennlp.commands.evaluate import evaluate_from_archive
from allennlp.common.checks import ConfigurationError
from allennlp.models import load_archive
from helpers.paths import FIXTURES
from helpers.tampered import changed_config, packed, unpacked

from nerzoo import archives
from nerzoo.archives import trust
from nerzoo.evaluation.gold import read_gold
from nerzoo.inference.tagger import Tagger

DATA = FIXTURES / "people_and_places/dev.conllu"


@pytest.fixture(scope="module")
def folder(request, tmp_path_factory):
    return unpacked(request.getfixturevalue("archives")("ner"), tmp_path_factory.mktemp("stranger") / "folder")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """In an empty folder, on a machine that has trained nothing."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(trust, "OWN_CONFIGURATIONS", tmp_path / "own")


@pytest.fixture(params=[Tagger.load, load_archive, archives.load], ids=["Tagger", "AllenNLP", "nerzoo"])
def load(request):
    return request.param


def assert_untouched(tmp_path):
    assert not list((tmp_path / "here").iterdir())


# Would make a file `marker` in the folder that the process is in.
TOUCH = {"type": "subprocess.Popen", "args": ["touch", "marker"]}


@pytest.mark.parametrize(
    "changes",
    [
        {"dataset_reader__corpus": TOUCH},
        {"model__encoder": TOUCH},
        {"model__text_field_embedder__token_embedders__tokens": TOUCH},
        {"vocabulary": TOUCH},
        {"model__head": "os.abort"},
        {"model": TOUCH},
    ],
    ids=lambda changes: "-".join(changes),
)
def test_no_callable_is_called(folder, load, changes, tmp_path):
    path = packed(folder, tmp_path / "model.tar.gz", changed_config(folder, **changes))
    with pytest.raises(ConfigurationError, match="subprocess.Popen|os.abort") as caught:
        load(path)
    assert "no package registers" in str(caught.value) or "registered" in str(caught.getrepr(style="short"))
    assert_untouched(tmp_path)


def test_no_callable_is_called_after_loading(folder, tmp_path):
    path = packed(folder, tmp_path / "model.tar.gz", changed_config(folder, data_loader=TOUCH))
    with pytest.raises(ConfigurationError, match="found the type 'subprocess.Popen' in the configuration"):
        evaluate_from_archive(path, str(DATA))
    assert_untouched(tmp_path)


def test_jsonnet_is_not_evaluated(folder, load, tmp_path):
    text = (folder / "config.json").read_text()
    path = packed(folder, tmp_path / "model.tar.gz", f"local home = std.extVar('HOME'); {text}")
    with pytest.raises(ConfigurationError, match="model.tar.gz: found no configuration of a model"):
        load(path)


@pytest.mark.parametrize(
    "changes, found",
    [
        ({"dataset_reader__token_indexers__lists": {"type": "gazetteer", "path": "FILE"}}, "lists.path = 'FILE'"),
        ({"model__anything": "/etc/passwd"}, "model.anything = '/etc/passwd'"),
        ({"model__anything": "https://models.invalid/x"}, "model.anything = 'https://models.invalid/x'"),
        ({"model__anything": "~/x"}, "model.anything = '~/x'"),
        ({"model__anything": ["../x"]}, "model.anything.0 = '../x'"),
        ({"model__anything": {"trust_remote_code": True}}, "model.anything.trust_remote_code = True"),
        ({"model__encoder": {"model_name": "their/model"}}, "model.encoder.model_name = 'their/model'"),
        ({"model": {"type": "from_archive", "archive_file": "x"}}, "model.archive_file = 'x'"),
        ({"model__encoder": {"_pretrained": {"archive_file": "x"}}}, "_pretrained.archive_file = 'x'"),
        ({"dataset_reader__parser": {"pipeline": "/x"}}, "dataset_reader.parser.pipeline = '/x'"),
        ({"dataset_reader__tokenizer": {"type": "spacy", "language": "xx_y"}}, "tokenizer.language = 'xx_y'"),
    ],
)
def test_other_files_and_the_network_are_refused(folder, load, changes, found, tmp_path):
    path = packed(folder, tmp_path / "model.tar.gz", changed_config(folder, **changes))
    with pytest.raises(ConfigurationError, match=f"model.tar.gz: found .*{found}.*allow it by name"):
        load(path)


def member(name, type=tarfile.REGTYPE, link=""):
    found = tarfile.TarInfo(name)
    found.type, found.linkname = type, link
    return found


@pytest.mark.parametrize(
    "added, found",
    [
        (member("../outside"), "outside of the archive"),
        (member("vocabulary/../../outside"), "outside of the archive"),
        (member("/tmp/outside"), "outside of the archive"),
        (member("vocabulary/link", tarfile.SYMTYPE, "/etc"), "neither a file nor a folder"),
        (member("vocabulary/link", tarfile.LNKTYPE, "config.json"), "neither a file nor a folder"),
        (member("vocabulary/pipe", tarfile.FIFOTYPE), "neither a file nor a folder"),
        (member("vocabulary/device", tarfile.CHRTYPE), "neither a file nor a folder"),
        (member("config.json"), "'config.json' twice"),
        (member("vocabulary/tokens.txt/file"), "cannot be read"),
        (member("nul\0l"), "found"),
    ],
    ids=lambda value: value.name.replace("\0", "0") if isinstance(value, tarfile.TarInfo) else "",
)
def test_members_that_are_no_files_inside(folder, load, added, found, tmp_path):
    if "\0" in added.name:
        # Names in extended headers may have any byte.
        added.pax_headers = {"path": added.name}
    path = packed(folder, tmp_path / "model.tar.gz", members=[(added, b"")])
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(ConfigurationError, match=f"model.tar.gz: .*{found}"):
        load(path)
    assert sorted(os.listdir(tmp_path)) == before
    assert_untouched(tmp_path)


def bomb(path, kind):
    """Three GB in three MB, as a file or as the header of one."""
    header = member("config.json", kind)
    header.size = 3 * 2**30
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(header.tobuf())
        for _ in range(64):
            file.write(bytes(2**20))
    return path


@pytest.mark.parametrize("kind, limit", [(tarfile.REGTYPE, "NERZOO_MAX_UNPACKED"), (tarfile.XHDTYPE, "MAX_HEADER")])
def test_bombs_are_refused_before_they_are_unpacked(load, kind, limit, tmp_path):
    with pytest.raises(ConfigurationError, match=f"bomb.tar.gz: found .* 3221225472 bytes, expected at most .*{limit}"):
        load(bomb(tmp_path / "bomb.tar.gz", kind))


def test_the_limit_of_what_is_unpacked(folder, load, tmp_path, monkeypatch):
    path = packed(folder, tmp_path / "model.tar.gz")
    monkeypatch.setenv("NERZOO_MAX_UNPACKED", "1000")
    with pytest.raises(ConfigurationError, match="bytes, expected at most 1000, which NERZOO_MAX_UNPACKED"):
        load(path)
    monkeypatch.setenv("NERZOO_MAX_UNPACKED", "100000000")
    load(path)


def test_the_number_of_members(folder, load, tmp_path, monkeypatch):
    monkeypatch.setattr("nerzoo.archives.reading.MAX_MEMBERS", 5)
    path = packed(folder, tmp_path / "model.tar.gz", members=[(member(f"vocabulary/{n}"), b"") for n in range(5)])
    with pytest.raises(ConfigurationError, match="more than 5 members, reading.MAX_MEMBERS"):
        load(path)


@pytest.mark.parametrize("name", ["config.json", "weights.th", "vocabulary/tokens.txt"])
def test_a_folder_with_a_pipe(folder, load, name, tmp_path):
    copy = unpacked(packed(folder, tmp_path / "model.tar.gz"), tmp_path / "copy")
    (copy / name).unlink()
    os.mkfifo(copy / name)
    with pytest.raises(ConfigurationError, match=f"copy: found {name} as something else than a file"):
        load(copy)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a": ' + "9" * 5000 + "}", "[]", "{", '"\xff"', ""], ids=["deep", "long", *"abcd"]
)
def test_a_configuration_that_is_none(folder, load, text, tmp_path):
    path = packed(folder, tmp_path / "model.tar.gz", text)
    with pytest.raises(ConfigurationError, match="model.tar.gz: found no configuration of a model"):
        load(path)


def test_a_configuration_that_is_too_long(folder, load, tmp_path, monkeypatch):
    monkeypatch.setattr("nerzoo.archives.reading.MAX_CONFIG", 100)
    with pytest.raises(ConfigurationError, match="bytes, expected at most 100, reading.MAX_CONFIG"):
        load(packed(folder, tmp_path / "model.tar.gz"))


def test_what_is_allowed_by_name(folder, tmp_path, monkeypatch):
    (tmp_path / "here/list.txt").write_text("PER Mara\n")
    indexers = changed_config(folder)["dataset_reader"]["token_indexers"]
    lists = {**indexers, "lists": {"type": "gazetteer", "path": "list.txt"}}
    path = packed(folder, tmp_path / "model.tar.gz", changed_config(folder, dataset_reader__token_indexers=lists))
    with pytest.raises(ConfigurationError, match="NERZOO_ALLOW=list.txt"):
        archives.load(path, "cpu")
    for name in ("list.txt", "path"):
        archives.load(path, "cpu", allow=[name])
    # What the overrides name is the user's own.
    archives.load(path, "cpu", overrides={"dataset_reader.token_indexers.lists.path": "list.txt"})
    monkeypatch.setenv("NERZOO_ALLOW", "x,list.txt")
    load_archive(path)


def test_class_paths_that_are_allowed(folder, tmp_path):
    name = "allennlp.modules.seq2seq_encoders.LstmSeq2SeqEncoder"
    # A name that no other test refuses, since that holds to the end of the process.
    path = packed(folder, tmp_path / "model.tar.gz", changed_config(folder, model__encoder={"type": name}))
    with pytest.raises(ConfigurationError) as caught:
        archives.load(path, "cpu", allow=[name])
    assert name not in str(caught.value)


def test_overrides_that_do_not_fit(folder, load, tmp_path):
    path = packed(folder, tmp_path / "model.tar.gz")
    with pytest.raises(ConfigurationError, match="model.tar.gz: found overrides that do not fit its configuration"):
        load(path, overrides={"model.no.such": 1})
    for overrides in ("{", "5", "[]"):
        with pytest.raises(ConfigurationError, match="model.tar.gz: found overrides that do not fit its configuration"):
            load(path, overrides=overrides)


@pytest.mark.parametrize("reader", [None, "conll2003", 5])
def test_a_reader_that_is_no_object(folder, load, tmp_path, reader):
    path = packed(folder, tmp_path / "model.tar.gz", changed_config(folder, dataset_reader=reader))
    with pytest.raises(ConfigurationError, match="model.tar.gz: found dataset_reader = .*, expected an object"):
        load(path)


def test_what_was_trained_here_may_name_what_it_names(folder, load, tmp_path):
    config = changed_config(folder, model__anything="/etc/passwd")
    path = packed(folder, tmp_path / "model.tar.gz", config)
    trust.remember(config)
    assert trust.is_own(config) and not trust.is_own({**config, "a": 1})
    with pytest.raises((ConfigurationError, TypeError), match="anything") as caught:
        load(path)
    assert "allow it" not in str(caught.value)


def test_the_configuration_of_a_stranger_that_a_command_reads_gold_annotation_by(tmp_path):
    reader = {"type": "tagged_sentences", "corpus": TOUCH}
    (tmp_path / "config.json").write_text(json.dumps({"dataset_reader": reader}))
    with pytest.raises(ConfigurationError, match="found the type 'subprocess.Popen' in the configuration"):
        read_gold(str(DATA), str(tmp_path / "config.json"), "tags")
    reader = {"type": "tagged_sentences", "token_indexers": {"lists": {"type": "gazetteer", "path": "/etc/passwd"}}}
    (tmp_path / "config.json").write_text(json.dumps({"dataset_reader": reader}))
    with pytest.raises(ConfigurationError, match="lists.path = '/etc/passwd'"):
        read_gold(str(DATA), str(tmp_path / "config.json"), "tags")
    (tmp_path / "config.json").write_text("local x = std.extVar('HOME'); {}")
    with pytest.raises(ConfigurationError, match="config.json: found no configuration .*, expected one with a"):
        read_gold(str(DATA), str(tmp_path / "config.json"), "tags")
    with pytest.raises(ConfigurationError, match="none.jsonnet: found no such file, expected a configuration"):
        read_gold(str(DATA), str(tmp_path / "none.jsonnet"), "tags")
    assert_untouched(tmp_path)
