import numpy
import pytest
import torch
import transformers
from allennlp.common import cached_transformers
from allennlp.data.tokenizers import PretrainedTransformerTokenizer
from allennlp.training.learning_rate_schedulers import CosineWithRestarts
from helpers.tiny_pretrained import write_transformer
from packaging.version import Version

import nerzoo  # noqa: F401


def test_state_with_numpy_scalars_is_loaded_with_the_defaults_of_torch(tmp_path):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
    scheduler = CosineWithRestarts(optimizer, t_initial=10)
    scheduler.step()
    assert isinstance(optimizer.param_groups[0]["lr"], numpy.floating)
    state = {"optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict()}
    torch.save(state, tmp_path / "state.th")
    assert torch.load(tmp_path / "state.th") == state


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
