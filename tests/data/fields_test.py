import pickle
from collections import Counter, defaultdict

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, Token, Vocabulary
from allennlp.data.fields import TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.nn.util import move_to_device
from helpers.vocabularies import vocabulary_of_tags
from torch.testing import assert_close

from nerzoo.data.fields import (
    EntityField,
    LevelsField,
    LinkField,
    OpaqueMetadataField,
    SpanField,
    TagField,
    WordsField,
    vocabulary_coding_scheme,
)
from nerzoo.modules.seq2seq_encoders.tree_lstm import ChildSumTreeLstm
from nerzoo.text.annotation import Entity
from nerzoo.text.span_levels import ScoredEntity


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


SENTENCES = [["Mara", "met", "Quill"], ["met"]]


def test_words_before_the_first_counted_one_are_not_counted():
    tokens = [Token(word) for word in SENTENCES[0]]
    for first_counted in range(4):
        counter = defaultdict(Counter)
        WordsField(tokens, {"tokens": SingleIdTokenIndexer()}, first_counted).count_vocab_items(counter)
        assert counter["tokens"] == Counter(SENTENCES[0][first_counted:])


class DoublingIndexer(SingleIdTokenIndexer):
    def batch_tensors(self, tensors):
        return {"doubled": 2 * tensors["tokens"]}


def make_batch(field):
    indexers = {"plain": SingleIdTokenIndexer(), "own": DoublingIndexer()}
    batch = Batch([Instance({"tokens": field([Token(word) for word in words], indexers)}) for words in SENTENCES])
    batch.index_instances(Vocabulary.from_instances(batch.instances))
    return batch.as_tensor_dict()["tokens"]


def test_an_indexer_can_have_the_whole_batch():
    plain, own = make_batch(TextField), make_batch(WordsField)
    assert own.keys() == plain.keys()
    assert torch.equal(own["plain"]["tokens"], plain["plain"]["tokens"])
    assert own["own"].keys() == {"doubled"}
    assert torch.equal(own["own"]["doubled"], 2 * plain["own"]["tokens"])


TOKENS = TextField([Token("Mara"), Token("lived")])
WHERE = ["file:3", "file:4"]


@pytest.fixture
def vocab():
    return Vocabulary(tokens_to_add={"labels": ["O", "U-person"], "other": ["A"]})


def test_known_tags_are_indexed_in_their_namespace(vocab):
    field = pickle.loads(pickle.dumps(TagField(["U-person", "O"], TOKENS, WHERE)))
    field.index(vocab)
    assert field.as_tensor(field.get_padding_lengths()).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("tag", "scheme", "index"), [("B-sea", "BIO", 2), ("I-sea", "BIO", 3), ("S-sea", "BIOES", 2), ("I-lake", None, 2)]
)
def test_gives_an_unseen_tag_its_own_index_and_warns_once(tag, scheme, index, vocab, caplog):
    vocab.add_token_to_namespace(scheme or "BIO", "coding_scheme_labels")
    for _ in range(2):
        field = TagField(["O", tag], TOKENS, WHERE, scheme)
        field.index(vocab)
        assert field.as_tensor(field.get_padding_lengths()).tolist() == [0, index]
    expected = f"file:4: found the tag '{tag}', which the model was not trained on, expected one of O, U-person; all"
    assert [message[: len(expected)] for message in caplog.messages] == [expected]


def test_tags_are_as_many_as_words():
    with pytest.raises(ConfigurationError):
        TagField(["O"], TOKENS, WHERE)


def counted(*schemes, **parameters):
    """A vocabulary of sentences in these coding schemes."""
    fields = [TagField(["O", "U-person"], TOKENS, WHERE, scheme) for scheme in schemes]
    return Vocabulary.from_instances([Instance({"tags": field}) for field in fields], **parameters)


