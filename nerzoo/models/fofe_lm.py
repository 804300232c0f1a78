import math
from typing import Any, Dict, List, Optional

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import FeedForward, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_final_encoder_states, get_text_field_mask

from nerzoo.data.vocabulary import word_counts
from nerzoo.modules.fitting_weights import FittingWeights
from nerzoo.modules.language_model_heads import LanguageModelHead
from nerzoo.training.metrics.counting_metric import CorpusPerplexity


@Model.register("fofe_lm")
class FofeLm(FittingWeights, Model):
    """
    A language model without recurrence (Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications", 2017,
    chapter 4): an encoder makes a code of a fixed size from the embedded words before each position, for all positions
    at once (equation 4.3), and a feed-forward network predicts the word there. With `fofe_streams` it is the thesis's
    model of any order, or with a forgetting factor of zero its n-gram baselines.

    # Parameters

    text_field_embedder : `TextFieldEmbedder`
    encoder : `Seq2SeqEncoder`
        Reads the start symbol and all words but the last. Its output at a position must not depend on later words.
    head : `Lazy[LanguageModelHead]`
        The output layer and the loss that it is trained with. The model gives it sizes and counts of words.
    feedforward : `Lazy[FeedForward]`, optional
        Hidden layers above the codes. The model gives their `input_dim`.
    vocab_namespace : `str`, optional (default = `"tokens"`)
        The namespace of the predicted words; the `single_id` indexer `tokens` gives their indices.
    initializer : `InitializerApplicator`, optional

    # Raises

    `ConfigurationError` where sizes do not fit, the encoder is bidirectional, or the vocabulary has no words.
    """

    default_predictor = "language_model"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        encoder: Seq2SeqEncoder,
        head: Lazy[LanguageModelHead],
        feedforward: Optional[Lazy[FeedForward]] = None,
        vocab_namespace: str = "tokens",
        initializer: Optional[InitializerApplicator] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, **kwargs)
        size = text_field_embedder.get_output_dim()
        check_dimensions_match(size, encoder.get_input_dim(), "size of the embedded words", "input of encoder")
        if encoder.is_bidirectional():
            raise ConfigurationError("fofe_lm: found a bidirectional encoder, expected one that reads the history only")
        self.vocab_namespace = vocab_namespace
        self.text_field_embedder = text_field_embedder
        self.encoder = encoder
        size = encoder.get_output_dim()
        self.feedforward: Any = torch.nn.Identity()
        if feedforward is not None:
            self.feedforward = feedforward.construct(input_dim=size)
            size = self.feedforward.get_output_dim()
        # The vector of the start symbol, <s>, initialised as `embedding` initialises the vectors of words.
        bound = math.sqrt(6 / (vocab.get_vocab_size(vocab_namespace) + encoder.get_input_dim()))
        self.start = torch.nn.Parameter(torch.empty(encoder.get_input_dim()).uniform_(-bound, bound))
        # Padding, index 0, is no word.
        counts = word_counts(vocab, vocab_namespace)[1:]
        if len(counts) < 2:
            raise ConfigurationError(
                f"fofe_lm: found no word but the unknown one in the namespace {vocab_namespace!r} of the vocabulary, "
                "expected words to predict; check vocab_namespace, and min_count and max_vocab_size of the vocabulary"
            )
        self.head = head.construct(input_size=size, num_words=len(counts), word_counts=counts)
        self.metric = CorpusPerplexity()
        if initializer is not None:
            initializer(self)

    def forward(self, tokens: TextFieldTensors, metadata: Optional[List[Dict[str, Any]]] = None) -> Dict[str, Any]:
        """
        Predicts all words of B sentences of up to T words. Returns `loss`, an average over words: in training the loss
        of `LanguageModelHead`, in evaluation minus the logarithm of the probability, normalised over all words; in
        evaluation also `log_probabilities`, (B, T), natural logarithms, zero at padding, and `metadata`.
        """
        mask = get_text_field_mask(tokens)
        # The only wait for a GPU: the number of words is the size of a tensor.
        real = mask.nonzero(as_tuple=True)
        # shape: (N,) and (N, size of the encoder's output)
        words, codes = self._words(tokens)[real], self._codes(tokens, mask)[real]
        if self.training:
            return {"loss": self.head(self.feedforward(codes), words)}
        word_scores = self.head.target_log_probabilities(self.feedforward(codes), words)
        log_probabilities = word_scores.new_zeros(mask.shape).masked_scatter(mask, word_scores)
        self.metric(log_probabilities, mask)
        return {"loss": -word_scores.mean(), "log_probabilities": log_probabilities, "metadata": metadata}

    def next_word_log_probabilities(self, tokens: TextFieldTensors) -> torch.Tensor:
        """
        Predicts the last word of each of B sentences: in place of `</s>`, with which the reader's instances end, the
        word that continues the sentence. Returns the natural logarithm of the probability of each word, (B, V), by its
        index in the vocabulary; padding has -inf.
        """
        mask = get_text_field_mask(tokens)
        codes = get_final_encoder_states(self._codes(tokens, mask), mask)
        log_probabilities = self.head.log_probabilities(self.feedforward(codes))
        return torch.nn.functional.pad(log_probabilities, (1, 0), value=float("-inf"))

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """Returns `perplexity`, see `CorpusPerplexity`; nothing in training."""
        return {} if self.training else {"perplexity": self.metric.get_metric(reset)}

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """Returns for each sentence its `words`, `</s>` included, their `log_probabilities` and its `perplexity`."""
        words = [sentence["words"] for sentence in output_dict["metadata"]]
        rows = [row[: len(own)] for row, own in zip(output_dict["log_probabilities"].cpu(), words, strict=True)]
        return {
            "words": words,
            "log_probabilities": [row.tolist() for row in rows],
            "perplexity": [row.mean().neg().exp().item() for row in rows],
        }

    def _codes(self, tokens: TextFieldTensors, mask: torch.BoolTensor) -> torch.Tensor:
        """Encodes the words before each position, shape (B, T, size of the encoder's output)."""
        embedded = self.text_field_embedder(tokens)
        start = self.start.to(embedded.dtype).expand(len(embedded), 1, -1)
        return self.encoder(torch.cat([start, embedded[:, :-1]], 1), mask)

    def _words(self, tokens: TextFieldTensors) -> torch.Tensor:
        """Returns the number of each word, from 0, shape (B, T); -1 at padding."""
        try:
            return tokens["tokens"]["tokens"] - 1
        except KeyError:
            raise ConfigurationError(
                f"fofe_lm: found the token indexers {sorted(tokens)}, expected a single_id indexer named tokens"
            ) from None
