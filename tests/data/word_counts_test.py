from allennlp.data import Vocabulary

from nerzoo.data.dataset_readers.text_lines import TextLinesReader
from nerzoo.data.vocabulary import word_counts


def vocabulary(*lines, **params):
    reader = TextLinesReader()
    instances = [reader.text_to_instance(line.split()) for line in lines]
    for instance in instances:
        reader.apply_token_indexers(instance)
    return Vocabulary.from_instances(instances, oov_token="<unk>", **params)


def counts_by_word(vocab):
    counts = word_counts(vocab, "tokens").tolist()
    return {vocab.get_token_from_index(index): count for index, count in enumerate(counts)}


def test_words_and_ends_are_counted():
    expected = {"@@PADDING@@": 0, "<unk>": 1, "a": 3, "b": 1, "</s>": 2}
    assert counts_by_word(vocabulary("a b a", "<unk> a")) == expected


def test_words_outside_the_vocabulary_count_for_the_unknown_one():
    vocab = vocabulary("a a a b b c <unk>", "d", max_vocab_size={"tokens": 3})
    # Of c, d and <unk>.
    assert counts_by_word(vocab) == {"@@PADDING@@": 0, "<unk>": 3, "a": 3, "b": 2, "</s>": 2}


def test_words_that_are_added_have_none():
    assert counts_by_word(vocabulary("a", tokens_to_add={"tokens": ["z"]}))["z"] == 0


def test_a_vocabulary_from_files_has_none(tmp_path):
    vocab = vocabulary("a b a")
    vocab.save_to_files(tmp_path)
    counts = word_counts(Vocabulary.from_files(tmp_path, oov_token="<unk>"), "tokens")
    assert counts.tolist() == [0] * vocab.get_vocab_size()