def test_the_coding_scheme_is_in_the_vocabulary(tmp_path):
    counted("BIO", "BIO", None).save_to_files(tmp_path / "vocabulary")
    assert vocabulary_coding_scheme(Vocabulary.from_files(tmp_path / "vocabulary")) == "BIO"
    assert vocabulary_coding_scheme(counted(None)) is None
    # A vocabulary whose namespaces all have padding and an unknown word.
    assert vocabulary_coding_scheme(counted("BIOUL", non_padded_namespaces=())) == "BIOUL"


@pytest.mark.parametrize("scheme, prefixes", [("BIO", "BI"), ("BIOUL", "BILU"), (None, "U")])
def test_all_tags_of_the_types_that_occur_are_in_the_vocabulary(scheme, prefixes):
    tags = ["U-person", "O"] if scheme != "BIO" else ["B-person", "O"]
    vocab = Vocabulary.from_instances([Instance({"tags": TagField(tags, TOKENS, WHERE, scheme)})])
    known = set(vocab.get_token_to_index_vocabulary("labels"))
    assert known == {"O", *(f"{prefix}-person" for prefix in prefixes)}


def test_two_coding_schemes_are_an_error_that_names_both():
    with pytest.raises(ConfigurationError, match="found tags in the coding schemes BIO and BIOUL, expected one: dat"):
        vocabulary_coding_scheme(counted("BIO", "BIOUL", "BIO"))


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ("BIOUL", "that the model was trained on: BIOUL"),
        (None, "themselves; tags_from: 'pos' reads such"),
    ],
)
def test_another_coding_scheme_than_that_of_the_vocabulary_is_an_error(known, message):
    vocab = vocabulary_of_tags(["O", "B-person"], known)
    with pytest.raises(ConfigurationError, match=f"^file:3: found tags in the coding scheme BIO, expected .*{message}"):
        TagField(["O", "B-person"], TOKENS, WHERE, "BIO").index(vocab)
    # A sentence's own tags say nothing of a scheme.
    TagField(["O", "B-person"], TOKENS, WHERE).index(vocab)


def test_concatenation(caplog):
    first, second = (TextField([token]) for token in TOKENS)
    parts = [TagField(["O"], first, ["file:3"]), TagField(["B-person"], second, ["file:9"], "BIO")]
    whole = TagField.concatenate(parts, TOKENS)
    assert whole.labels == ["O", "B-person"]
    assert vocabulary_coding_scheme(Vocabulary.from_instances([Instance({"tags": whole})])) == "BIO"
    whole.index(vocabulary_of_tags(["O"], "BIO"))
    assert caplog.messages[0].startswith("file:9: found the tag 'B-person'")


VOCAB = Vocabulary(tokens_to_add={"labels": ["PER", "LOC"], "other": ["LOC"]})


def tensors(*fields, vocab=VOCAB):
    batch = Batch([Instance({"spans": pickle.loads(pickle.dumps(field))}) for field in fields])
    batch.index_instances(vocab)
    return batch.as_tensor_dict()["spans"]


def test_grid_of_labels_in_a_padded_batch():
    nested = SpanField([Entity(0, 3, "LOC"), Entity(1, 3, "PER"), Entity(2, 3, "LOC")], 5, max_length=3)
    spans = tensors(nested, SpanField([Entity(0, 1, "PER")], 1, max_length=3))
    none = [0, 0, 0]
    assert_close(
        spans["labels"],
        torch.tensor([[[0, 0, 2], [0, 1, 0], [2, 0, 0], none, none], [[1, 0, 0], none, none, none, none]]),
    )
    assert_close(spans["inside"], torch.tensor([[True] * 3 + [False] * 2, [True] + [False] * 4]))
    assert len(nested) == 5


def test_an_entity_longer_than_spans_has_no_label_but_its_tokens_are_inside():
    spans = tensors(SpanField([Entity(1, 5, "PER"), Entity(2, 3, "LOC")], 6, max_length=3))
    assert spans["labels"].nonzero().tolist() == [[0, 2, 0]]
    assert spans["inside"].tolist() == [[False, True, True, True, True, False]]


