"""Tokenizers of transformers, made as the release that is there makes them."""

from typing import Any, Optional

import transformers
from allennlp.common import cached_transformers
from packaging.version import Version

if Version(transformers.__version__) >= Version("4.44"):
    # data/tokenizers/pretrained_transformer_tokenizer.py, __init__: hands add_special_tokens to AutoTokenizer, which no
    # longer takes it with tokenizers 0.20, the first for Python 3.13. AllenNLP says it again with each text it encodes.
    _get_tokenizer = cached_transformers.get_tokenizer

    def _get_tokenizer_of_this_release(
        model_name: str, add_special_tokens: Optional[bool] = None, **kwargs: Any
    ) -> transformers.PreTrainedTokenizer:
        return _get_tokenizer(model_name, **kwargs)

    cached_transformers.get_tokenizer = _get_tokenizer_of_this_release
