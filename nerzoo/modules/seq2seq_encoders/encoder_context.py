from typing import Dict, Mapping

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import Seq2SeqEncoder

_MISSING = {
    "heads": "reads dependency trees, but the sentences have none: expected heads in the corpus or the input or, for "
    "raw text, a spaCy pipeline that parses as dataset_reader.parser",
}


def encoder_context(encoder: Seq2SeqEncoder, fields: Mapping[str, torch.Tensor]) -> Dict[str, torch.Tensor]:
    """
    Picks the tensors that `forward` and `attention` of an encoder read beside inputs and mask. An encoder names them in
    its attribute `context: Tuple[str, ...]`; one without it, as AllenNLP's, reads none.

    # Parameters

    encoder : `Seq2SeqEncoder`
    fields : `Mapping[str, torch.Tensor]`
        The fields of a batch, by name.

    # Returns

    `Dict[str, torch.Tensor]`
        Keyword arguments.

    # Raises

    `ConfigurationError` where the batch does not have one of them.
    """
    context: Dict[str, torch.Tensor] = {}
    for name in getattr(encoder, "context", ()):
        if name not in fields:
            raise ConfigurationError(
                f"{type(encoder).__name__} "
                + _MISSING.get(name, f"reads {name}, but the instances have none: expected a reader that gives them")
            )
        context[name] = fields[name]
    return context
