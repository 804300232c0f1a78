from typing import Dict, Iterator, List, Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Field, Instance, TokenIndexer
from allennlp.data.fields import TensorField
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.data.tokenizers import Token

from nerzoo.data import tag_schemes
from nerzoo.data.annotation import Document, Sentence
from nerzoo.data.character_offsets import character_offsets
from nerzoo.data.corpora import Corpus
from nerzoo.data.fields import OpaqueMetadataField, TagField, WordsField
from nerzoo.data.spacy_parser import SpacyParser


class TaggingReader(DatasetReader):
    """
    What readers for taggers share: from a file to documents, and from a sentence to fields.

    The part of speech and the dependency label of a word are its token's `tag_` and `dep_`, where a `single_id` indexer
    with that `feature_name` finds them.

    # Parameters

    corpus : `Corpus`
        The format of the files.
    token_indexers : `Dict[str, TokenIndexer]`, optional (default = `{"tokens": SingleIdTokenIndexer()}`)
    coding_scheme : `str`, optional (default = `"BIOUL"`)
        `"BIO"` or `"BIOUL"`: how tags stand for entities. Sentences with `tags` of their own keep those.
    layer : `str`, optional (default = `"outermost"`)
        `"outermost"` or `"innermost"`: which of nested entities the tags stand for.
    tags_from : `str`, optional (default = `"entities"`)
        `"entities"`, or `"pos"` to tag parts of speech.
    parser : `SpacyParser`, optional (default = one that only splits English text into words)
        Parses raw text for the predictor.
    predicted_trees : `bool`, optional (default = `False`)
        Whether `parser` finds the parts of speech and the trees of files, too, in place of those in the corpus.
    """

    def __init__(
        self,
        corpus: Corpus,
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        coding_scheme: str = "BIOUL",
        layer: str = "outermost",
        tags_from: str = "entities",
        parser: Optional[SpacyParser] = None,
        predicted_trees: bool = False,
        **kwargs,
    ) -> None:
        super().__init__(manual_distributed_sharding=True, manual_multiprocess_sharding=True, **kwargs)
        tag_schemes.check_scheme(coding_scheme)
        tag_schemes.check_layer(layer)
        if tags_from not in ("entities", "pos"):
            raise ConfigurationError(f"tags_from must be entities or pos, found {tags_from!r}")
        self.corpus = corpus
        self.parser = parser or SpacyParser()
        self._token_indexers = token_indexers or {"tokens": SingleIdTokenIndexer()}
        self._features = {getattr(indexer, "_feature_name", None) for indexer in self._token_indexers.values()}
        self._coding_scheme = coding_scheme
        self._layer = layer
        self._tags_from = tags_from
        self._predicted_trees = predicted_trees

    def apply_token_indexers(self, instance: Instance) -> None:
        instance["tokens"].token_indexers = self._token_indexers

    def documents(self, file_path: str) -> Iterator[Document]:
        """The documents of a file, parsed if `predicted_trees`."""
        for document in self.corpus.read(file_path):
            if self._predicted_trees:
                document.sentences = list(self.parser.reparse(document.sentences))
            yield document

    def sentence_fields(
        self, sentence: Sentence, text: Optional[str], tagged: bool, document_id: Optional[str]
    ) -> Dict[str, Field]:
        """
        # Parameters

        sentence : `Sentence`
        text : `str`, optional
            The text that the words come from, to which offsets refer; if none, `sentence.text`.
        tagged : `bool`
            Whether the sentence's tags or entities are known.
        document_id : `str`, optional
            The id of the document that the sentence stands in.

        # Returns

        `Dict[str, Field]`
            `tokens`, `tags` if they are known, `heads` if the sentence has a tree, and `metadata` with the id of the
            document, the words, the text, the offsets of the words in it and the gold tags.

        # Raises

        `ConfigurationError` where a token indexer or the tags need what the sentence does not have.
        """
        text = sentence.text if text is None else text
        for feature, name in (("tag_", "pos"), ("dep_", "dep_labels")):
            if feature in self._features and getattr(sentence, name) is None:
                raise ConfigurationError(f"{sentence.place}: found no {name}, which a token indexer needs")
        offsets = character_offsets(sentence.words, text)
        unknown = [None] * len(sentence.words)
        tokens = WordsField(
            [
                Token(word, idx=offset, tag_=pos, dep_=dep_label)
                for word, offset, pos, dep_label in zip(
                    sentence.words, offsets, sentence.pos or unknown, sentence.dep_labels or unknown, strict=True
                )
            ]
        )
        metadata = {"document_id": document_id, "words": sentence.words, "text": text, "offsets": offsets}
        fields: Dict[str, Field] = {"tokens": tokens, "metadata": OpaqueMetadataField(metadata)}
        if sentence.heads is not None:
            fields["heads"] = TensorField(torch.tensor(sentence.heads), padding_value=-1)
        if tagged:
            metadata["gold_tags"], coding_scheme = self._tags(sentence)
            fields["tags"] = TagField(metadata["gold_tags"], tokens, [sentence.place] * len(tokens), coding_scheme)
        return fields

    def _tags(self, sentence: Sentence) -> Tuple[List[str], Optional[str]]:
        """The tags of the sentence and their coding scheme, if they have one."""
        if self._tags_from == "pos":
            if sentence.pos is None:
                raise ConfigurationError(f"{sentence.place}: found no pos, which tags_from names")
            return sentence.pos, None
        if sentence.tags is not None:
            return sentence.tags, sentence.coding_scheme
        entities = tag_schemes.layer(sentence.entities, self._layer)
        return tag_schemes.entities_to_tags(entities, len(sentence.words), self._coding_scheme), self._coding_scheme
