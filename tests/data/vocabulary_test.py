import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary

from nerzoo.data.vocabulary import WholeVocabulary


def test_it_is_the_one_that_allennlp_makes_and_writes_in_the_place_of_another(tmp_path):
    for word in ("a", "b"):
        vocab = Vocabulary.from_params(Params({"type": "from_instances"}), instances=[])
        assert isinstance(vocab, WholeVocabulary)
        vocab.add_token_to_namespace(word)
        vocab.save_to_files(str(tmp_path / "vocabulary"))
        params = Params({"type": "from_files", "directory": str(tmp_path / "vocabulary")})
        assert Vocabulary.from_params(params).get_token_index(word) == 2


@pytest.mark.parametrize("size", [0, -1, {"tokens": 0}])
def test_no_words_at_all_are_refused(size):
    params = {"type": "from_instances", "max_vocab_size": size}
    with pytest.raises(ConfigurationError, match=f"found max_vocab_size = {size}, expected at least 1, or null"):
        Vocabulary.from_params(Params(params), instances=[])
