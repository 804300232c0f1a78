import pytest
import transformers
from allennlp.common import cached_transformers
from allennlp.data.tokenizers import PretrainedTransformerTokenizer
from helpers.tiny_pretrained import write_transformer
from packaging.version import Version

import nerzoo.compatibility  # noqa: F401


def test_a_transformer_tokenizer_is_built_and_encodes(tmp_path):
    write_transformer(tmp_path)
    tokenizer = PretrainedTransformerTokenizer(str(tmp_path))
    assert [token.text for token in tokenizer.tokenize("ab")] == ["[CLS]", "a", "##b", "[SEP]"]


@pytest.mark.skipif(Version(transformers.__version__) < Version("4.44"), reason="the shim is for later transformers")
def test_the_tokenizer_shim_leaves_out_add_special_tokens(tmp_path):
    write_transformer(tmp_path)
    tokenizers = [cached_transformers.get_tokenizer(str(tmp_path), add_special_tokens=add) for add in (True, False)]
    assert tokenizers[0] is tokenizers[1]


@pytest.mark.skipif(Version(transformers.__version__) >= Version("4.44"), reason="later transformers need the shim")
def test_there_is_no_tokenizer_shim_where_none_is_needed():
    assert cached_transformers.get_tokenizer.__module__ == "allennlp.common.cached_transformers"
