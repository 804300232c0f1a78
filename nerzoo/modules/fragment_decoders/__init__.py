from nerzoo.modules.fragment_decoders.candidates import fragment_candidates
from nerzoo.modules.fragment_decoders.fragment_decoder import FragmentDecoder
from nerzoo.modules.fragment_decoders.highest_first import HighestFirst
from nerzoo.modules.fragment_decoders.level_search import THRESHOLDS, ScoredLevels, search_levels
from nerzoo.modules.fragment_decoders.longest_first import LongestFirst
from nerzoo.modules.fragment_decoders.nested_decoder import NestedDecoder
from nerzoo.modules.fragment_decoders.scored_entity import ScoredEntity

__all__ = [
    "FragmentDecoder",
    "HighestFirst",
    "LongestFirst",
    "NestedDecoder",
    "ScoredEntity",
    "ScoredLevels",
    "THRESHOLDS",
    "fragment_candidates",
    "search_levels",
]
