import logging
from collections import Counter
from typing import Dict, Iterator, Optional

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance, TokenIndexer

from nerzoo.data.corpora import Corpus, Document, Sentence
from nerzoo.data.dataset_readers.tagged_sentences import TaggedSentencesReader
from nerzoo.data.fields import FragmentField
from nerzoo.data.spacy_parser import SpacyParser

logger = logging.getLogger(__name__)


@DatasetReader.register("entity_spans")
class EntitySpansReader(TaggedSentencesReader):
    """
    One instance a sentence, for models that label its fragments, so that entities may be nested. Fields as in
    `TaggingReader`, but for `fragments`, a `FragmentField`, in place of tags, and `gold_entities`, all of them, in
    place of gold tags.

    A fragment has one label: of entities with the same span it has that of the first, by the alphabet if the corpus
    orders them. Those others, and entities that are longer than any fragment, are counted and logged for each file;
    they stay gold entities, so that recall counts them as missed.

    # Parameters

    corpus : `Corpus`
        The format of the files.
    token_indexers : `Dict[str, TokenIndexer]`, optional (default = `{"tokens": SingleIdTokenIndexer()}`)
    max_length : `int`, optional (default = `7`)
        The most tokens that a fragment has.
    parser : `SpacyParser`, optional
        As in `TaggingReader`.
    predicted_trees : `bool`, optional (default = `False`)
        As in `TaggingReader`.
    max_instances : `int`, optional
        How many sentences to read; by default, all.

    # Raises

    `ConfigurationError` where `max_length` is below one.
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
    ) -> None:
        super().__init__(
            corpus=corpus,
            token_indexers=token_indexers,
            parser=parser,
            predicted_trees=predicted_trees,
            max_instances=max_instances,
        )
        if max_length < 1:
            raise ConfigurationError(f"found a max_length of {max_length}, expected fragments of one token at least")
        self._max_length = max_length

    def documents(self, file_path: str) -> Iterator[Document]:
        """As in `TaggingReader`; logs what no fragment's label stands for."""
        counts: Counter = Counter()
        for document in super().documents(file_path):
            for sentence in document.sentences:
                counts["entities"] += len(sentence.entities)
                counts["long"] += sum(end - start > self._max_length for start, end, _ in sentence.entities)
                counts["spans"] += len({(start, end) for start, end, _ in sentence.entities})
            yield document
        repeated = counts["entities"] - counts["spans"]
        if counts["long"] or repeated:
            logger.info(
                "%s: of %d entities, %d are longer than %d tokens and %d have the span of another with another type; "
                "no fragment has their label, but recall counts them",
                file_path,
                counts["entities"],
                counts["long"],
                self._max_length,
                repeated,
            )

    def text_to_instance(
        self, sentence: Sentence, text: Optional[str] = None, tagged: bool = True, document_id: Optional[str] = None
    ) -> Instance:
        """
        As `TaggingReader.sentence_fields`. Raises `ConfigurationError` also where words have labels of their own.
        """
        instance = Instance(self.sentence_fields(sentence, text, False, document_id))
        if tagged:
            if sentence.tags is not None:
                raise ConfigurationError(f"sentence {sentence.id}: found a label for each word, expected entities")
            instance["metadata"].metadata["gold_entities"] = sentence.entities
            instance.add_field(
                "fragments",
                FragmentField(sentence.entities, len(sentence.words), self._max_length, sentence_id=sentence.id),
            )
        return instance
