from typing import Any, Callable, Dict, Iterable, List, Optional, cast

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import Vocabulary
from allennlp.models import Model, load_archive
from allennlp.modules import FeedForward, Seq2SeqEncoder, TokenEmbedder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.nn import InitializerApplicator

from nerzoo import archives
from nerzoo.allennlp_private import split_first_product
from nerzoo.data.fields import EntityField
from nerzoo.errors import check_range
from nerzoo.models.span_model import SpanModel
from nerzoo.modules.dropout import FastDropout, replace_dropout
from nerzoo.modules.span_features.encoded_spans import EncodedSpans
from nerzoo.modules.span_features.span_features import FeatureInputs, SpanFeatures
from nerzoo.modules.span_filter import FilterScores, SpanFilter
from nerzoo.modules.span_sampler import SpanSampler
from nerzoo.nn.spans import span_indices, span_mask
from nerzoo.text.span_levels import ScoredEntity

ENCODED = "encoded"
"""The token indexer that features read encoded words from."""
SPANS_AT_A_TIME = 2048
"""The number of spans whose features are in memory at the same time."""


@Model.register("fofe_ner")
class FofeNer(SpanModel):
    """
    FOFE-NER: finds entities, nested ones too, by local detection (Xu, "Fixed-size Ordinally-Forgetting Encoding and its
    Applications", 2017, chapter 5). A feed-forward network classifies each span of up to n tokens by itself, from
    features of a fixed size, as an entity of some type or as none; a decoder chooses among overlapping entities.

    The loss is the cross-entropy, in training averaged over a sample of spans, in evaluation over all spans: the two
    are not comparable. The loss of no spans is 0.

    With a filter, evaluation and prediction classify only the spans that it keeps; the others are no entities, with
    probability 1. The filter is trained beside the model, on the features of single words: its loss over all spans is
    added to that of the model, which in evaluation is then averaged over the spans that are kept. No gradient goes from
    the filter to the features, so that the model is the same with and without it.

    # Parameters

    features : `Dict[str, SpanFeatures]`
        The features of spans, under names of your choice.
    feedforward : `Lazy[FeedForward]`
        The hidden layers above the features. The model gives their `input_dim`.
    token_embedders : `Dict[str, TokenEmbedder]`, optional
        The embedders of the encoder's input, by the names of their indexers.
    encoder : `Seq2SeqEncoder`, optional
        Encodes the words before features are computed, which the thesis does not. Features read the encoded words as
        the tokens of an indexer named `encoded`, by the embedder `pass_through`.
    sampler : `SpanSampler`, optional (default = `SpanSampler()`)
        Draws the spans to train on.
    span_filter : `Lazy[SpanFilter]`, optional
        Decides which spans are classified outside training. The model gives its `input_dim` and `max_length`.
    dropout : `float`, optional (default = `0.0`)
        The rate of dropout on the features and on the encoder's input.
    dropout_per_sentence : `bool`, optional (default = `False`)
        Whether dropout on the features drops the same ones in all spans of a sentence (Gal and Ghahramani, "A
        Theoretically Grounded Application of Dropout in Recurrent Neural Networks", 2016, who drop the same ones in all
        words). Then training, like prediction, computes the products that spans share once for all words, if more
        spans are drawn than the batch has words. The features that the filter reads are dropped one by one.
    initializer : `InitializerApplicator`, optional
    vocab, **kwargs
        As in `SpanModel`.

    # Raises

    `ConfigurationError` as `SpanModel`, and where there are no features, or the encoder has no embedders, those of
    another size or a `context`.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        features: Dict[str, SpanFeatures],
        feedforward: Lazy[FeedForward],
        token_embedders: Optional[Dict[str, TokenEmbedder]] = None,
        encoder: Optional[Seq2SeqEncoder] = None,
        sampler: Optional[SpanSampler] = None,
        span_filter: Optional[Lazy[SpanFilter]] = None,
        dropout: float = 0.0,
        dropout_per_sentence: bool = False,
        initializer: Optional[InitializerApplicator] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab=vocab, **kwargs)
        if not features:
            raise ConfigurationError("fofe_ner: found no features, expected one at least")
        if bool(token_embedders) != (encoder is not None):
            raise ConfigurationError("fofe_ner: found one of token_embedders and encoder, expected both or neither")
        if context := getattr(encoder, "context", ()):
            raise ConfigurationError(
                f"fofe_ner: found an encoder that reads {', '.join(context)}, expected one that reads words alone"
            )
        self.encoder = encoder
        if token_embedders and encoder is not None:
            self.encoder_indexers = list(token_embedders)
            self.text_field_embedder = BasicTextFieldEmbedder(token_embedders)
            size = self.text_field_embedder.get_output_dim()
            check_dimensions_match(size, encoder.get_input_dim(), "size of the embedded words", "input of encoder")
        self.features = torch.nn.ModuleDict(features)
        self.dropout = FastDropout(dropout)
        self.dropout_per_sentence = dropout_per_sentence
        input_dim = sum(part.get_output_dim() for part in features.values())
        self.feedforward = feedforward.construct(input_dim=input_dim)
        replace_dropout(self.feedforward)
        # 0 is no entity.
        self.label_projection = torch.nn.Linear(self.feedforward.get_output_dim(), 1 + len(self.types))
        self.sampler = sampler or SpanSampler()
        self.span_filter: Optional[SpanFilter] = None
        self.filter_scores = FilterScores()
        if span_filter is not None:
            self.span_filter = span_filter.construct(input_dim=input_dim, max_length=self.max_length)
            self._metrics.append(self.filter_scores)
        if initializer is not None:
            initializer(self)

    def _classify(
        self,
        inputs: FeatureInputs,
        spans: Optional[Dict[str, torch.Tensor]],
        annotated: Optional[torch.Tensor] = None,
        **kwargs: Any,
    ) -> Dict[str, torch.Tensor]:
        encoded = self._encoded(inputs)
        outputs: Dict[str, torch.Tensor] = {}
        is_span: torch.Tensor = span_mask(inputs.mask, self.max_length)
        kept = is_span
        if self.span_filter is not None:
            filter_logits = self.filter_logits(encoded, inputs.mask)
            outputs["filter_probabilities"] = filter_logits.detach().sigmoid()
            kept = is_span & (outputs["filter_probabilities"] >= self.span_filter.threshold)
            if spans is not None and not self.training:
                self.filter_scores(kept, spans["labels"], is_span)
        log_rates: Optional[torch.Tensor] = None
        if self.training and spans is not None:
            chosen, log_rates = self.sampler(**spans, mask=inputs.mask)
        else:
            chosen = span_indices(kept)
        # shape: (S, 1 + number of types)
        logits_of = self.logits_of(encoded, len(chosen) < inputs.mask.numel())
        logits = torch.cat([*map(logits_of, chosen.split(SPANS_AT_A_TIME))])
        outputs |= self._outputs(inputs.mask, chosen, logits, spans, annotated, log_rates)
        if spans is not None and self.span_filter is not None:
            outputs["loss"] += self.span_filter.loss(filter_logits, spans["labels"], is_span, annotated)
        return outputs

    def filter_logits(self, encoded: EncodedSpans, mask: torch.BoolTensor) -> torch.Tensor:
        """Returns the logits (B, T, n) of the filter, given the encoded batch and its mask (B, T)."""
        # The features of a word are those of a span of this word alone.
        spans = span_indices(mask.unsqueeze(2))
        words = self.dropout(encoded.features(spans).detach())
        return cast(SpanFilter, self.span_filter)(words, spans, mask.shape)

    def _encoded(self, inputs: FeatureInputs) -> EncodedSpans:
        """Encodes the batch for all features."""
        if self.encoder is not None:
            words = {name: inputs.tokens[name] for name in self.encoder_indexers if name in inputs.tokens}
            encoded_words = self.encoder(self.dropout(self.text_field_embedder(words)), inputs.mask)
            inputs = inputs._replace(tokens={**inputs.tokens, ENCODED: {"tokens": encoded_words}})
        return EncodedSpans(cast(Iterable[SpanFeatures], self.features.values()), inputs)

    def logits_of(self, encoded: EncodedSpans, are_few: bool) -> Callable[[torch.Tensor], torch.Tensor]:
        """
        Returns a function from spans (S, 3) to their logits, shape (S, 1 + number of types), for spans that are fewer
        than words, or for more.
        """
        first, rest = split_first_product(self.feedforward)
        factors: Optional[torch.Tensor] = None
        if self.training and self.dropout_per_sentence:
            factors = self.dropout(first.weight.new_ones(encoded.num_sentences, first.in_features))

        def separate_logits(spans: torch.Tensor) -> torch.Tensor:
            features = encoded.features(spans)
            dropped = self.dropout(features) if factors is None else features * factors[spans[:, 0]]
            return self.label_projection(self.feedforward(dropped))

        if are_few or self.training and factors is None:
            return separate_logits
        outputs = encoded.outputs(first, factors)
        return lambda spans: self.label_projection(rest(outputs(spans)))


_WRITES = "`nerzoo cross-predict CONFIG -s FOLDER` writes"


@Model.register("fofe_ner_second_pass")
class FofeNerSecondPass(FofeNer):
    """
    The second pass of FOFE-NER (Xu's thesis, section 5.4): replaces the other entities of the sentence, which a first
    pass found, by their types, in features of type `fofe_substituted_words`. The model contains the model of the first
    pass, so that one archive runs both.

    In training, the entities of the first pass are those of the reader's field `first_pass`: predictions for the
    training data by models that were not trained on them, so that they have as many errors as predictions for other
    data. In evaluation and prediction the first pass finds the entities; the probabilities of both passes are averaged,
    then decoded. The loss is that of the second pass alone.

    The first pass is not trained: it stays in evaluation mode, and its parameters have no gradients, so that AllenNLP's
    trainer leaves them out.

    # Parameters

    vocab : `Vocabulary`
        The vocabulary of the first pass, perhaps with more namespaces.
    first_pass : `Model`
        A model of type `fofe_ner` with the `max_length` of this one.
    pretrained_file : `str`, optional
        The archive of the trained first pass. Needed in training; AllenNLP removes it from the configuration of a
        trained model, whose weights include those of the first pass.
    first_pass_weight : `float`, optional (default = `0.6`)
        The weight of the first pass in the average, from 0 to 1. The default is that of the original program.
    label_namespace, **kwargs
        As in `FofeNer`.

    # Raises

    `ConfigurationError` where the first pass is another kind of model or has another `max_length`, another vocabulary,
    other weights or no archive; and where its weight is not from 0 to 1.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        first_pass: Model,
        pretrained_file: Optional[str] = None,
        first_pass_weight: float = 0.6,
        label_namespace: str = "labels",
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, label_namespace=label_namespace, **kwargs)
        if not isinstance(first_pass, FofeNer):
            raise ConfigurationError(
                f"found a first pass of type {type(first_pass).__name__}, expected a model of type fofe_ner"
            )
        check_dimensions_match(first_pass.max_length, self.max_length, "max_length of first_pass", "the model's")
        check_range("first_pass_weight", first_pass_weight, 0, 1)
        self.first_pass = first_pass.requires_grad_(False).eval()
        self.first_pass_weight = first_pass_weight
        self._label_namespace = label_namespace
        self._has_weights = False
        if pretrained_file is not None:
            self._load_first_pass(pretrained_file)

    def train(self, mode: bool = True) -> "FofeNerSecondPass":
        super().train(mode)
        self.first_pass.eval()
        return self

    def load_state_dict(self, *args: Any, **kwargs: Any) -> Any:
        self._has_weights = True
        return super().load_state_dict(*args, **kwargs)

    def _load_first_pass(self, path: str) -> None:
        try:
            archived = load_archive(archives.find(path)).model
        except ConfigurationError as error:
            raise ConfigurationError(f"{error}, that of the first pass; {_WRITES} FOLDER/model/model.tar.gz") from error
        for namespace in archived.vocab.get_namespaces():
            found, expected = (v.get_index_to_token_vocabulary(namespace) for v in (archived.vocab, self.vocab))
            if found != expected:
                raise ConfigurationError(
                    f"{path}: found another vocabulary of {namespace} than this model's, expected the same; it is made "
                    'from the same data in the same way, or taken over by {"type": "from_files", "directory": '
                    f'"{path}"}} as vocabulary'
                )
        try:
            self.first_pass.load_state_dict(archived.state_dict())
        except ConfigurationError as error:
            raise ConfigurationError(
                f"{path}: found other weights than those of the first_pass in the configuration, expected the "
                f"configuration that the archive was trained with ({error})"
            ) from None
        self._has_weights = True

    def _classify(
        self,
        inputs: FeatureInputs,
        spans: Optional[Dict[str, torch.Tensor]],
        annotated: Optional[torch.Tensor] = None,
        first_pass: Optional[torch.Tensor] = None,
        **kwargs: Any,
    ) -> Dict[str, torch.Tensor]:
        if not self._has_weights:
            raise ConfigurationError(
                "found a first pass that is not trained, expected its archive as pretrained_file; "
                f"{_WRITES} FOLDER/model/model.tar.gz"
            )
        if self.training:
            if first_pass is None:
                raise ConfigurationError(
                    "found no entities of a first pass, expected the reader's first_pass to name the file that has "
                    f"them; {_WRITES} FOLDER/predictions.jsonl"
                )
            return super()._classify(inputs._replace(first_pass=first_pass), spans, annotated)
        first = self.first_pass(inputs.tokens, annotated=annotated)
        entities = self._as_tensor(first["entities"], inputs.mask)
        outputs = super()._classify(inputs._replace(first_pass=entities), spans, annotated)
        outputs["probabilities"] = torch.lerp(outputs["probabilities"], first["probabilities"], self.first_pass_weight)
        return outputs

    def _as_tensor(self, entities: List[List[ScoredEntity]], mask: torch.BoolTensor) -> torch.Tensor:
        """Returns the entities in the form of the reader's field, shape (B, T)."""
        length, tensors = mask.size(1), []
        for sentence_entities in entities:
            field = EntityField(sentence_entities, length, self._label_namespace)
            field.index(self.vocab)
            tensors.append(field.as_tensor({"num_tokens": length}))
        return torch.stack(tensors).to(mask.device)
