from nerzoo.modules.dropout import (
    ElementDropout as ElementDropout,
    InputDropout as InputDropout,
    VariationalDropout as VariationalDropout,
    WordDropout as WordDropout,
)
from nerzoo.modules.language_model_heads import (
    AdaptiveSoftmaxHead as AdaptiveSoftmaxHead,
    LanguageModelHead as LanguageModelHead,
    NceHead as NceHead,
    SoftmaxHead as SoftmaxHead,
)
from nerzoo.modules.span_decoders import (
    HighestFirst as HighestFirst,
    LongestFirst as LongestFirst,
    NestedDecoder as NestedDecoder,
    ScoredEntity as ScoredEntity,
    SpanDecoder as SpanDecoder,
    span_candidates as span_candidates,
)
from nerzoo.modules.tag_distributions.conditional_random_field import ConditionalRandomField as ConditionalRandomField
from nerzoo.modules.tag_distributions.softmax import SoftmaxDistribution as SoftmaxDistribution
from nerzoo.modules.tag_distributions.tag_distribution import TagDistribution as TagDistribution
