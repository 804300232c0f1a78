from nerzoo.data.dataset_readers.entity_spans import EntitySpansReader
from nerzoo.data.dataset_readers.reply_threads import ReplyThreadsReader
from nerzoo.data.dataset_readers.tagged_documents import TaggedDocumentsReader
from nerzoo.data.dataset_readers.tagged_sentences import TaggedSentencesReader
from nerzoo.data.dataset_readers.tagging_reader import TaggingReader

__all__ = ["EntitySpansReader", "ReplyThreadsReader", "TaggedDocumentsReader", "TaggedSentencesReader", "TaggingReader"]
