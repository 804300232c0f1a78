from nerzoo.modules.dropout import ElementDropout, InputDropout, VariationalDropout, WordDropout
from nerzoo.modules.language_model_heads import AdaptiveSoftmaxHead, LanguageModelHead, NceHead, SoftmaxHead
from nerzoo.modules.span_decoders import (
    HighestFirst,
    LongestFirst,
    NestedDecoder,
    SpanDecoder,
    span_candidates,
)
from nerzoo.modules.tag_distributions import ConditionalRandomField, SoftmaxDistribution, TagDistribution
