from nerzoo.models.fofe_lm import FofeLm
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.models.fofe_ner_second_pass import FofeNerSecondPass
from nerzoo.models.memory_tagger import MemoryTagger
from nerzoo.models.seq2biseq import Seq2Biseq
from nerzoo.models.sequence_tagger import SequenceTagger
from nerzoo.models.tagging_model import TaggingModel
from nerzoo.models.thread_tagger import ThreadTagger

__all__ = [
    "FofeLm",
    "FofeNer",
    "FofeNerSecondPass",
    "MemoryTagger",
    "Seq2Biseq",
    "SequenceTagger",
    "TaggingModel",
    "ThreadTagger",
]
