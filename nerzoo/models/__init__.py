from nerzoo.models.sequence_tagger import SequenceTagger

__all__ = ["SequenceTagger"]
