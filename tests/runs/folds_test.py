import json

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.data.fields import FlagField, MetadataField
from allennlp.training import GradientDescentTrainer
from helpers.commands import DEPTREE_NER
from helpers.paths import FIXTURES, ROOT

from nerzoo.data.dataset_readers.tagging import TaggedSentencesReader
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.runs.folds import FoldReader, divide, document_names, instances_by_document, parts


class IdReader(DatasetReader):
    """An instance for each id in the path, which may be `-` for none."""

    def _read(self, file_path):
        for document_id in file_path.split():
            yield Instance({"metadata": MetadataField({"document_id": None if document_id == "-" else document_id})})


class FlagReader(DatasetReader):
    """Two instances without metadata."""

    def _read(self, file_path):
        yield Instance({"flag": FlagField(True)})
        yield Instance({"flag": FlagField(False)})


def test_documents_of_two_files_are_apart_even_if_their_ids_are_not():
    assert document_names(IdReader(), ["a a b a", "b c"]) == ["a a b a:a", "a a b a:b", "b c:b", "b c:c"]


def test_instances_without_a_document_are_documents_of_their_own(caplog):
    assert [name for name, _ in instances_by_document(IdReader(), ["a - - a"])] == [
        "a - - a:a",
        "a - - a[1]",
        "a - - a[2]",
        "a - - a:a",
    ]
    assert [record.getMessage() for record in caplog.records] == [
        "a - - a: found instances without a document_id, each is taken as a document"
    ]
    assert document_names(FlagReader(), ["file"]) == ["file[0]", "file[1]"]


@pytest.mark.parametrize(("num_documents", "num_folds"), [(23, 4), (20, 10), (7, 7), (5, 2)])
def test_every_document_is_in_one_fold_and_folds_are_of_one_size(num_documents, num_folds):
    documents = [f"d{number}" for number in range(num_documents)]
    folds = divide(documents, num_folds, seed=3)
    assert len(folds) == num_folds
    assert sorted(document for fold in folds for document in fold) == sorted(documents)
    sizes = [len(fold) for fold in folds]
    assert max(sizes) - min(sizes) <= 1


def test_the_seed_alone_decides_on_every_machine():
    assert divide(list("abcdefg"), 3, seed=0) == [["b", "c", "g"], ["a", "d"], ["e", "f"]]
    assert divide(list("abcdefg"), 3, seed=1) != divide(list("abcdefg"), 3, seed=0)


def test_fewer_documents_than_folds():
    with pytest.raises(ConfigurationError, match="found 2 documents, expected at least one for each of 3 folds"):
        divide(["a", "b"], 3, seed=0)


@pytest.mark.parametrize("validation", [True, False])
def test_parts_are_disjoint_and_complete_and_each_document_is_tested_once(validation):
    folds = divide(list("abcdefghijk"), 4, seed=0)
    divided = [parts(folds, fold, validation) for fold in range(4)]
    for part in divided:
        assert part.keys() == {"train", "test"} | ({"validation"} if validation else set())
        assert sorted(document for documents in part.values() for document in documents) == list("abcdefghijk")
        assert len(part["train"]) >= 2 * (2 if validation else 3)
    for name in divided[0].keys() - {"train"}:
        assert sorted(document for part in divided for document in part[name]) == list("abcdefghijk")


TREEBANK = FIXTURES / "people_and_places"
PATHS = [str(TREEBANK / "dev.conllu"), str(TREEBANK / "train.conllu")]


@pytest.fixture
def reader():
    return TaggedSentencesReader(ConlluCorpus())


@pytest.fixture
def divided(reader):
    return parts(divide(document_names(reader, PATHS), 4, seed=1), test_fold=3, validation=True)


def words_in_files(documents):
    """The words of the sentences of `documents`, from the corpora themselves."""
    return [
        sentence.words
        for path in PATHS
        for document in ConlluCorpus().read(path)
        if f"{path}:{document.id}" in documents
        for sentence in document.sentences
    ]


def words_of_instances(instances):
    return [instance["metadata"]["words"] for instance in instances]


