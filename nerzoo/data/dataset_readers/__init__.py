from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader as AnnotatedTextReader
from nerzoo.data.dataset_readers.entity_spans import EntitySpansReader as EntitySpansReader
from nerzoo.data.dataset_readers.reply_threads import ReplyThreadsReader as ReplyThreadsReader
from nerzoo.data.dataset_readers.tagged_documents import TaggedDocumentsReader as TaggedDocumentsReader
from nerzoo.data.dataset_readers.tagged_segments import TaggedSegmentsReader as TaggedSegmentsReader
from nerzoo.data.dataset_readers.tagged_sentences import (
    TaggedSentencesReader as TaggedSentencesReader,
    TaggingReader as TaggingReader,
)
from nerzoo.data.dataset_readers.text_lines import TextLinesReader as TextLinesReader
