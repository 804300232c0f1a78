from nerzoo.modules.span_features.characters import CharacterCnn as CharacterCnn, FofeCharacters as FofeCharacters
from nerzoo.modules.span_features.gazetteer_match import GazetteerMatch as GazetteerMatch
from nerzoo.modules.span_features.span_features import FeatureInputs as FeatureInputs, SpanFeatures as SpanFeatures
from nerzoo.modules.span_features.words import (
    BoundaryWords as BoundaryWords,
    FofeSubstitutedWords as FofeSubstitutedWords,
    FofeWords as FofeWords,
)
