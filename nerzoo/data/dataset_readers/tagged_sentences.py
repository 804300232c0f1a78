from typing import Any, Dict, Iterable, List, Optional, Tuple, cast

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Field, Instance

from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader
from nerzoo.data.fields import OpaqueMetadataField, TagField, WordsField
from nerzoo.formats.corpus import Corpus
from nerzoo.text import tag_schemes
from nerzoo.text.annotation import Sentence


class TaggingReader(AnnotatedTextReader):
    """
    The base class of readers for taggers: adds a tag for each word.

    # Parameters

    corpus : `Corpus`
        The format of the files.
    coding_scheme : `str`, optional (default = `"BIOUL"`)
        One of `nerzoo.text.tag_schemes.SCHEMES`. Sentences with `tags` of their own keep those.
    layer : `str`, optional (default = `"outermost"`)
        The nested entities that become tags: `"outermost"` or `"innermost"`.
    tags_from : `str`, optional (default = `"entities"`)
        `"entities"`, or `"pos"` to tag parts of speech.
    **kwargs
        As in `AnnotatedTextReader`.

    # Raises

    `ConfigurationError` where one of the parameters has an unknown value.
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
        tag_schemes.check_coding_scheme(coding_scheme)
        tag_schemes.check_layer(layer)
        if tags_from not in ("entities", "pos"):
            raise ConfigurationError(f"tags_from must be entities or pos, found {tags_from!r}")
        self._coding_scheme = coding_scheme
        self._layer = layer
        self._tags_from = tags_from

    def sentence_fields(
        self, sentence: Sentence, text: Optional[str], tagged: bool, document_id: Optional[str]
    ) -> Dict[str, Field]:
        """
        Returns the fields of `AnnotatedTextReader.word_fields` and, if the tags or entities are known (`tagged`), also
        `tags`, and `gold_tags` in the metadata. Raises `ConfigurationError` where a token indexer or the tags need
        annotation that the sentence lacks.
        """
        fields = self.word_fields(sentence, text, document_id)
        if tagged:
            tags, coding_scheme = self._tags(sentence)
            cast(OpaqueMetadataField, fields["metadata"]).metadata["gold_tags"] = tags
            tokens = cast(WordsField, fields["tokens"])
            fields["tags"] = TagField(tags, tokens, [sentence.location] * len(tags), coding_scheme)
        return fields

    def _tags(self, sentence: Sentence) -> Tuple[List[str], Optional[str]]:
        """Returns the tags of a sentence and their coding scheme, if they have one."""
        if self._tags_from == "pos":
            if sentence.pos is None:
                raise ConfigurationError(f"{sentence.location}: found no pos, which tags_from names")
            return sentence.pos, None
        if sentence.tags is not None:
            return sentence.tags, sentence.coding_scheme
        entities = tag_schemes.layer(sentence.entities, self._layer)
        return tag_schemes.entities_to_tags(entities, len(sentence.words), self._coding_scheme), self._coding_scheme


@DatasetReader.register("tagged_sentences")
class TaggedSentencesReader(TaggingReader):
    """Reads one instance per sentence, for taggers. Parameters and fields as in `TaggingReader`."""

    def _read(self, file_path: str) -> Iterable[Instance]:
        for document_id, sentence in self.shard_iterable(self.sentences(file_path)):
            yield self.text_to_instance(sentence, document_id=document_id)

    def text_to_instance(
        self, sentence: Sentence, text: Optional[str] = None, tagged: bool = True, document_id: Optional[str] = None
    ) -> Instance:
        """Returns the instance of a sentence. Parameters as in `TaggingReader.sentence_fields`."""
        return Instance(self.sentence_fields(sentence, text, tagged, document_id))
