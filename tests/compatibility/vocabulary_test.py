from allennlp.data import Vocabulary

from nerzoo.compatibility.vocabulary import padding_token, token_counts, unknown_index, unknown_token


def test_special_tokens_of_a_vocabulary():
    vocab = Vocabulary(counter={"tokens": {"a": 2}}, padding_token="<pad>", oov_token="<unk>")
    assert padding_token(vocab) == "<pad>"
    assert unknown_token(vocab) == "<unk>"
    assert unknown_index(vocab, "tokens") == vocab.get_token_index("no such word", "tokens") == 1


def test_counts_of_tokens(tmp_path):
    vocab = Vocabulary(counter={"tokens": {"a": 2, "b": 1}}, min_count={"tokens": 2})
    assert token_counts(vocab, "tokens") == {"a": 2, "b": 1}
    assert token_counts(vocab, "labels") == {}
    vocab.save_to_files(str(tmp_path))
    assert token_counts(Vocabulary.from_files(str(tmp_path)), "tokens") == {}
