from typing import Any, Callable, Dict, Iterable, List, Optional, cast

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model, load_archive
from allennlp.modules import FeedForward, Seq2SeqEncoder, TokenEmbedder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask
from torch.nn.functional import cross_entropy, pad

from nerzoo import archives
from nerzoo.allennlp_private import split_first_product
from nerzoo.data.fields import EntityField
from nerzoo.errors import check_range
from nerzoo.modules.dropout import FastDropout, replace_dropout
from nerzoo.modules.fitting_weights import FittingWeights
from nerzoo.modules.span_decoders import HighestFirst, NestedDecoder, ScoredEntity, span_candidates
from nerzoo.modules.span_features.encoded_spans import EncodedSpans
from nerzoo.modules.span_features.span_features import FeatureInputs, SpanFeatures
from nerzoo.modules.span_filter import FilterScores, SpanFilter
from nerzoo.modules.span_sampler import SpanSampler
from nerzoo.nn.numerics import IMPOSSIBLE, check_temperature, with_bias, with_temperature
from nerzoo.nn.spans import span_cells, span_indices, span_mask
from nerzoo.text.annotation import Entity, entities_to_json
from nerzoo.training.metrics.counting_metric import CountingMetric
from nerzoo.training.metrics.nested_span_f1 import NestedSpanF1, UnreachableEntities

SPANS_AT_A_TIME = 2048
"""The number of spans whose features are in memory at the same time."""


