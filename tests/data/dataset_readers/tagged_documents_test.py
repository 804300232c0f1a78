import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, DatasetReader, Vocabulary

from nerzoo.data.fields import vocabulary_coding_scheme

COLUMNS = """\
Mara B-PER
left O

Lindow B-LOC
-DOCSTART- O
Acme B-ORG
Works I-ORG
closed O

Rain O
"""


def make_reader(**params):
    return DatasetReader.from_params(Params({"type": "tagged_documents", "corpus": "columns", **params}))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "columns.txt"
    path.write_text(COLUMNS)
    return path


def test_fields(path):
    first, second = make_reader().read(path)
    assert set(first.fields) == {"tokens", "sentences", "tags", "metadata"}
    assert [token.text for token in second["tokens"]] == ["Acme", "Works", "closed", "Rain"]
    assert second["tags"].labels == ["B-ORG", "L-ORG", "O", "O"]
    metadata = second["metadata"].metadata
    assert metadata["document_id"] == "2"
    assert metadata["sentences"] == [
        {
            "document_id": "2",
            "words": ["Acme", "Works", "closed"],
            "text": "Acme Works closed",
            "offsets": [0, 5, 11],
            "gold_tags": ["B-ORG", "L-ORG", "O"],
        },
        {"document_id": "2", "words": ["Rain"], "text": "Rain", "offsets": [0], "gold_tags": ["O"]},
    ]


def test_batch(path):
    reader = make_reader()
    batch = Batch(list(reader.read(path)))
    for instance in batch:
        reader.apply_token_indexers(instance)
    batch.index_instances(Vocabulary.from_instances(batch))
    tensors = batch.as_tensor_dict()
    assert tensors["sentences"].tolist() == [[[0, 1, -1], [2, -1, -1]], [[0, 1, 2], [3, -1, -1]]]


def test_coding_scheme_and_untagged_documents(path):
    (document, _) = make_reader().documents(path)
    reader = make_reader(coding_scheme="BIO")
    assert reader.text_to_instance(document)["tags"].labels == ["B-PER", "O", "B-LOC"]
    instance = reader.text_to_instance(document, [" Mara  left", "Lindow"], tagged=False)
    assert "tags" not in instance.fields
    assert instance["metadata"]["sentences"][0]["offsets"] == [1, 7]


def test_the_vocabulary_has_the_coding_scheme(path):
    assert vocabulary_coding_scheme(Vocabulary.from_instances(make_reader(coding_scheme="BIO").read(path))) == "BIO"


def test_a_tag_unseen_in_training_is_a_warning_that_names_the_sentence(path, tmp_path, caplog):
    vocab = Vocabulary.from_instances(make_reader().read(path))
    other = tmp_path / "other.txt"
    other.write_text(COLUMNS.replace("Rain O", "Rain B-RIVER"))
    Batch(make_reader().read(other)).index_instances(vocab)
    (message,) = caplog.messages
    assert "other.txt:10: found the tag 'U-RIVER'" in message and "B-ORG" in message


def test_a_corpus_without_documents(tmp_path):
    path = tmp_path / "columns.txt"
    path.write_text(COLUMNS.replace("-DOCSTART- O\n", "\n"))
    with pytest.raises(ConfigurationError, match=r"columns\.txt: found 4 sentences and no document, expected"):
        list(make_reader().read(path))
