import gzip
import logging
import pickle

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.data.dataset_readers.dataset_reader import WorkerInfo
from helpers.paths import FIXTURES, REAL_DATA

TEXT = FIXTURES / "text/dev.txt"
WIKITEXT2 = REAL_DATA / "wikitext2/wiki.valid.tokens.gz"


def make_reader(**params):
    return DatasetReader.from_params(Params({"type": "text_lines", **params}))


@pytest.fixture
def write(tmp_path):
    def write(text):
        path = tmp_path / "text.txt"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def texts(reader, path):
    return [" ".join(instance["metadata"]["words"]) for instance in reader.read(path)]


def test_a_line_is_an_instance_whose_end_is_predicted(write):
    instance, other = make_reader().read(write("the  cat\tsat \n\nI"))
    assert set(instance.fields) == {"tokens", "metadata"}
    assert [token.text for token in instance["tokens"]] == ["the", "cat", "sat", "</s>"]
    assert instance["metadata"]["words"] == ["the", "cat", "sat", "</s>"]
    assert other["metadata"]["words"] == ["I", "</s>"]


def test_sentences_of_a_program(write):
    reader = make_reader()
    assert reader.text_to_instance(["the", "cat"])["metadata"]["words"] == ["the", "cat", "</s>"]
    assert reader.text_to_instance([])["metadata"]["words"] == ["</s>"]


def test_gzipped_text(tmp_path):
    path = tmp_path / "text.gz"
    path.write_bytes(gzip.compress("Zoë ran\n".encode()))
    assert texts(make_reader(), path) == ["Zoë ran </s>"]


def test_blank_lines_are_counted(write, caplog):
    path = write("\na b\n \t\nc\n\n")
    with caplog.at_level(logging.INFO):
        assert texts(make_reader(), path) == ["a b </s>", "c </s>"]
    assert f"{path}: 3 blank lines, which were left out" in caplog.text


def test_continuous_text_has_blank_lines_and_runs_over_ends(write, caplog):
    path = write("\na b\n\nc\n")
    with caplog.at_level(logging.INFO):
        assert texts(make_reader(segment_length=3), path) == ["</s> a b", "</s> </s> c", "</s>"]
    assert f"{path}: 2 blank lines, which are each an </s>" in caplog.text
    assert texts(make_reader(segment_length=7), path) == ["</s> a b </s> </s> c </s>"]


def test_sentences_end_within_a_line(write):
    path = write('= A title =\n\nHe ran . " Why ? ! " she asked\n. . .\n? Yes .\n')
    reader = make_reader(sentence_ends=[".", "?", "!"])
    expected = ["= A title =", "He ran .", '" Why ? !', '" she asked', ". . .", "?", "Yes ."]
    assert texts(reader, path) == [f"{sentence} </s>" for sentence in expected]
    assert texts(make_reader(sentence_ends=["!"]), path)[1:3] == ['He ran . " Why ? ! </s>', '" she asked </s>']


def test_sentences_of_a_line_have_its_words_in_order(write):
    words = [word for sentence in make_reader(sentence_ends=["."]).read(TEXT) for word in sentence["metadata"]["words"]]
    assert [word for word in words if word != "</s>"] == TEXT.read_text().split()


def test_whole_lines_have_the_same_tokens(write):
    path = write("= A title =\n\nHe ran . Why ? ! Yes\n")
    reader = make_reader(sentence_ends=[".", "?", "!"], whole_lines=True)
    assert texts(reader, path) == ["= A title = </s>", "He ran . </s> Why ? ! </s> Yes </s>"]
    sentences = texts(make_reader(sentence_ends=[".", "?", "!"]), TEXT)
    assert " ".join(texts(reader, TEXT)) == " ".join(sentences)


def test_whole_lines_without_ends_of_sentences_are_an_error():
    with pytest.raises(ConfigurationError, match="found whole_lines without sentence_ends, expected both or neither"):
        make_reader(whole_lines=True)


def test_segments_and_ends_of_sentences_are_an_error():
    with pytest.raises(ConfigurationError, match="found segment_length and sentence_ends, expected one of them"):
        make_reader(segment_length=5, sentence_ends=["."])


@pytest.mark.skipif(not WIKITEXT2.exists(), reason=f"{WIKITEXT2} is absent")
def test_continuous_text_has_as_many_tokens_as_wikitext2_is_said_to_have():
    lengths = [len(instance["tokens"]) for instance in make_reader(segment_length=1000).read(WIKITEXT2)]
    assert sum(lengths) == 217646
    assert lengths == [1000] * 217 + [646]


def test_vocabulary_of_the_most_frequent_words(write):
    path = write("the cat saw the dog\nthe <unk> dog saw <unk>\n" + "<unk>\n" * 3)

    def words(size):
        vocabulary = {"type": "from_instances", "oov_token": "<unk>", "max_vocab_size": {"tokens": size}}
        vocab = Vocabulary.from_params(Params(vocabulary), instances=make_reader().read(path))
        return [vocab.get_token_from_index(index) for index in range(1, vocab.get_vocab_size())]

    # The most frequent ones are </s> and <unk>, five times each.
    assert set(words(4)[:3]) == {"<unk>", "</s>", "the"} and len(words(4)) == 4
    # A larger vocabulary than the text's has all of them.
    assert set(words(100)) == {"<unk>", "</s>", "the", "cat", "saw", "dog"}


def test_shards_of_workers_hold_every_segment_once():
    def shard(worker=None):
        reader = make_reader(segment_length=10)
        reader._set_worker_info(worker)
        return texts(reader, TEXT)

    shards = [shard(WorkerInfo(num_workers=2, id=worker)) for worker in range(2)]
    assert sorted(shards[0] + shards[1]) == sorted(shard())
    assert abs(len(shards[0]) - len(shards[1])) <= 1


def test_worker_processes_give_every_sentence_once():
    reader = make_reader()
    loader = MultiProcessDataLoader(reader, TEXT, batch_size=4, num_workers=2, start_method="fork")
    loader.index_with(Vocabulary.from_instances(reader.read(TEXT)))
    found = [" ".join(metadata["words"]) for batch in loader for metadata in batch["metadata"]]
    assert sorted(found) == sorted(texts(reader, TEXT))


def test_instances_can_be_pickled(write):
    (instance,) = pickle.loads(pickle.dumps(list(make_reader().read(write("a b\n")))))
    assert [token.text for token in instance["tokens"]] == instance["metadata"]["words"] == ["a", "b", "</s>"]


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "text.txt: found no sentence, expected at least one"),
        ("\n \n", "text.txt: found no sentence, expected at least one"),
        ("a\nb " + "x" * 31, "text.txt:2: found a word of 31 characters, 'x{20}'..., expected words of up to 30"),
        ("a\nb </s>\n", "text.txt:2: found the word '</s>', expected a text without it"),
        ("@@PADDING@@\n", "text.txt:1: found the word '@@PADDING@@', expected a text without it"),
        (b"a\n\xff\n", "text.txt:2: found the byte 0xff as byte 1 of the line, expected UTF-8"),
    ],
)
@pytest.mark.parametrize("segment_length", [None, 2])
def test_what_is_wrong_with_a_text(write, text, message, segment_length):
    with pytest.raises(ConfigurationError, match=message):
        list(make_reader(max_word_length=30, segment_length=segment_length).read(write(text)))


@pytest.mark.parametrize("name", ["segment_length", "max_word_length"])
def test_what_is_wrong_with_a_length(name):
    with pytest.raises(ConfigurationError, match=f"found a {name} of 0, expected one at least"):
        make_reader(**{name: 0})
