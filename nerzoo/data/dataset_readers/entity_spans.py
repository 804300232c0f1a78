import logging
from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, cast

from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.data import DatasetReader, Instance, TokenIndexer

from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader
from nerzoo.data.fields import AnnotatedLabelsField, EntityField, OpaqueMetadataField, SpanField, WordsField
from nerzoo.data.spacy_parser import SpacyParser
from nerzoo.data.token_indexers.word_forms import CharacterToken
from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import read_predictions
from nerzoo.text.annotation import Document, Entity, Sentence, split_into_characters
from nerzoo.text.matching import span_depths

logger = logging.getLogger(__name__)


@DatasetReader.register("entity_spans")
class EntitySpansReader(AnnotatedTextReader):
    """
    Reads one instance per sentence, for models that label spans, so that entities may be nested. Adds two things to the
    fields of `AnnotatedTextReader.word_fields`: `spans`, a `SpanField`, and `gold_entities`, all entities, in the
    metadata.

    A span has the label of the first of several entities with the same span. The others, entities that are longer than
    any span and nested entities are counted and logged for each file. They stay gold entities, so that recall counts
    those that cannot be found.

    With `character_level`, tokens are the characters of words, as in Xu's thesis, section 5.5.2, for Chinese; lengths
    and entities, in predictions too, are then counted in characters. Each token is a `CharacterToken`, in which a
    `single_id` indexer with the `feature_name` `"word"` finds the word around the character. Trees are not read. Raises
    `ConfigurationError` where `max_length` is below one, or `character_level` does not fit the other parameters.

    # Parameters

    corpus, token_indexers, parser, predicted_trees, predicted_pos, max_instances
        As in `AnnotatedTextReader`.
    max_length : `int`, optional (default = `7`)
        The number of tokens of the longest spans.
    first_pass : `str`, optional
        For training a second pass: a file with the first pass's predictions for the file that is read, as `nerzoo
        cross-predict` and `nerzoo predict --use-dataset-reader` write it; or `"gold"`, for gold entities. It adds the
        field `first_pass`, an `EntityField`.
    character_level : `bool`, optional (default = `False`)
        Whether tokens are characters. Excludes `first_pass`.
    """

    # Every option by name: with **kwargs a misspelt one would end in a TypeError, not in AllenNLP's ConfigurationError.
    def __init__(
        self,
        corpus: Corpus,
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        max_length: int = 7,
        parser: Optional[SpacyParser] = None,
        predicted_trees: bool = False,
        predicted_pos: bool = False,
        max_instances: Optional[int] = None,
        first_pass: Optional[str] = None,
        character_level: bool = False,
    ) -> None:
        super().__init__(corpus, token_indexers, parser, predicted_trees, predicted_pos, max_instances=max_instances)
        if max_length < 1:
            raise ConfigurationError(f"found a max_length of {max_length}, expected spans of one token at least")
        if character_level and first_pass is not None:
            raise ConfigurationError("found a first_pass with character_level, expected one of them alone")
        if "word" in self._features and not character_level:
            found = "a token indexer of the word that a character stands in"
            raise ConfigurationError(f"found {found}, expected character_level to be true")
        self._max_length = max_length
        self._first_pass = first_pass
        self._character_level = character_level

    def documents(self, file_path: str) -> Iterator[Document]:
        """Yields the documents of a file. Warns how many entities are longer than spans, doubled or nested."""
        num_entities = num_long = num_repeated = num_inner = deepest = 0
        for document in super().documents(file_path):
            for sentence in document.sentences:
                entities = split_into_characters(sentence)[0].entities if self._character_level else sentence.entities
                depths = span_depths(entities)
                num_entities += len(entities)
                num_long += sum(end - start > self._max_length for start, end, _ in entities)
                num_repeated += len(entities) - len(depths)
                num_inner += sum(depth > 0 for depth in depths.values())
                deepest = max(deepest, *depths.values(), 0)
            yield document
        found = f"{file_path}: of {num_entities} entities,"
        if num_long or num_repeated:
            logger.warning(
                f"{found} {num_long} are longer than {self._max_length} tokens and {num_repeated} have the span of "
                "another with another type; no span has their label, but recall counts them"
            )
        if num_inner:
            logger.warning(
                f"{found} {num_inner} are inside another; a decoder needs {deepest + 1} levels to find all, and recall "
                "counts those that one with fewer cannot find"
            )

    def _read(self, file_path: str) -> Iterable[Instance]:
        """Raises `ConfigurationError` where the first pass does not have the sentences of the file."""
        if self._first_pass is None:
            for document_id, sentence in self.shard_iterable(self.sentences(file_path)):
                yield self.text_to_instance(sentence, document_id=document_id)
            return
        predictions = None if self._first_pass == "gold" else self._first_pass
        first_pass = with_first_pass(self.documents(file_path), file_path, predictions)
        for document_id, sentence, entities, location in self.shard_iterable(first_pass):
            instance = self.text_to_instance(sentence, document_id=document_id)
            instance.add_field("first_pass", EntityField(entities, len(sentence.words), location=location))
            yield instance

    def text_to_instance(
        self, sentence: Sentence, text: Optional[str] = None, tagged: bool = True, document_id: Optional[str] = None
    ) -> Instance:
        """Returns the instance of a sentence, as `word_fields`, and its entities if they are known: `tagged`."""
        words: List[str] = []
        if self._character_level:
            sentence, words = split_into_characters(sentence)
        instance = Instance(self.word_fields(sentence, text, document_id))
        if self._character_level:
            field = cast(WordsField, instance["tokens"])
            field.tokens = list(map(CharacterToken, field.tokens, words))
        if tagged:
            if sentence.tags is not None:
                raise ConfigurationError(f"{sentence.location}: found a label for each word, expected entities")
            entities, location = sentence.entities, sentence.location
            cast(OpaqueMetadataField, instance["metadata"]).metadata["gold_entities"] = entities
            instance.add_field("spans", SpanField(entities, len(sentence.words), self._max_length, location=location))
        if sentence.annotated_types is not None:
            instance.add_field("annotated", AnnotatedLabelsField(sentence.annotated_types))
        return instance


