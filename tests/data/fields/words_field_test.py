from collections import Counter, defaultdict

import torch
from allennlp.data import Batch, Instance, Token, Vocabulary
from allennlp.data.fields import TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer

from nerzoo.data.fields.words_field import WordsField

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
