from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader
from nerzoo.data.dataset_readers.entity_spans import EntitySpansReader
from nerzoo.data.dataset_readers.reply_threads import ReplyThreadsReader
from nerzoo.data.dataset_readers.tagging import (
    TaggedDocumentsReader,
    TaggedSegmentsReader,
    TaggedSentencesReader,
    TaggingReader,
)
from nerzoo.data.dataset_readers.text_lines import TextLinesReader
