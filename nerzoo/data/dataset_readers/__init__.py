from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader as AnnotatedTextReader
from nerzoo.data.dataset_readers.entity_spans import EntitySpansReader as EntitySpansReader
from nerzoo.data.dataset_readers.reply_threads import ReplyThreadsReader as ReplyThreadsReader
from nerzoo.data.dataset_readers.tagging import (
    TaggedDocumentsReader as TaggedDocumentsReader,
    TaggedSegmentsReader as TaggedSegmentsReader,
    TaggedSentencesReader as TaggedSentencesReader,
    TaggingReader as TaggingReader,
)
from nerzoo.data.dataset_readers.text_lines import TextLinesReader as TextLinesReader
