from nerzoo.modules.span_decoders.candidates import span_candidates
from nerzoo.modules.span_decoders.highest_first import HighestFirst
from nerzoo.modules.span_decoders.longest_first import LongestFirst
from nerzoo.modules.span_decoders.nested_decoder import NestedDecoder
from nerzoo.modules.span_decoders.scored_entity import ScoredEntity
from nerzoo.modules.span_decoders.span_decoder import SpanDecoder

__all__ = [
    "HighestFirst",
    "LongestFirst",
    "NestedDecoder",
    "ScoredEntity",
    "SpanDecoder",
    "span_candidates",
]
