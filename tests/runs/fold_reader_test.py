import pytest
from allennlp.data.data_loaders import MultiProcessDataLoader
from helpers.paths import FIXTURES

from nerzoo.data.dataset_readers.tagged_sentences import TaggedSentencesReader
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.runs.folds import FoldReader, divide, document_names, parts

TREEBANK = FIXTURES / "people_and_places"
PATHS = [str(TREEBANK / "dev.conllu"), str(TREEBANK / "train.conllu")]


@pytest.fixture
def reader():
    return TaggedSentencesReader(ConlluCorpus())


@pytest.fixture
def divided(reader):
    return parts(divide(document_names(reader, PATHS), 4, seed=1), test_fold=3, validation=True)


def _sentences_in_file(documents):
    """The words of the sentences of `documents`, from the corpora themselves."""
    return [
        sentence.words
        for path in PATHS
        for document in ConlluCorpus().read(path)
        if f"{path}:{document.id}" in documents
        for sentence in document.sentences
    ]


def _words(instances):
    return [instance["metadata"]["words"] for instance in instances]


@pytest.mark.parametrize("part", ["train", "validation", "test"])
def test_a_part_has_the_sentences_of_its_documents_in_order(reader, divided, part):
    expected = _sentences_in_file(divided[part])
    assert expected
    assert _words(FoldReader(reader, PATHS, divided).read(part)) == expected


def test_a_path_that_is_no_part_is_that_of_a_whole_file(reader, divided):
    path = str(TREEBANK / "test.conllu")
    assert _words(FoldReader(reader, PATHS, divided).read(path)) == _words(reader.read(path))


def test_sentences_without_documents_are_divided_one_by_one(reader, tmp_path):
    path = tmp_path / "sentences.conllu"
    path.write_text((TREEBANK / "dev.conllu").read_text().replace("# newdoc id", "# not a document"))
    documents = document_names(reader, [str(path)])
    assert len(documents) == 33
    divided = parts(divide(documents, 5, seed=0), test_fold=0, validation=False)
    fold_reader = FoldReader(reader, [str(path)], divided)
    train, test = _words(fold_reader.read("train")), _words(fold_reader.read("test"))
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
    assert sorted(_words(instances)) == sorted(_sentences_in_file(divided["test"]))
    assert all(instance["tokens"].token_indexers for instance in instances)
