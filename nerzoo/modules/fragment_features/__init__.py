from nerzoo.modules.fragment_features.character_cnn import CharacterCnn
from nerzoo.modules.fragment_features.fofe_characters import FofeCharacters
from nerzoo.modules.fragment_features.fofe_substituted_words import FIRST_PASS, FofeSubstitutedWords
from nerzoo.modules.fragment_features.fofe_words import FofeWords
from nerzoo.modules.fragment_features.fragment_features import FragmentFeatures
from nerzoo.modules.fragment_features.gazetteer_match import GazetteerMatch

__all__ = [
    "FIRST_PASS",
    "CharacterCnn",
    "FofeCharacters",
    "FofeSubstitutedWords",
    "FofeWords",
    "FragmentFeatures",
    "GazetteerMatch",
]
