from typing import Any, Dict, Iterable, List, Optional, Sequence

import torch
from allennlp.data import DatasetReader, Field, Instance
from allennlp.data.fields import TensorField, TextField
from torch.nn.utils.rnn import pad_sequence

from nerzoo.data.dataset_readers.tagged_sentences import TaggingReader
from nerzoo.data.fields import OpaqueMetadataField, TagField
from nerzoo.errors import format_error
from nerzoo.text.annotation import Document


@DatasetReader.register("tagged_documents")
class TaggedDocumentsReader(TaggingReader):
    """
    Reads one instance per document, for taggers that encode documents as a whole and tag them by sentences. Its fields
    are the `tokens` and `tags` of all sentences in a row; `sentences`, the position of each token of each of the N
    sentences, shape (N, length of the longest), -1 at padding; and `metadata` with the id of the document and the
    metadata of its sentences, as in `TaggingReader`.

    Parameters as in `TaggingReader`.

    # Raises

    `ConfigurationError` where a file does not separate documents.
    """

    def _read(self, file_path: str) -> Iterable[Instance]:
        for document in self.shard_iterable(self.documents(file_path)):
            if document.id is None:
                expected = "documents, bounded in the way of the corpus: # newdoc, -DOCSTART-, doc_id ..."
                raise format_error(file_path, f"{len(document.sentences)} sentences and no document", expected)
            yield self.text_to_instance(document)

    def text_to_instance(self, document: Document, texts: Optional[List[str]] = None, tagged: bool = True) -> Instance:
        """
        Returns the instance of a document, with its tags if they or the entities are known: `tagged`. `texts` has the
        text of each sentence that has its words. Raises `ConfigurationError` where a token indexer needs annotation
        that a sentence lacks.
        """
        sentence_texts: Sequence[Optional[str]] = texts or [None] * len(document.sentences)
        sentences: List[Dict[str, Any]] = [
            self.sentence_fields(sentence, text, tagged, document.id)
            for sentence, text in zip(document.sentences, sentence_texts, strict=True)
        ]
        tokens = TextField([token for sentence in sentences for token in sentence["tokens"]])
        positions = torch.arange(len(tokens)).split([len(sentence["tokens"]) for sentence in sentences])
        metadata = {"document_id": document.id, "sentences": [fields["metadata"].metadata for fields in sentences]}
        fields: Dict[str, Field] = {
            "tokens": tokens,
            "sentences": TensorField(pad_sequence(positions, batch_first=True, padding_value=-1), padding_value=-1),
            "metadata": OpaqueMetadataField(metadata),
        }
        if tagged:
            fields["tags"] = TagField.concatenate([sentence["tags"] for sentence in sentences], tokens)
        return Instance(fields)
