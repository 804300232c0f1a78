from nerzoo.models.exported_tagger import ExportedDocumentTagger, ExportedSpanModel, ExportedTaggerModel
from nerzoo.models.fofe_lm import FofeLm
from nerzoo.models.fofe_ner import FofeNer, FofeNerSecondPass
from nerzoo.models.memory_tagger import MemoryTagger
from nerzoo.models.sequence_tagger import Seq2Biseq, SequenceTagger, TaggingModel
from nerzoo.models.span_model import SpanModel
from nerzoo.models.thread_tagger import ThreadTagger
