from nerzoo.modules.span_features.characters import CharacterCnn, FofeCharacters
from nerzoo.modules.span_features.span_features import FeatureInputs, SpanFeatures
from nerzoo.modules.span_features.words import BoundaryWords, FofeSubstitutedWords, FofeWords, GazetteerMatch
