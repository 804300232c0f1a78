from typing import Any

from allennlp.modules import TokenEmbedder
from allennlp.modules.elmo_lstm import ElmoLstm
from allennlp.modules.token_embedders import ElmoTokenEmbedder


@TokenEmbedder.register("stateless_elmo")
class StatelessElmoEmbedder(ElmoTokenEmbedder):
    """
    ELMo (Peters et al., 2018), applied to each sentence by itself. Parameters as in AllenNLP's `elmo_token_embedder`.

    AllenNLP's ELMo starts a batch from the final states of the batch before it, which no checkpoint has: predictions
    depend on their order, and a run that is resumed with `--recover` differs from an unbroken one.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for module in self.modules():
            if isinstance(module, ElmoLstm):
                module.stateful = False
