from nerzoo.tagging.tagger import Tagger

__all__ = ["Tagger"]