@pytest.mark.parametrize("part", ["train", "validation", "test"])
def test_a_part_has_the_sentences_of_its_documents_in_order(reader, divided, part):
    expected = words_in_files(divided[part])
    assert expected
    assert words_of_instances(FoldReader(reader, PATHS, divided).read(part)) == expected


def test_a_path_that_is_no_part_is_that_of_a_whole_file(reader, divided):
    path = str(TREEBANK / "test.conllu")
    assert words_of_instances(FoldReader(reader, PATHS, divided).read(path)) == words_of_instances(reader.read(path))


def test_sentences_without_documents_are_divided_one_by_one(reader, tmp_path):
    path = tmp_path / "sentences.conllu"
    path.write_text((TREEBANK / "dev.conllu").read_text().replace("# newdoc id", "# not a document"))
    documents = document_names(reader, [str(path)])
    assert len(documents) == 33
    divided = parts(divide(documents, 5, seed=0), test_fold=0, validation=False)
    fold_reader = FoldReader(reader, [str(path)], divided)
    train, test = words_of_instances(fold_reader.read("train")), words_of_instances(fold_reader.read("test"))
    assert (len(train), len(test)) == (26, 7)
    (document,) = ConlluCorpus().read(path)
    assert sorted(train + test) == sorted(sentence.words for sentence in document.sentences)


def test_processes_that_read_data_find_the_same_sentences(reader, divided):
    loader = MultiProcessDataLoader(
        FoldReader(reader, PATHS, divided),
        "test",
        batch_size=4,
        num_workers=2,
        max_instances_in_memory=8,
        start_method="fork",
    )
    instances = list(loader.iter_instances())
    assert sorted(words_of_instances(instances)) == sorted(words_in_files(divided["test"]))
    assert all(instance["tokens"].token_indexers for instance in instances)


DATA = [str(ROOT / f"fixtures/people_and_places/{name}.conllu") for name in ("dev", "test")]


def _params(**overrides):
    params = Params.from_file(ROOT / DEPTREE_NER, {"trainer.num_epochs": 1, **overrides})
    params.pop("validation_data_path")
    fold = {"num_folds": 4, "fold_seed": 0, "test_fold": 2, "validation": True}
    return Params({**params.as_dict(quiet=True), "type": "cross_validation_fold", "train_data_path": DATA, **fold})


def _scores(folder):
    metrics = json.loads((folder / "metrics.json").read_text())
    return {name: value for name, value in metrics.items() if name.startswith("test_")}


def test_the_archived_weights_are_evaluated_whatever_the_trainer_ends_with(tmp_path, monkeypatch):
    train_model(_params(), str(tmp_path / "first"))
    train = GradientDescentTrainer.train

    def train_and_forget(self):
        metrics = train(self)
        with torch.no_grad():
            for parameter in self.model.parameters():
                parameter.zero_()
        return metrics

    monkeypatch.setattr(GradientDescentTrainer, "train", train_and_forget)
    train_model(_params(), str(tmp_path / "second"))
    assert _scores(tmp_path / "first")["test_loss"] > 0
    assert _scores(tmp_path / "second") == _scores(tmp_path / "first")


def test_words_of_the_test_fold_are_known_where_the_configuration_says_so(tmp_path):
    def words(folder):
        return set((tmp_path / folder / "vocabulary/tokens.txt").read_text().split("\n"))

    parts = ["train", "validation", "test"]
    train_model(_params(datasets_for_vocab_creation=parts), str(tmp_path / "all"))
    # Would end in an error if a type occurred in the test fold alone.
    train_model(_params(datasets_for_vocab_creation=parts[:2]), str(tmp_path / "some"))
    assert words("some") < words("all")


def test_readers_that_find_different_documents(tmp_path):
    reader = _params()["dataset_reader"].as_dict(quiet=True)
    params = _params(validation_dataset_reader={**reader, "max_instances": 10})
    with pytest.raises(ConfigurationError, match="validation_dataset_reader to read different documents from .*dev"):
        train_model(params, str(tmp_path / "run"))
