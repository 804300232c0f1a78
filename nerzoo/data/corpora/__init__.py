from nerzoo.data.corpora.brat import BratCorpus
from nerzoo.data.corpora.columns import ColumnsCorpus
from nerzoo.data.corpora.conllu import ConlluCorpus
from nerzoo.data.corpora.corpus import Corpus
from nerzoo.data.corpora.doccano import DoccanoCorpus
from nerzoo.data.corpora.genia import GeniaCorpus
from nerzoo.data.corpora.jsonl import JsonlCorpus, sentence_from_json
from nerzoo.data.corpora.label_studio import LabelStudioCorpus
from nerzoo.data.corpora.ontonotes import OntonotesCorpus
from nerzoo.data.corpora.parquet import ParquetCorpus
from nerzoo.data.corpora.semeval2010 import SemEval2010Corpus
from nerzoo.data.corpora.slot_filling import SlotFillingCorpus

__all__ = [
    "BratCorpus",
    "ColumnsCorpus",
    "ConlluCorpus",
    "Corpus",
    "DoccanoCorpus",
    "GeniaCorpus",
    "JsonlCorpus",
    "LabelStudioCorpus",
    "OntonotesCorpus",
    "ParquetCorpus",
    "SemEval2010Corpus",
    "SlotFillingCorpus",
    "sentence_from_json",
]
