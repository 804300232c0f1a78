from nerzoo.models.memory_tagger import MemoryTagger
from nerzoo.models.sequence_tagger import SequenceTagger
from nerzoo.models.thread_tagger import ThreadTagger

__all__ = ["MemoryTagger", "SequenceTagger", "ThreadTagger"]
