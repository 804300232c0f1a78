from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader
from nerzoo.data.dataset_readers.entity_spans import EntitySpansReader
from nerzoo.data.dataset_readers.reply_threads import ReplyThreadsReader
from nerzoo.data.dataset_readers.tagged_documents import TaggedDocumentsReader
from nerzoo.data.dataset_readers.tagged_segments import TaggedSegmentsReader
from nerzoo.data.dataset_readers.tagged_sentences import TaggedSentencesReader
from nerzoo.data.dataset_readers.tagging_reader import TaggingReader
from nerzoo.data.dataset_readers.text_lines import TextLinesReader

__all__ = [
    "AnnotatedTextReader",
    "EntitySpansReader",
    "ReplyThreadsReader",
    "TaggedDocumentsReader",
    "TaggedSegmentsReader",
    "TaggedSentencesReader",
    "TaggingReader",
    "TextLinesReader",
]