@Model.register("fofe_ner")
class FofeNer(FittingWeights, Model):
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
    max_length : `int`, optional (default = `7`)
        n, the reader's `max_length`.
    sampler : `SpanSampler`, optional (default = `SpanSampler()`)
        Draws the spans to train on.
    span_filter : `Lazy[SpanFilter]`, optional
        Decides which spans are classified outside training. The model gives its `input_dim` and `max_length`.
    decoder : `NestedDecoder`, optional (default = one level of `highest_first`)
        Has a level for each level of nesting.
    dropout : `float`, optional (default = `0.0`)
        The rate of dropout on the features and on the encoder's input.
    dropout_per_sentence : `bool`, optional (default = `False`)
        Whether dropout on the features drops the same ones in all spans of a sentence (Gal and Ghahramani, "A
        Theoretically Grounded Application of Dropout in Recurrent Neural Networks", 2016, who drop the same ones in all
        words). Then training, like prediction, computes the products that spans share once for all words, if more
        spans are drawn than the batch has words. The features that the filter reads are dropped one by one.
    metrics_per_type, metrics_per_depth : `bool`, optional (default = `False`)
        Whether to report precision, recall and F1 of each type of entity, or of each depth of nesting.
    label_namespace : `str`, optional (default = `"labels"`)
        The namespace of the types of entities.
    temperature : `float`, optional (default = `1.0`)
        Changes the probabilities of spans before they are compared with the decoder's thresholds, see
        `with_temperature`; `allennlp calibrate` fits it. It has no part in the loss.
    none_bias : `float`, optional (default = `0.0`)
        Is added to the logit of no entity, before the temperature: below 0 it finds more entities; `allennlp
        tune-thresholds` fits it. It has no part in the loss.
    min_probability : `float`, optional (default = `0.0`)
        Decoded entities of a lower probability are left out, whatever the decoder's thresholds.
    initializer : `InitializerApplicator`, optional

    # Raises

    `ConfigurationError` where there are no features or no types of entities, `max_length` is below one, the temperature
    is not positive, or the encoder has no embedders, those of another size or a `context`.
    """

    default_predictor = "ner"

    def __init__(
        self,
        vocab: Vocabulary,
        features: Dict[str, SpanFeatures],
        feedforward: Lazy[FeedForward],
        token_embedders: Optional[Dict[str, TokenEmbedder]] = None,
        encoder: Optional[Seq2SeqEncoder] = None,
        max_length: int = 7,
        sampler: Optional[SpanSampler] = None,
        span_filter: Optional[Lazy[SpanFilter]] = None,
        decoder: Optional[NestedDecoder] = None,
        dropout: float = 0.0,
        dropout_per_sentence: bool = False,
        metrics_per_type: bool = False,
        metrics_per_depth: bool = False,
        label_namespace: str = "labels",
        temperature: float = 1.0,
        none_bias: float = 0.0,
        min_probability: float = 0.0,
        initializer: Optional[InitializerApplicator] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, **kwargs)
        check_temperature(temperature)
        check_range("max_length", max_length, 1)
        self.temperature = temperature
        self.none_bias = none_bias
        self.min_probability = min_probability
        types = vocab.get_index_to_token_vocabulary(label_namespace)
        for name, found in (("features", features), ("types of entities in the vocabulary", types)):
            if not found:
                raise ConfigurationError(f"fofe_ner: found no {name}, expected one at least")
        self.types = [types[id_] for id_ in range(len(types))]
        self.max_length = max_length
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
        self.decoder = decoder or NestedDecoder([HighestFirst()])
        self.span_filter: Optional[SpanFilter] = None
        if span_filter is not None:
            self.span_filter = span_filter.construct(input_dim=input_dim, max_length=max_length)
        self.filter_scores = FilterScores()
        self.metric = NestedSpanF1(vocab, label_namespace, metrics_per_type, metrics_per_depth)
        self.unreachable = UnreachableEntities(max_length, len(self.decoder.levels))
        if initializer is not None:
            initializer(self)

    # models/model.py, Model.forward: `*inputs`, while gradient_descent_trainer.py, batch_outputs, gives fields by name.
    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        spans: Optional[Dict[str, torch.Tensor]] = None,
        metadata: Optional[List[Dict[str, Any]]] = None,
        **kwargs: Any,
    ) -> Dict[str, Any]:
        """
        Classifies the spans of B sentences of up to T tokens. Training needs `spans`, their gold labels: the tensors of
        a `SpanField` with the `max_length` of the model. With `annotated`, (B, number of types), only these types are
        possible in a sentence. The metadata of a sentence are `words`, `text`, `offsets`,
        `document_id` and, if `spans` are given, `gold_entities`.

        Returns `loss` if `spans` are given; with a filter its `filter_probabilities` (B, T, n), at [start, length - 1];
        in evaluation also `probabilities`, (B, T, n, 1 + number of types), of no entity and of each type, at the same
        places, zero where there is no span; `entities`, a list of `ScoredEntity` for each sentence; and `metadata`.
        """
        mask = get_text_field_mask(tokens)
        outputs: Dict[str, Any] = self._classify(FeatureInputs(tokens, mask, self.max_length), spans, **kwargs)
        if not self.training:
            biased = with_bias(outputs["probabilities"], self.none_bias)
            outputs["probabilities"] = with_temperature(biased, self.temperature)
            outputs["entities"] = self.decode(outputs["probabilities"], mask)
            if spans is not None and metadata is not None:
                gold = [sentence["gold_entities"] for sentence in metadata]
                self.metric(outputs["entities"], gold)
                self.unreachable(gold)
        return {**outputs, "metadata": metadata}

    def decode(self, probabilities: torch.Tensor, mask: torch.BoolTensor) -> List[List[ScoredEntity]]:
        """Finds the entities of sentences, given the `probabilities` that `forward` returns."""
        return [
            [entity for entity in self.decoder.decode(candidates) if entity.score >= self.min_probability]
            for candidates in span_candidates(probabilities, mask, self.types, self.decoder.threshold)
        ]

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """
        Returns in evaluation `precision`, `recall` and `f1`, see `NestedSpanF1`, the counts of `UnreachableEntities`
        and, with a filter, `FilterScores`; and nothing in training.
        """
        if self.training:
            return {}
        filtered = [] if self.span_filter is None else [self.filter_scores]
        metrics: List[CountingMetric] = [self.metric, self.unreachable, *filtered]
        return {name: value for metric in metrics for name, value in metric.get_metric(reset).items()}

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """
        Returns for each sentence its `words`, its `entities` in the form of `entities_to_json`, outer entities before
        inner ones; `gold_entities` in the same form, if all sentences have them, with the probability of each, which is
        0 for an entity longer than the model's `max_length`; and `doc_id`, the id of its document, if all have one.
        """
        metadata = output_dict["metadata"]
        readable: Dict[str, Any] = {
            "words": [sentence["words"] for sentence in metadata],
            "entities": [
                entities_to_json([(entity, entity.score) for entity in entities], sentence)
                for entities, sentence in zip(output_dict["entities"], metadata, strict=True)
            ],
        }
        if all("gold_entities" in sentence for sentence in metadata):
            # Copied at once: a copy for each entity would wait for the GPU each time.
            readable["gold_entities"] = [
                entities_to_json([(e, self._probability(spans, e)) for e in sentence["gold_entities"]], sentence)
                for spans, sentence in zip(output_dict["probabilities"].cpu(), metadata, strict=True)
            ]
        if all(sentence.get("document_id") is not None for sentence in metadata):
            readable["doc_id"] = [sentence["document_id"] for sentence in metadata]
        return readable

    def _probability(self, probabilities: torch.Tensor, entity: Entity) -> float:
        """Picks the probability of an entity from those of the spans of its sentence (T, n, 1 + number of types)."""
        start, end, label = entity
        if end - start > self.max_length or label not in self.types:
            return 0.0
        return probabilities[start, end - start - 1, 1 + self.types.index(label)].item()

    def _classify(
        self,
        inputs: FeatureInputs,
        spans: Optional[Dict[str, torch.Tensor]],
        annotated: Optional[torch.Tensor] = None,
        **kwargs: Any,
    ) -> Dict[str, torch.Tensor]:
        """Returns the `loss` and the `probabilities` of `forward`."""
        if spans is not None:
            check_dimensions_match(spans["labels"].size(2), self.max_length, "max_length of the reader", "the model's")
        encoded = self._encoded(inputs)
        outputs: Dict[str, torch.Tensor] = {}
        is_span: torch.Tensor = span_mask(inputs.mask, self.max_length)
        kept = is_span
        if self.span_filter is not None:
            # The features of a word are those of a span of this word alone.
            words = self.dropout(encoded.features(span_indices(inputs.mask.unsqueeze(2))).detach())
            filter_logits = self.span_filter(words, inputs.mask)
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
        logits_of = self._logits(encoded, len(chosen) < inputs.mask.numel())
        logits = torch.cat([*map(logits_of, chosen.split(SPANS_AT_A_TIME))])
        cells = span_cells(chosen)
        if annotated is not None:
            logits = logits.masked_fill(~pad(annotated, (1, 0), value=True)[cells[0]], IMPOSSIBLE)
        if spans is not None:
            if log_rates is not None:
                logits = logits + pad(log_rates.unsqueeze(1), (0, len(self.types)))
            loss = cross_entropy(logits, spans["labels"][cells], reduction="sum")
            outputs["loss"] = loss / max(len(chosen), 1)
            if self.span_filter is not None:
                outputs["loss"] += self.span_filter.loss(filter_logits, spans["labels"], is_span, annotated)
        if not self.training:
            outputs["probabilities"] = logits.new_zeros(*inputs.mask.shape, self.max_length, logits.size(1))
            outputs["probabilities"][..., 0] = is_span.to(logits.dtype)
            outputs["probabilities"][cells] = logits.softmax(1)
        return outputs

    def _encoded(self, inputs: FeatureInputs) -> EncodedSpans:
        """Encodes the batch for all features."""
        if self.encoder is not None:
            words = {name: inputs.tokens[name] for name in self.encoder_indexers if name in inputs.tokens}
            encoded_words = self.encoder(self.dropout(self.text_field_embedder(words)), inputs.mask)
            inputs = inputs._replace(tokens={**inputs.tokens, "encoded": {"tokens": encoded_words}})
        return EncodedSpans(cast(Iterable[SpanFeatures], self.features.values()), inputs)

    def _logits(self, encoded: EncodedSpans, are_few: bool) -> Callable[[torch.Tensor], torch.Tensor]:
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


_WRITES = "`allennlp cross-predict CONFIG -s FOLDER` writes"


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