def test_without_entities_everything_is_none():
    spans = tensors(SpanField([], 2, max_length=7), vocab=Vocabulary())
    assert_close(spans["labels"], torch.zeros(1, 2, 7, dtype=torch.long))
    assert not spans["inside"].any()


def test_the_first_of_two_types_of_a_span_is_the_label_and_both_are_counted():
    field = SpanField([Entity(0, 2, "LOC"), Entity(0, 2, "PER")], 2, max_length=2, label_namespace="types")
    counter = defaultdict(lambda: defaultdict(int))
    field.count_vocab_items(counter)
    assert counter == {"types": {"LOC": 1, "PER": 1}}
    vocab = Vocabulary(counter, non_padded_namespaces=["types"])
    assert tensors(field, vocab=vocab)["labels"][0, 0, 1] == 1 + vocab.get_token_index("LOC", "types")


@pytest.mark.parametrize("unknown", [Entity(1, 2, "sea"), Entity(0, 9, "lake")])
def test_an_unseen_type_has_no_label_and_a_warning(unknown, caplog):
    field = SpanField([Entity(0, 1, "PER"), unknown], 9, max_length=3, location="file:3")
    assert tensors(field)["labels"].nonzero().tolist() == [[0, 0, 0]]
    (message,) = caplog.messages
    assert message.startswith(f"file:3: found an entity of type '{unknown.label}', which")
    assert "expected one of PER, LOC" in message


@pytest.mark.parametrize("entity", [Entity(0, 3, "PER"), Entity(1, 1, "PER"), Entity(-1, 1, "PER")])
def test_an_entity_that_does_not_fit_is_an_error(entity):
    with pytest.raises(ValueError, match="does not fit into 2 tokens"):
        SpanField([entity], 2, max_length=3)


ENTITY_VOCAB = Vocabulary(tokens_to_add={"labels": ["PER", "LOC"], "other": ["LOC"]})


def entity_tensors(*fields, vocab=ENTITY_VOCAB):
    batch = Batch([Instance({"first_pass": pickle.loads(pickle.dumps(field))}) for field in fields])
    batch.index_instances(vocab)
    return batch.as_tensor_dict()["first_pass"].tolist()


def test_types_stand_at_the_first_token_of_each_entity_in_a_padded_batch():
    several = EntityField([Entity(0, 1, "LOC"), Entity(1, 4, "PER"), Entity(5, 6, "PER")], 6)
    assert entity_tensors(several, EntityField([Entity(0, 2, "LOC")], 2)) == [[2, 1, -1, -1, 0, 1], [2, -1, 0, 0, 0, 0]]
    assert len(several) == 6


def test_the_outermost_of_nested_entities_stand():
    scored = [ScoredEntity(1, 4, "PER", 0.5), ScoredEntity(1, 2, "LOC", 0.75), ScoredEntity(3, 4, "LOC", 1.0)]
    assert entity_tensors(EntityField(scored, 4)) == [[0, 1, -1, -1]]


def test_without_entities_everything_is_outside():
    assert entity_tensors(EntityField([], 3), vocab=Vocabulary()) == [[0, 0, 0]]


def test_another_namespace_of_types_and_none_is_counted():
    field = EntityField([Entity(0, 1, "LOC")], 1, label_namespace="other")
    assert entity_tensors(field) == [[1 + ENTITY_VOCAB.get_token_index("LOC", "other")]]
    counter = defaultdict(lambda: defaultdict(int))
    field.count_vocab_items(counter)
    assert not counter


def test_an_unknown_type_is_an_error_that_names_the_place_the_type_and_the_known_ones():
    field = EntityField([Entity(0, 1, "ORG")], 1, location="file:3")
    with pytest.raises(ConfigurationError, match="^file:3: found an entity of type 'ORG'.*one of PER, LOC"):
        field.index(ENTITY_VOCAB)


