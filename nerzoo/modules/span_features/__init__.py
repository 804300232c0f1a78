from nerzoo.modules.span_features.character_cnn import CharacterCnn
from nerzoo.modules.span_features.fofe_characters import FofeCharacters
from nerzoo.modules.span_features.fofe_substituted_words import FIRST_PASS, FofeSubstitutedWords
from nerzoo.modules.span_features.fofe_words import FofeWords
from nerzoo.modules.span_features.gazetteer_match import GazetteerMatch
from nerzoo.modules.span_features.span_features import SpanFeatures

__all__ = [
    "FIRST_PASS",
    "CharacterCnn",
    "FofeCharacters",
    "FofeSubstitutedWords",
    "FofeWords",
    "SpanFeatures",
    "GazetteerMatch",
]
