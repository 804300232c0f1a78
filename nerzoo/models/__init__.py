from nerzoo.models.memory_tagger import MemoryTagger
from nerzoo.models.sequence_tagger import SequenceTagger

__all__ = ["MemoryTagger", "SequenceTagger"]
