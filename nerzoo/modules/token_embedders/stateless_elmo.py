from typing import Any

from allennlp.modules import TokenEmbedder
from allennlp.modules.elmo_lstm import ElmoLstm
from allennlp.modules.token_embedders import ElmoTokenEmbedder


@TokenEmbedder.register("stateless_elmo")
class StatelessElmoEmbedder(ElmoTokenEmbedder):
    """
    Embeds words by ELMo (Peters et al., 2018), and each sentence by itself.

    AllenNLP's ELMo starts a batch from the final states of the batch before it, which are in no checkpoint: predictions
    depend on their order, and a run that goes on with `--recover` differs from an unbroken one.

    # Parameters

    **kwargs
        Those of AllenNLP's `elmo_token_embedder`.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for module in self.modules():
            if isinstance(module, ElmoLstm):
                module.stateful = False
