from nerzoo.modules.fragment_features.character_cnn import CharacterCnn
from nerzoo.modules.fragment_features.fofe_characters import FofeCharacters
from nerzoo.modules.fragment_features.fofe_words import FofeWords
from nerzoo.modules.fragment_features.fragment_features import FragmentFeatures
from nerzoo.modules.fragment_features.gazetteer_match import GazetteerMatch

__all__ = ["CharacterCnn", "FofeCharacters", "FofeWords", "FragmentFeatures", "GazetteerMatch"]
