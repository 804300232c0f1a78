import torch
from allennlp.modules import TokenEmbedder

from nerzoo.text.word_forms import NUM_LEXICAL_FEATURES


@TokenEmbedder.register("lexical_features")
class LexicalFeaturesEmbedder(TokenEmbedder):
    """The six features that `LexicalFeaturesIndexer` finds in each word, as zeros and ones. Nothing is learned."""

    table: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        features = torch.arange(NUM_LEXICAL_FEATURES)
        forms = torch.arange(2**NUM_LEXICAL_FEATURES).unsqueeze(1)
        # The features of each form, after a row for padding.
        table = torch.cat([torch.zeros(1, NUM_LEXICAL_FEATURES), (forms >> features & 1).float()])
        self.register_buffer("table", table, persistent=False)

    def get_output_dim(self) -> int:
        return NUM_LEXICAL_FEATURES

    def forward(self, forms: torch.Tensor) -> torch.Tensor:
        """Forms (..., T) to features (..., T, 6), zero at padding."""
        return torch.nn.functional.embedding(forms, self.table)
