from nerzoo.formats.brat import BratCorpus as BratCorpus, BratWriter as BratWriter
from nerzoo.formats.columns import ColumnsCorpus as ColumnsCorpus, ColumnsWriter as ColumnsWriter
from nerzoo.formats.conllu import ConlluCorpus as ConlluCorpus, ConlluWriter as ConlluWriter
from nerzoo.formats.corpus import Corpus as Corpus
from nerzoo.formats.doccano import DoccanoCorpus as DoccanoCorpus, DoccanoWriter as DoccanoWriter
from nerzoo.formats.genia import GeniaCorpus as GeniaCorpus
from nerzoo.formats.irc import IrcThreads as IrcThreads
from nerzoo.formats.jsonl import JsonlCorpus as JsonlCorpus, JsonlWriter as JsonlWriter
from nerzoo.formats.label_studio import LabelStudioCorpus as LabelStudioCorpus, LabelStudioWriter as LabelStudioWriter
from nerzoo.formats.molweni import MolweniThreads as MolweniThreads
from nerzoo.formats.ontonotes import OntonotesCorpus as OntonotesCorpus
from nerzoo.formats.parquet import ParquetCorpus as ParquetCorpus, ParquetWriter as ParquetWriter
from nerzoo.formats.semeval2010 import SemEval2010Corpus as SemEval2010Corpus
from nerzoo.formats.slot_filling import SlotFillingCorpus as SlotFillingCorpus
from nerzoo.formats.threads import JsonlThreads as JsonlThreads, ThreadCorpus as ThreadCorpus
from nerzoo.formats.writer import AnnotationWriter as AnnotationWriter
