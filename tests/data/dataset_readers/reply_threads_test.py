from dataclasses import replace

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Batch, DatasetReader, Vocabulary
from allennlp.data.tokenizers import WhitespaceTokenizer
from helpers.paths import FIXTURES
from torch.testing import assert_close

from nerzoo.data.dataset_readers.reply_threads import ReplyThreadsReader
from nerzoo.data.fields import NO_SLOT
from nerzoo.formats.molweni import MolweniThreads
from nerzoo.formats.threads import Link, Post, Thread

THREADS = FIXTURES / "threads"
THREAD = Thread(
    "t",
    [
        Post("a", "ann", "Is it 42?! See https://x.org/?q=1!", "Why?", [Link(None, "question")]),
        Post("b", "bob", "Yes!", links=[Link("a", "answer")]),
        Post("c", "ann", "www.y.org, ftp://z.org", links=[Link(None, "other"), Link("b", "thanks"), Link("a", "add")]),
    ],
)


@pytest.fixture
def reader() -> ReplyThreadsReader:
    return DatasetReader.from_params(Params({"type": "reply_threads"}))


def tensors(reader, *threads):
    instances = [reader.text_to_instance(thread) for thread in threads]
    for instance in instances:
        reader.apply_token_indexers(instance)
    batch = Batch(instances)
    batch.index_instances(Vocabulary.from_instances(instances))
    return batch.as_tensor_dict()


def test_fields_of_a_thread(reader):
    instance = reader.text_to_instance(THREAD)
    assert [str(token) for token in instance["texts"][0]][:5] == ["Is", "it", "42", "?", "!"]
    assert [[str(token) for token in title] for title in instance["titles"]] == [["Why", "?"], [], []]
    assert_close(instance["structure"].tensor, torch.tensor([[1, 1 / 3], [0, 2 / 3], [1, 1]]))
    assert_close(instance["punctuation"].tensor, torch.tensor([[2.0, 1, 1], [0, 1, 0], [0, 0, 2]]))
    assert instance["links"].links == [[(0, "question")], [(1, "answer")], [(2, "thanks"), (1, "add"), (0, "other")]]
    assert instance["metadata"].metadata == {
        "document_id": "t",
        "thread_id": "t",
        "post_ids": ["a", "b", "c"],
        "num_context": 0,
        "gold_links": [[(None, "question")], [("a", "answer")], [("b", "thanks"), ("a", "add"), (None, "other")]],
    }


def test_words_may_not_count():
    reader = ReplyThreadsReader(count_words=False)
    instance = reader.text_to_instance(THREAD)
    reader.apply_token_indexers(instance)
    vocab = Vocabulary.from_instances([instance])
    assert vocab.get_vocab_size("tokens") == 2  # padding and the unknown word
    assert set(vocab.get_token_to_index_vocabulary("labels")) == {"question", "answer", "thanks", "add", "other"}
    words = tensors(reader, THREAD)["texts"]["tokens"]["tokens"]
    assert set(words.unique().tolist()) == {0, 1}


@pytest.mark.parametrize("title", ["", "Why?"])
def test_a_thread_of_one_post_in_a_batch(reader, title):
    alone = Thread("u", [Post("a", "ann", "Hello there", title, [Link(None, "question")])])
    for threads in ([alone], [alone, THREAD]):
        batch = tensors(reader, *threads)
        length = len(threads[-1].posts)
        assert batch["titles"]["tokens"]["tokens"].shape[:2] == (len(threads), length)
        assert batch["titles"]["tokens"]["tokens"].bool().sum(2)[0].tolist() == [2 * bool(title)] + [0] * (length - 1)
        assert batch["texts"]["tokens"]["tokens"].bool().sum(2)[0].tolist() == [2] + [0] * (length - 1)
        assert batch["structure"][0].tolist() == [[1, 1]] + [[0, 0]] * (length - 1)


def test_the_document_of_a_thread_is_its_group(reader):
    metadata = reader.text_to_instance(replace(THREAD, group="g"))["metadata"].metadata
    assert (metadata["document_id"], metadata["thread_id"]) == ("g", "t")


def test_a_thread_without_links_has_no_such_field(reader):
    thread = Thread("t", [Post("a", "ann", "Hello")])
    assert "links" not in reader.text_to_instance(thread).fields


def test_other_tokenizer_and_format():
    reader = ReplyThreadsReader(MolweniThreads(), WhitespaceTokenizer())
    assert isinstance(reader.corpus, MolweniThreads)
    assert [str(token) for token in reader.text_to_instance(THREAD)["texts"][1]] == ["Yes!"]


def test_a_post_without_a_word_is_kept(reader):
    instance = reader.text_to_instance(Thread("t", [Post("a", "ann", " "), Post("b", "bob", "So")]))
    assert [len(words) for words in instance["texts"]] == [0, 1]


def test_a_context_has_no_links_and_later_posts_may_link_to_what_was_before_it(reader):
    links = [Link("lost", "answer"), Link("a", "answer"), Link(None, "question")]
    thread = Thread("t", [Post("a", "ann", "Why?", is_context=True), Post("b", "bob", "So.", links=links)])
    instance = reader.text_to_instance(thread)
    assert instance["is_context"].tensor.tolist() == [1, 0]
    assert instance["links"].links == [[], [(1, "answer"), (0, "question"), (NO_SLOT, "answer")]]
    assert instance["metadata"]["gold_links"] == [[], [("a", "answer"), (None, "question"), ("lost", "answer")]]


def test_reads_the_fixture(reader):
    instances = list(reader.read(THREADS / "dev.jsonl"))
    assert [instance["metadata"].metadata["document_id"] for instance in instances] == [
        f"dev-{number}" for number in range(1, 7)
    ]
    assert all(len(instance["links"]) == len(instance["texts"]) for instance in instances)
