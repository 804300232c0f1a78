from typing import Any, Dict, Iterable, List, Optional, Sequence

import torch
from allennlp.data import DatasetReader, Field, Instance
from allennlp.data.fields import TensorField, TextField
from torch.nn.utils.rnn import pad_sequence

from nerzoo.data.dataset_readers.tagged_sentences import TaggingReader
from nerzoo.data.fields.tag_field import TagField
from nerzoo.data.fields.words_field import OpaqueMetadataField
from nerzoo.errors import format_error
from nerzoo.text.annotation import Document


@DatasetReader.register("tagged_documents")
class TaggedDocumentsReader(TaggingReader):
    """
    Reads documents for taggers that encode them as a whole and tag them by sentences: one instance a document. Its
    fields are `tokens` and `tags` of all sentences one after the other; `sentences`, the position of each token of each
    of the N sentences, shape (N, length of the longest), -1 at padding; and `metadata` with the id of the document and
    the metadata of its sentences, as in `TaggingReader`.

    Parameters as in `TaggingReader`.

    # Raises

    `ConfigurationError` where nothing bounds documents in a file.
    """

    def _read(self, file_path: str) -> Iterable[Instance]:
        for document in self.shard_iterable(self.documents(file_path)):
            if document.id is None:
                expected = "documents, bounded in the way of the corpus: # newdoc, -DOCSTART-, doc_id ..."
                raise format_error(file_path, f"{len(document.sentences)} sentences and no document", expected)
            yield self.text_to_instance(document)

    def text_to_instance(self, document: Document, texts: Optional[List[str]] = None, tagged: bool = True) -> Instance:
        """
        # Parameters

        document : `Document`
            One sentence at least.
        texts : `List[str]`, optional
            The text of each sentence, from which its words come.
        tagged : `bool`, optional (default = `True`)
            Whether the tags or entities are known.

        # Raises

        `ConfigurationError` where a token indexer needs what a sentence does not have.
        """
        of_sentences: Sequence[Optional[str]] = texts or [None] * len(document.sentences)
        sentences: List[Dict[str, Any]] = [
            self.sentence_fields(sentence, text, tagged, document.id)
            for sentence, text in zip(document.sentences, of_sentences, strict=True)
        ]
        tokens = TextField([token for sentence in sentences for token in sentence["tokens"]])
        positions = torch.arange(len(tokens)).split([len(sentence["tokens"]) for sentence in sentences])
        metadata = {
            "document_id": document.id,
            "sentences": [sentence["metadata"].metadata for sentence in sentences],
        }
        fields: Dict[str, Field] = {
            "tokens": tokens,
            "sentences": TensorField(pad_sequence(positions, batch_first=True, padding_value=-1), padding_value=-1),
            "metadata": OpaqueMetadataField(metadata),
        }
        if tagged:
            fields["tags"] = TagField.concatenate([sentence["tags"] for sentence in sentences], tokens)
        return Instance(fields)
