from typing import Iterable, Optional

from allennlp.data import DatasetReader, Instance

from nerzoo.data.annotation import Sentence
from nerzoo.data.dataset_readers.tagging_reader import TaggingReader


@DatasetReader.register("tagged_sentences")
class TaggedSentencesReader(TaggingReader):
    """
    Reads one instance per sentence, for taggers. Parameters and fields as in `TaggingReader`.
    """

    def _read(self, file_path: str) -> Iterable[Instance]:
        for document_id, sentence in self.shard_iterable(self.sentences(file_path)):
            yield self.text_to_instance(sentence, document_id=document_id)

    def text_to_instance(
        self, sentence: Sentence, text: Optional[str] = None, tagged: bool = True, document_id: Optional[str] = None
    ) -> Instance:
        """Returns the fields of `TaggingReader.sentence_fields`, whose parameters these are, as an instance."""
        return Instance(self.sentence_fields(sentence, text, tagged, document_id))
