import logging
from collections import Counter
from typing import Dict, Iterable, Iterator, List, Optional, Sequence

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance, TokenIndexer

from nerzoo.data.annotation import Document, Entity, Sentence
from nerzoo.data.character_sentence import character_sentence
from nerzoo.data.character_token import CharacterToken
from nerzoo.data.corpora import Corpus
from nerzoo.data.dataset_readers.tagged_sentences import TaggedSentencesReader
from nerzoo.data.fields import EntityField, SpanField
from nerzoo.data.first_pass import with_first_pass
from nerzoo.data.spacy_parser import SpacyParser

logger = logging.getLogger(__name__)


@DatasetReader.register("entity_spans")
class EntitySpansReader(TaggedSentencesReader):
    """
    One instance a sentence, for models that label its spans, so that entities may be nested. Fields as in
    `TaggingReader`, but for `spans`, a `SpanField`, in place of tags, and `gold_entities`, all of them, in
    place of gold tags.

    A span has one label: of entities with the same span it has that of the first, by the alphabet if the corpus
    orders them. Those others, and entities that are longer than any span, are counted and logged for each file;
    they stay gold entities, so that recall counts them as missed. So are entities inside others, with the levels that a
    decoder needs to find them all; one with fewer misses some.

    With `character_level`, tokens are the characters of words, as Xu's thesis, section 5.5.2, has it for Chinese; all
    that is counted in tokens, entities too, is then counted in characters, in predictions as well. Each is a
    `CharacterToken`, so that a `single_id` indexer with the `feature_name` `"word"` finds the word that it stands in.
    There are no trees of characters: those of the corpus are not read.

    # Parameters

    corpus : `Corpus`
        The format of the files.
    token_indexers : `Dict[str, TokenIndexer]`, optional (default = `{"tokens": SingleIdTokenIndexer()}`)
    max_length : `int`, optional (default = `7`)
        The most tokens that a span has.
    parser : `SpacyParser`, optional
        As in `TaggingReader`.
    predicted_trees : `bool`, optional (default = `False`)
        As in `TaggingReader`.
    max_instances : `int`, optional
        How many sentences to read; by default, all.
    first_pass : `str`, optional
        For training a second pass: a file with the first one's predictions for the file that is read, as `allennlp
        cross-predict` and `allennlp predict --use-dataset-reader` write it; or `"gold"`, for gold entities in place of
        predicted ones. It adds the field `first_pass`, an `EntityField`.
    character_level : `bool`, optional (default = `False`)
        Whether tokens are characters. There is no second pass over them.

    # Raises

    `ConfigurationError` where `max_length` is below one, or `character_level` does not fit the other parameters.
    """

    # AllenNLP would take the superclass's coding_scheme and layer through **kwargs, which mean nothing here.
    def __init__(
        self,
        corpus: Corpus,
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        max_length: int = 7,
        parser: Optional[SpacyParser] = None,
        predicted_trees: bool = False,
        max_instances: Optional[int] = None,
        first_pass: Optional[str] = None,
        character_level: bool = False,
    ) -> None:
        super().__init__(
            corpus=corpus,
            token_indexers=token_indexers,
            parser=parser,
            predicted_trees=predicted_trees,
            max_instances=max_instances,
        )
        if max_length < 1:
            raise ConfigurationError(f"found a max_length of {max_length}, expected spans of one token at least")
        self._max_length = max_length
        if character_level and first_pass is not None:
            raise ConfigurationError("found a first_pass with character_level, expected one of them alone")
        if "word" in self._features and not character_level:
            raise ConfigurationError(
                "found a token indexer of the word that a character stands in, expected character_level to be true"
            )
        self._first_pass = first_pass
        self._character_level = character_level

    def documents(self, file_path: str) -> Iterator[Document]:
        """As in `TaggingReader`; logs what no span's label stands for, and what is nested."""
        counts: Counter = Counter()
        deepest = 0
        for document in super().documents(file_path):
            for sentence in document.sentences:
                entities = character_sentence(sentence)[0].entities if self._character_level else sentence.entities
                depths = _depths(entities)
                counts["entities"] += len(entities)
                counts["long"] += sum(end - start > self._max_length for start, end, _ in entities)
                counts["spans"] += len(depths)
                counts["inner"] += sum(depth > 0 for depth in depths)
                deepest = max(deepest, *depths, 0)
            yield document
        repeated = counts["entities"] - counts["spans"]
        if counts["long"] or repeated:
            logger.info(
                "%s: of %d entities, %d are longer than %d tokens and %d have the span of another with another type; "
                "no span has their label, but recall counts them",
                file_path,
                counts["entities"],
                counts["long"],
                self._max_length,
                repeated,
            )
        if counts["inner"]:
            logger.info(
                "%s: of %d entities, %d are inside another; a decoder needs %d levels to find all, and recall counts "
                "those that one with fewer cannot find",
                file_path,
                counts["entities"],
                counts["inner"],
                deepest + 1,
            )

    def _read(self, file_path: str) -> Iterable[Instance]:
        """Raises `ConfigurationError` where the first pass does not have the sentences of the file."""
        if self._first_pass is None:
            yield from super()._read(file_path)
            return
        predictions = None if self._first_pass == "gold" else self._first_pass
        first_pass = with_first_pass(self.documents(file_path), file_path, predictions)
        for document_id, sentence, entities, where in self.shard_iterable(first_pass):
            instance = self.text_to_instance(sentence, document_id=document_id)
            instance.add_field("first_pass", EntityField(entities, len(sentence.words), where=where))
            yield instance

    def text_to_instance(
        self, sentence: Sentence, text: Optional[str] = None, tagged: bool = True, document_id: Optional[str] = None
    ) -> Instance:
        """
        As `TaggingReader.sentence_fields`. Raises `ConfigurationError` also where words have labels of their own.
        """
        words: List[str] = []
        if self._character_level:
            sentence, words = character_sentence(sentence)
        instance = Instance(self.sentence_fields(sentence, text, False, document_id))
        if self._character_level:
            field = instance["tokens"]
            field.tokens = list(map(CharacterToken, field.tokens, words))
        if tagged:
            if sentence.tags is not None:
                raise ConfigurationError(f"{sentence.place}: found a label for each word, expected entities")
            instance["metadata"].metadata["gold_entities"] = sentence.entities
            instance.add_field(
                "spans",
                SpanField(sentence.entities, len(sentence.words), self._max_length, where=sentence.place),
            )
        return instance


def _depths(entities: Sequence[Entity]) -> List[int]:
    """Of each different span, how many others contain it."""
    spans = {(start, end) for start, end, _ in entities}
    return [sum(start <= first and last <= end for start, end in spans) - 1 for first, last in spans]
