from nerzoo.modules.span_features.boundary_words import BoundaryWords
from nerzoo.modules.span_features.character_cnn import CharacterCnn
from nerzoo.modules.span_features.feature_inputs import FeatureInputs
from nerzoo.modules.span_features.fofe_characters import FofeCharacters
from nerzoo.modules.span_features.fofe_substituted_words import FofeSubstitutedWords
from nerzoo.modules.span_features.fofe_words import FofeWords
from nerzoo.modules.span_features.gazetteer_match import GazetteerMatch
from nerzoo.modules.span_features.span_features import SpanFeatures

__all__ = [
    "BoundaryWords",
    "CharacterCnn",
    "FeatureInputs",
    "FofeCharacters",
    "FofeSubstitutedWords",
    "FofeWords",
    "GazetteerMatch",
    "SpanFeatures",
]
