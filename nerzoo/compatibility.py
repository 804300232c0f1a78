"""
What AllenNLP 2.10.1 lacks to run on current releases of the libraries below it, put in place by importing this module;
each part names the line of AllenNLP that forces it.
"""

import warnings
from typing import Optional

import numpy
import torch
import transformers
from allennlp.common import cached_transformers
from packaging.version import Version

# training/checkpointer.py, load_checkpoint: torch.load has refused everything but tensors and plain values since torch
# 2.6, while learning_rate_schedulers/cosine.py, get_values, puts numpy scalars into the state. Without this, --recover
# fails with the `cosine` scheduler.
torch.serialization.add_safe_globals([numpy._core.multiarray.scalar, numpy.dtype, numpy.dtypes.Float64DType])

# training/gradient_descent_trainer.py, batch_outputs and _train_epoch, enter torch.cuda.amp.autocast by its old name.
warnings.filterwarnings("ignore", category=FutureWarning, module="allennlp.training.gradient_descent_trainer")

if Version(transformers.__version__) >= Version("4.44"):
    # data/tokenizers/pretrained_transformer_tokenizer.py, __init__: hands add_special_tokens to AutoTokenizer, which no
    # longer takes it with tokenizers 0.20, the first for Python 3.13. AllenNLP says it again with each text it encodes.
    _get_tokenizer = cached_transformers.get_tokenizer

    def _get_tokenizer_of_this_release(
        model_name: str, add_special_tokens: Optional[bool] = None, **kwargs
    ) -> transformers.PreTrainedTokenizer:
        return _get_tokenizer(model_name, **kwargs)

    cached_transformers.get_tokenizer = _get_tokenizer_of_this_release