@pytest.mark.parametrize("entity", [Entity(0, 3, "PER"), Entity(1, 1, "PER"), Entity(-1, 1, "PER")])
def test_an_outermost_entity_that_does_not_fit_is_an_error(entity):
    with pytest.raises(ValueError, match="does not fit into 2 tokens"):
        EntityField([entity], 2)


LINK_VOCAB = Vocabulary({"labels": {"answer": 3, "question": 2, "thanks": 1}})
FIRST = LinkField([[(0, "question")], [(1, "answer"), (0, "question")], [(2, "thanks")]], ["p1", "p2", "p3"])
SECOND = LinkField([[(0, "thanks")]], ["p1"])


def test_tensors_of_a_batch():
    batch = Batch([Instance({"links": FIRST}), Instance({"links": SECOND})])
    batch.index_instances(LINK_VOCAB)
    links = batch.as_tensor_dict()["links"]
    none = [-1, -1]
    assert_close(links["slots"], torch.tensor([[[0, -1], [1, 0], [2, -1]], [[0, -1], none, none]]))
    assert_close(links["acts"], torch.tensor([[[1, -1], [0, 1], [2, -1]], [[2, -1], none, none]]))
    assert len(FIRST) == 3


def test_every_act_counts():
    counter = defaultdict(lambda: defaultdict(int))
    LinkField([[(0, "a")], [(1, "b"), (0, "a")]], ["p1", "p2"], "acts").count_vocab_items(counter)
    assert counter == {"acts": {"a": 2, "b": 1}}


def test_an_unknown_act_has_an_index_of_its_own_and_a_warning(caplog):
    field = LinkField([[(0, "question")], [(0, "shout")]], ["file:1: post p1", "file:1: post p2"])
    message = (
        "file:1: post p2: found the dialogue act 'shout', which the model was not trained on, "
        "expected one of answer, question, thanks; all of it counts as missed"
    )
    field.index(LINK_VOCAB)
    assert field.as_tensor(field.get_padding_lengths())["acts"].tolist() == [[1], [3]]
    assert caplog.messages == [message]


TREES = [[2, 5, 2, 3, 0, 7, 5], [0], [0, 1, 0, 3, 3, 0, 8, 6]]


def batch(trees):
    batch = Batch([Instance({"levels": LevelsField(tree)}) for tree in trees])
    batch.index_instances(Vocabulary())
    return batch.as_tensor_dict()["levels"]


def test_the_words_of_a_batch_from_the_deepest_up():
    # 1 > 2 > 3 in the first sentence, 1 alone in the second one.
    levels = batch([[0, 1, 2], [0]])
    assert levels.sizes == [1, 1, 2]
    assert levels.order.tolist() == [2, 1, 0, 3]
    assert levels.parent.tolist() == [1, 2, 2, 3]
    assert levels.parent_in_level.tolist()[:2] == [0, 0]
    moved = move_to_device(levels, torch.device("cpu"))
    assert type(moved) is type(levels) and moved.sizes == levels.sizes


def test_an_encoder_needs_no_other_levels():
    torch.manual_seed(1)
    heads = torch.full((3, 8), -1)
    for row, tree in enumerate(TREES):
        heads[row, : len(tree)] = torch.tensor(tree)
    encoder, inputs = ChildSumTreeLstm(4, 3), torch.randn(3, 8, 4)
    found = encoder(inputs, heads >= 0, heads, batch(TREES))
    assert_close(found, encoder(inputs, heads >= 0, heads))
    assert not torch.equal(found, encoder(inputs, heads >= 0, heads, batch([TREES[0], [0], [0] * 8])))


def test_what_is_no_tree():
    assert len(LevelsField([2, 0])) == 2
    with pytest.raises(ValueError, match="outside its sentence"):
        LevelsField([0, 3])
    with pytest.raises(ValueError, match="cycle"):
        batch([[2, 1], [0]])
