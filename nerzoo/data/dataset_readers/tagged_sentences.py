from typing import Iterable, Optional

from allennlp.data import DatasetReader, Instance

from nerzoo.data.annotation import Sentence
from nerzoo.data.dataset_readers.tagging_reader import TaggingReader


@DatasetReader.register("tagged_sentences")
class TaggedSentencesReader(TaggingReader):
    """
    One instance a sentence, for taggers. Fields and parameters as in `TaggingReader`.
    """

    def _read(self, file_path: str) -> Iterable[Instance]:
        sentences = (
            (document.id, sentence) for document in self.documents(file_path) for sentence in document.sentences
        )
        for document_id, sentence in self.shard_iterable(sentences):
            yield self.text_to_instance(sentence, document_id=document_id)

    def text_to_instance(
        self, sentence: Sentence, text: Optional[str] = None, tagged: bool = True, document_id: Optional[str] = None
    ) -> Instance:
        """As `TaggingReader.sentence_fields`."""
        return Instance(self.sentence_fields(sentence, text, tagged, document_id))
