from nerzoo.models.fofe_lm import FofeLm as FofeLm
from nerzoo.models.fofe_ner import FofeNer as FofeNer
from nerzoo.models.fofe_ner_second_pass import FofeNerSecondPass as FofeNerSecondPass
from nerzoo.models.memory_tagger import MemoryTagger as MemoryTagger
from nerzoo.models.sequence_tagger import (
    Seq2Biseq as Seq2Biseq,
    SequenceTagger as SequenceTagger,
    TaggingModel as TaggingModel,
)
from nerzoo.models.thread_tagger import ThreadTagger as ThreadTagger
