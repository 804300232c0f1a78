from nerzoo.formats.brat import BratCorpus as BratCorpus, BratWriter as BratWriter
from nerzoo.formats.columns import ColumnsCorpus as ColumnsCorpus, ColumnsWriter as ColumnsWriter
from nerzoo.formats.conllu import ConlluCorpus as ConlluCorpus, ConlluWriter as ConlluWriter
from nerzoo.formats.corpus import Corpus as Corpus
from nerzoo.formats.doccano import DoccanoCorpus as DoccanoCorpus, DoccanoWriter as DoccanoWriter
from nerzoo.formats.genia import GeniaCorpus as GeniaCorpus
from nerzoo.formats.irc import IrcThreads as IrcThreads
from nerzoo.formats.jsonl import (
    JsonlCorpus as JsonlCorpus,
    JsonlWriter as JsonlWriter,
    sentence_from_json as sentence_from_json,
    sentence_to_json as sentence_to_json,
)
from nerzoo.formats.label_studio import LabelStudioCorpus as LabelStudioCorpus, LabelStudioWriter as LabelStudioWriter
from nerzoo.formats.molweni import MolweniThreads as MolweniThreads
from nerzoo.formats.ontonotes import OntonotesCorpus as OntonotesCorpus
from nerzoo.formats.parquet import ParquetCorpus as ParquetCorpus, ParquetWriter as ParquetWriter
from nerzoo.formats.semeval2010 import SemEval2010Corpus as SemEval2010Corpus
from nerzoo.formats.slot_filling import SlotFillingCorpus as SlotFillingCorpus
from nerzoo.formats.thread_jsonl import (
    JsonlThreads as JsonlThreads,
    thread_from_json as thread_from_json,
    thread_to_json as thread_to_json,
)
from nerzoo.formats.threads import (
    START as START,
    Link as Link,
    Post as Post,
    Thread as Thread,
    ThreadCorpus as ThreadCorpus,
    group_by_shared_posts as group_by_shared_posts,
)
from nerzoo.formats.writer import AnnotationWriter as AnnotationWriter, TextWriter as TextWriter
