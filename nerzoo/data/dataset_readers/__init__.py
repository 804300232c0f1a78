from nerzoo.data.dataset_readers.tagged_sentences import TaggedSentencesReader

__all__ = ["TaggedSentencesReader"]
