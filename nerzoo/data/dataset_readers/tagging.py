"""Readers for taggers: sentences, overlapping segments of sentences, and documents as instances."""

from dataclasses import replace
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, cast

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Field, Instance
from allennlp.data.fields import TensorField
from torch.nn.utils.rnn import pad_sequence

from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader
from nerzoo.data.fields import (
    AnnotatedLabelsField,
    MarginalsField,
    OpaqueMetadataField,
    ParsedField,
    TagField,
    WordsField,
)
from nerzoo.errors import check_choice, format_error
from nerzoo.formats.corpus import Corpus
from nerzoo.text.annotation import LAYERS, Document, Sentence, all_tags, check_coding_scheme, entities_to_tags, layer


class TaggingReader(AnnotatedTextReader):
    """
    The base class of readers for taggers: adds a tag for each word. Raises `ConfigurationError` for unknown values.

    # Parameters

    corpus : `Corpus`
        The format of the files.
    coding_scheme : `str`, optional (default = `"BIOUL"`)
        One of `nerzoo.text.annotation.SCHEMES`. Sentences with `tags` of their own keep those.
    layer : `str`, optional (default = `"outermost"`)
        The nested entities that become tags: `"outermost"` or `"innermost"`.
    tags_from : `str`, optional (default = `"entities"`)
        `"entities"`, or `"pos"` to tag parts of speech.
    **kwargs
        As in `AnnotatedTextReader`.
    """

    def __init__(
        self,
        corpus: Corpus,
        coding_scheme: str = "BIOUL",
        layer: str = "outermost",
        tags_from: str = "entities",
        **kwargs: Any,
    ) -> None:
        super().__init__(corpus, **kwargs)
        check_coding_scheme(coding_scheme)
        check_choice("layer", layer, LAYERS)
        check_choice("tags_from", tags_from, ("entities", "pos"))
        self._coding_scheme = coding_scheme
        self._layer = layer
        self._tags_from = tags_from

    def sentence_fields(
        self, sentence: Sentence, text: Optional[str], tagged: bool, document_id: Optional[str]
    ) -> Dict[str, Field]:
        """
        Returns `word_fields` and, if tags or entities are known (`tagged`), `tags` and metadata `gold_tags`. If only
        some types of entities are looked for, `annotated` is the set of their tags and O.
        """
        fields = self.word_fields(sentence, text, document_id)
        if tagged:
            tags, coding_scheme = self._tags(sentence)
            cast(OpaqueMetadataField, fields["metadata"]).metadata["gold_tags"] = tags
            tokens = cast(WordsField, fields["tokens"])
            fields["tags"] = TagField(tags, tokens, [sentence.location] * len(tags), coding_scheme)
        if sentence.annotated_types is not None:
            possible = all_tags(sentence.annotated_types, self._coding_scheme)
            fields["annotated"] = AnnotatedLabelsField(possible)
        return fields

    def _tags(self, sentence: Sentence) -> Tuple[List[str], Optional[str]]:
        """Returns the tags of a sentence and their coding scheme, if they have one."""
        if self._tags_from == "pos":
            if sentence.pos is None:
                raise ConfigurationError(f"{sentence.location}: found no pos, which tags_from names")
            return sentence.pos, None
        if sentence.tags is not None:
            return sentence.tags, sentence.coding_scheme
        entities = layer(sentence.entities, self._layer)
        return entities_to_tags(entities, len(sentence.words), self._coding_scheme), self._coding_scheme


@DatasetReader.register("tagged_sentences")
class TaggedSentencesReader(TaggingReader):
    """
    Reads one instance per sentence, for taggers. Parameters and fields as in `TaggingReader`. A sentence that has them
    has two more fields, for training: `loss_weight`, shape (), and `marginals`, see `MarginalsField`.
    """

    def _read(self, file_path: str) -> Iterable[Instance]:
        for document_id, sentence in self.shard_iterable(self.sentences(file_path)):
            yield self.text_to_instance(sentence, document_id=document_id)

    def text_to_instance(
        self, sentence: Sentence, text: Optional[str] = None, tagged: bool = True, document_id: Optional[str] = None
    ) -> Instance:
        """Returns the instance of a sentence. Parameters as in `TaggingReader.sentence_fields`."""
        fields = self.sentence_fields(sentence, text, tagged, document_id)
        if sentence.loss_weight is not None:
            fields["loss_weight"] = TensorField(torch.tensor(float(sentence.loss_weight)))
        if sentence.marginals is not None:
            fields["marginals"] = MarginalsField(sentence.marginals, len(sentence.words))
        return Instance(fields)


