import json
from collections import Counter

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.dataset_readers.dataset_reader import WorkerInfo

from nerzoo.allennlp_private import token_counts
from nerzoo.data.dataset_readers.tagging import TaggedSegmentsReader
from nerzoo.data.fields import vocabulary_coding_scheme
from nerzoo.text.annotation import Sentence

WORDS = ["fly", "from", "new", "pell", "to", "port", "ansel"]
ENTITIES = [{"start": 2, "end": 4, "label": "origin"}, {"start": 5, "end": 7, "label": "destination"}]
TAGS = ["O", "O", "B-origin", "I-origin", "O", "B-destination", "I-destination"]
POS = ["VB", "IN", "NNP", "NNP", "IN", "NNP", "NNP"]


def make_reader(length, corpus="jsonl", **params):
    params = {"type": "tagged_segments", "length": length, "corpus": corpus, "coding_scheme": "BIO", **params}
    return DatasetReader.from_params(Params(params))


def write(tmp_path, *sentences):
    path = tmp_path / "file.jsonl"
    path.write_text("".join(json.dumps(sentence) + "\n" for sentence in sentences))
    return path


@pytest.fixture
def path(tmp_path):
    first = {"words": WORDS, "entities": ENTITIES, "pos": POS, "doc_id": "d", "space_after": [True] * 6 + [False]}
    return write(tmp_path, first, {"words": ["yes"], "entities": [], "pos": ["UH"], "doc_id": "d"})


def texts(reader, path):
    return [instance["metadata"]["text"] for instance in reader.read(path)]


def test_is_registered():
    assert DatasetReader.by_name("tagged_segments") is TaggedSegmentsReader


@pytest.mark.parametrize(
    "length, stride, starts",
    [(4, 1, [0, 1, 2, 3]), (4, 2, [0, 2, 3]), (4, 3, [0, 3]), (4, 4, [0, 3]), (3, 2, [0, 2, 4]), (1, 1, range(7))],
)
def test_segments(path, length, stride, starts):
    *segments, yes = make_reader(length, stride=stride).read(path)
    assert [segment["metadata"]["words"] for segment in segments] == [WORDS[start : start + length] for start in starts]
    assert [segment["tags"].labels for segment in segments] == [TAGS[start : start + length] for start in starts]
    assert [token.text for token in yes["tokens"]] == ["yes"]
    assert yes["tags"].labels == ["O"]


@pytest.mark.parametrize("length, stride, starts", [(4, 1, range(7)), (4, 3, [0, 3, 6]), (7, 2, [0, 2, 4, 6])])
def test_a_segment_from_every_token(path, length, stride, starts):
    *segments, yes = make_reader(length, stride=stride, start="every_token").read(path)
    assert [segment["metadata"]["words"] for segment in segments] == [WORDS[start : start + length] for start in starts]
    assert [segment["tags"].labels for segment in segments] == [TAGS[start : start + length] for start in starts]
    instances = [*segments, yes]
    for instance in instances:
        make_reader(length).apply_token_indexers(instance)
    assert {*token_counts(Vocabulary.from_instances(instances), "tokens").values()} == {1}


@pytest.mark.parametrize("length", range(1, 8))
def test_no_word_is_lost(path, length):
    for stride in range(1, length + 1):
        words = [word for instance in make_reader(length, stride=stride).read(path) for word in instance["tokens"]]
        assert {token.text for token in words} == {*WORDS, "yes"}


def test_all_that_a_segment_knows_of_its_words(path):
    _, _, segment, *_ = make_reader(4).read(path)
    assert set(segment.fields) == {"tokens", "tags", "metadata"}
    assert [token.tag_ for token in segment["tokens"]] == POS[2:6]
    assert segment["metadata"].metadata == {
        "document_id": "d",
        "words": ["new", "pell", "to", "port"],
        "text": "new pell to port",
        "offsets": [0, 4, 9, 12],
        "pos": POS[2:6],
        "gold_tags": ["B-origin", "I-origin", "O", "B-destination"],
    }


def test_segments_have_no_trees(tmp_path):
    path = write(tmp_path, {"words": ["a", "b"], "entities": [], "heads": [2, 0], "dep_labels": ["det", "root"]})
    first, second = make_reader(1).read(path)
    assert "heads" not in first.fields
    assert [token.dep_ for token in second["tokens"]] == ["root"]


def test_segments_keep_their_marginals(tmp_path):
    marginals = [{"O": 0.5}, {"O": 0.25}]
    path = write(tmp_path, {"words": ["a", "b"], "entities": [], "loss_weight": 2, "marginals": marginals})
    assert [segment["marginals"].marginals for segment in make_reader(1).read(path)] == [[word] for word in marginals]


def test_parts_of_speech(path):
    first, *_ = make_reader(3, tags_from="pos").read(path)
    assert first["tags"].labels == first["metadata"]["gold_tags"] == POS[:3]


def test_segments_have_the_coding_scheme_of_their_sentences(path):
    for params, expected in (({}, "BIO"), ({"tags_from": "pos"}, None)):
        assert vocabulary_coding_scheme(Vocabulary.from_instances(make_reader(3, **params).read(path))) == expected


@pytest.mark.parametrize("stride", [1, 2, 4])
def test_the_vocabulary_counts_the_words_of_sentences(path, stride):
    vocab = Vocabulary.from_instances(make_reader(4, stride=stride).read(path))
    assert token_counts(vocab, "tokens") == Counter([*WORDS, "yes"])
    assert vocab.get_token_to_index_vocabulary("labels").keys() == set(TAGS)


def test_words_that_are_not_to_be_counted(path):
    vocab = Vocabulary.from_instances(make_reader(4, count_words=False).read(path))
    assert not token_counts(vocab, "tokens")
    assert vocab.get_token_to_index_vocabulary("labels").keys() == set(TAGS)


def test_a_sentence_to_predict_is_whole():
    instance = make_reader(2).text_to_instance(Sentence(WORDS), tagged=False)
    assert len(instance["tokens"]) == 7


def test_the_shards_of_workers_hold_every_segment_once(path):
    shards = []
    for worker in range(2):
        reader = make_reader(4)
        reader._set_worker_info(WorkerInfo(num_workers=2, id=worker))
        shards.append(texts(reader, path))
    assert [len(shard) for shard in shards] == [3, 2]
    assert sorted(shards[0] + shards[1]) == sorted(texts(make_reader(4), path))


@pytest.mark.parametrize(
    "params, message",
    [
        ({"length": 0}, "segments of length 0, expected at least 1"),
        ({"length": 4, "stride": 0}, "a stride of 0, expected 1 to 4, the length of segments: no word may be lost"),
        ({"length": 4, "stride": 5}, "a stride of 5, expected 1 to 4"),
    ],
)
def test_wrong_sizes(params, message):
    with pytest.raises(ConfigurationError, match=message):
        make_reader(**params)


def test_segments_that_are_longer_than_all_sentences(path):
    assert texts(make_reader(7), path) == [" ".join(WORDS), "yes"]
    with pytest.raises(ConfigurationError, match="found no sentence of more than 7 words.*segments of fewer than 8"):
        texts(make_reader(8), path)