class FirstPass(NamedTuple):
    """A sentence, the entities, possibly nested, that a first pass found in it, and their location, `file:line`."""

    document_id: Optional[str]
    sentence: Sentence
    entities: Sequence[Entity]
    location: str


def with_first_pass(
    documents: Iterable[Document], file_path: str, predictions: Optional[str] = None
) -> Iterator[FirstPass]:
    """
    Yields the sentences of a file's documents with the entities of a file of predictions, by default the gold entities.
    Raises `ConfigurationError` where there is no file of predictions, or its sentences are not those of the documents.
    """
    sentences = ((document.id, sentence) for document in documents for sentence in document.sentences)
    if predictions is None:
        for document_id, sentence in sentences:
            yield FirstPass(document_id, sentence, sentence.entities, sentence.location)
        return
    try:
        cached_path(predictions)
    except FileNotFoundError:
        command = "`nerzoo cross-predict CONFIG -s FOLDER` writes FOLDER/predictions.jsonl"
        raise format_error(predictions, "no such file", f"the predictions of a first pass; {command}") from None
    predicted = read_predictions(predictions, "entities")
    for document_id, sentence in sentences:
        found = next(predicted, None)
        if found is None:
            raise format_error(predictions, f"no prediction for {sentence.location}", "one for each sentence")
        if found.words != sentence.words:
            remedy = "a file for validation needs no predictions, but a validation_dataset_reader without first_pass"
            expected = f"those of {sentence.location}, {sentence.words}; {remedy}"
            raise format_error(found.location, f"the words {found.words}", expected)
        yield FirstPass(document_id, sentence, found.predicted, found.location)
    for found in predicted:
        raise format_error(found.location, "an extra prediction", f"as many as {file_path} has sentences")