@DatasetReader.register("tagged_segments")
class TaggedSegmentsReader(TaggedSentencesReader):
    """
    Reads training data in segments (Dinarelli and Grobol, 2019, section 4.2): one instance per segment, a run of words
    of a fixed length. Evaluation is on whole sentences, hence a configuration names the reader `tagged_sentences` as
    its `validation_dataset_reader`.

    The first segment of a sentence starts at its first word, and each other segment one stride after the previous one.
    With `start` `every_token`, as in the paper, they go on to the last word, and those at the end of the sentence are
    shorter; with `full_windows` the last segment ends with the sentence, and only a shorter sentence is a shorter
    segment. Words keep the tags that they have in their sentences: a segment may start inside an entity. Segments have
    no trees. The vocabulary counts each word of a sentence once, whatever the stride, so that words that occur once are
    known as such. Raises `ConfigurationError` where length or stride are out of range, or all sentences of a file are
    shorter than a segment.

    # Parameters

    length : `int`
        The number of words of a segment.
    stride : `int`, optional (default = `1`)
        The number of words from the start of a segment to the start of the next one, from 1 to `length`.
    start : `str`, optional (default = `"full_windows"`)
        Where segments start at the end of a sentence, `"full_windows"` or `"every_token"`, see above.
    **kwargs
        As in `TaggingReader`.
    """

    def __init__(self, length: int, stride: int = 1, start: str = "full_windows", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        check_choice("start", start, ("full_windows", "every_token"))
        if length < 1:
            raise ConfigurationError(f"found segments of length {length}, expected at least 1")
        if not 1 <= stride <= length:
            expected = f"1 to {length}, the length of segments: no word may be lost"
            raise ConfigurationError(f"found a stride of {stride}, expected {expected}")
        self._length = length
        self._stride = stride
        self._shortens = start == "every_token"

    def sentences(self, file_path: str) -> Iterator[Tuple[Optional[str], Sentence]]:
        """Yields each segment of a file with the id of its document."""
        return ((document_id, segment) for document_id, segment, _ in self._segments(file_path))

    def _read(self, file_path: str) -> Iterator[Instance]:
        for document_id, segment, num_shared in self.shard_iterable(self._segments(file_path)):
            instance = self.text_to_instance(segment, document_id=document_id)
            words = cast(WordsField, instance["tokens"])
            words.first_counted = max(words.first_counted, num_shared)
            yield instance

    def _segments(self, file_path: str) -> Iterator[Tuple[Optional[str], Sentence, int]]:
        """Yields the id of its document, each segment, and the number of words that the previous segment shares."""
        longest = 0
        for document_id, sentence in super().sentences(file_path):
            longest = max(longest, len(sentence.words))
            tags, coding_scheme = self._tags(sentence)
            last = max(len(sentence.words) - self._length, 0)
            end = 0
            starts = range(0, len(sentence.words), self._stride)
            for start in starts if self._shortens else [*range(0, last, self._stride), last]:
                part = slice(start, start + self._length)
                segment = replace(
                    sentence,
                    words=sentence.words[part],
                    pos=sentence.pos and sentence.pos[part],
                    heads=None,
                    dep_labels=sentence.dep_labels and sentence.dep_labels[part],
                    tags=tags[part],
                    coding_scheme=coding_scheme,
                    entities=(),
                    space_after=sentence.space_after and sentence.space_after[part],
                    marginals=sentence.marginals and sentence.marginals[part],
                )
                yield document_id, segment, end - start if start else 0
                end = min(start + self._length, len(sentence.words))
        if longest < self._length:
            expected = f"a longer one, or segments of fewer than {self._length}"
            raise format_error(file_path, f"no sentence of more than {longest} words", expected)


@DatasetReader.register("tagged_documents")
class TaggedDocumentsReader(TaggingReader):
    """
    Reads one instance per document, for taggers that encode documents as a whole and tag them by sentences. Its fields
    are the `tokens` and `tags` of all sentences in a row; `sentences`, the position of each token of each of the N
    sentences, shape (N, length of the longest), -1 at padding; and `metadata` with the id of the document and the
    metadata of its sentences. Parameters as in `TaggingReader`. Raises `ConfigurationError` where a file does not
    separate documents.
    """

    def _read(self, file_path: str) -> Iterable[Instance]:
        for document in self.shard_iterable(self.documents(file_path)):
            if document.id is None:
                expected = "documents, bounded in the way of the corpus: # newdoc, -DOCSTART-, doc_id ..."
                raise format_error(file_path, f"{len(document.sentences)} sentences and no document", expected)
            yield self.text_to_instance(document)

    def text_to_instance(self, document: Document, texts: Optional[List[str]] = None, tagged: bool = True) -> Instance:
        """Returns the instance of a document. Parameters and errors as in `TaggingReader.sentence_fields`."""
        sentence_texts: Sequence[Optional[str]] = texts or [None] * len(document.sentences)
        sentences: List[Dict[str, Any]] = [
            self.sentence_fields(sentence, text, tagged, document.id)
            for sentence, text in zip(document.sentences, sentence_texts, strict=True)
        ]
        parser = next((fields["tokens"].parser for fields in sentences if fields["tokens"].parser is not None), None)
        tokens = ParsedField([token for fields in sentences for token in fields["tokens"]], parser=parser)
        positions = torch.arange(len(tokens)).split([len(sentence["tokens"]) for sentence in sentences])
        metadata = {"document_id": document.id, "sentences": [fields["metadata"].metadata for fields in sentences]}
        fields: Dict[str, Field] = {
            "tokens": tokens,
            "sentences": TensorField(pad_sequence(positions, batch_first=True, padding_value=-1), padding_value=-1),
            "metadata": OpaqueMetadataField(metadata),
        }
        if tagged:
            fields["tags"] = TagField.concatenate([sentence["tags"] for sentence in sentences], tokens)
        types = document.sentences[0].annotated_types
        if any(sentence.annotated_types != types for sentence in document.sentences):
            found = "a document with sentences of other types"
            raise format_error(document.sentences[0].location, found, "the same types for all sentences of a document")
        if types is not None:
            fields["annotated"] = sentences[0]["annotated"]
        return Instance(fields)
