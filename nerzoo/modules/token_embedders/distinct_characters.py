import torch
from allennlp.modules import TokenEmbedder
from allennlp.modules.token_embedders import TokenCharactersEncoder

from nerzoo.nn.batches import distinct_rows


@TokenEmbedder.register("distinct_characters")
class DistinctCharactersEncoder(TokenCharactersEncoder):
    """
    AllenNLP's `character_encoding`, whose parameters and weights it has, with the encoder run once for each distinct
    word of a batch in evaluation. In training, whose batches are smaller, telling them apart costs as much as it saves;
    a GPU would have to wait for it; and a trace would have the words of one batch alone.
    """

    def forward(self, token_characters: torch.Tensor) -> torch.Tensor:
        """Words as the indices of their characters, (B, T, C), to vectors, (B, T, D), never in half precision."""
        # modules/seq2vec_encoders/cnn_encoder.py, CnnEncoder.forward: finds what it has masked by the lowest number of
        # the type of its outputs, which under autocast is another type than that of the convolution.
        with torch.autocast(token_characters.device.type, enabled=False):
            if self.training or token_characters.device.type != "cpu" or torch.jit.is_tracing():
                return super().forward(token_characters)
            words = token_characters.flatten(0, 1)
            first, inverse = distinct_rows(words)
            distinct = words[first].unsqueeze(0)
            vectors = self._encoder(self._embedding(distinct), distinct != 0).squeeze(0)
            return self._dropout(vectors.index_select(0, inverse).view(*token_characters.shape[:2], -1))
