import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance
from allennlp.data.fields import FlagField, MetadataField

from nerzoo.runs.folds import divide, document_names, instances_by_document, parts


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
