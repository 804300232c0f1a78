from nerzoo.modules.span_features.boundary_words import BoundaryWords as BoundaryWords
from nerzoo.modules.span_features.character_cnn import CharacterCnn as CharacterCnn
from nerzoo.modules.span_features.fofe_characters import FofeCharacters as FofeCharacters
from nerzoo.modules.span_features.fofe_words import FofeSubstitutedWords as FofeSubstitutedWords, FofeWords as FofeWords
from nerzoo.modules.span_features.gazetteer_match import GazetteerMatch as GazetteerMatch
from nerzoo.modules.span_features.span_features import FeatureInputs as FeatureInputs, SpanFeatures as SpanFeatures
