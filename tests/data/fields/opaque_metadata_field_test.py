import pickle

from allennlp.data import Batch, Instance
from allennlp.nn.util import move_to_device

from nerzoo.data.fields.words_field import OpaqueMetadataField


def test_a_batch_holds_what_can_be_read_like_the_dictionary():
    batch = Batch([Instance({"metadata": OpaqueMetadataField({"words": words})}) for words in (["a"], ["b", "c"])])
    first, second = move_to_device(batch.as_tensor_dict(), -1)["metadata"]
    assert (first["words"], second["words"]) == (["a"], ["b", "c"])
    assert "gold_tags" not in first
    assert first.get("gold_tags") is None
    assert dict(second) == {"words": ["b", "c"]}


def test_devices_do_not_look_into_it():
    class Words(list):
        def __iter__(self):
            raise AssertionError("looked at the words")

    words = Words(["a"])
    move_to_device([OpaqueMetadataField({"words": words}).as_tensor({})], -1)


def test_can_be_pickled():
    field = pickle.loads(pickle.dumps(OpaqueMetadataField({"words": ["a"]})))
    assert field["words"] == ["a"]
