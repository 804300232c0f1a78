from nerzoo.formats.brat import BratCorpus, BratWriter
from nerzoo.formats.columns import ColumnsCorpus, ColumnsWriter
from nerzoo.formats.conllu import ConlluCorpus, ConlluWriter
from nerzoo.formats.corpus import AnnotationWriter, Corpus
from nerzoo.formats.divided import DividedCorpus
from nerzoo.formats.doccano import DoccanoCorpus, DoccanoWriter
from nerzoo.formats.genia import GeniaCorpus
from nerzoo.formats.irc import IrcThreads
from nerzoo.formats.jsonl import JsonlCorpus, JsonlWriter
from nerzoo.formats.label_studio import LabelStudioCorpus, LabelStudioWriter
from nerzoo.formats.mixture import MixtureCorpus
from nerzoo.formats.molweni import MolweniThreads
from nerzoo.formats.ontonotes import OntonotesCorpus
from nerzoo.formats.parquet import ParquetCorpus, ParquetWriter
from nerzoo.formats.prodigy import ProdigyCorpus, ProdigyWriter
from nerzoo.formats.semeval2010 import SemEval2010Corpus
from nerzoo.formats.slot_filling import SlotFillingCorpus
from nerzoo.formats.spacy import SpacyCorpus, SpacyWriter
from nerzoo.formats.text import HtmlWriter, MarkedTextWriter
from nerzoo.formats.threads import JsonlThreads, ThreadCorpus
