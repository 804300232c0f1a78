from typing import Dict, Iterable, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Field, Instance, TokenIndexer
from allennlp.data.fields import MetadataField, TensorField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.data.tokenizers import Token

from nerzoo.data import tag_schemes
from nerzoo.data.character_offsets import character_offsets
from nerzoo.data.corpora import Corpus, Sentence
from nerzoo.data.fields import TagField
from nerzoo.data.spacy_parser import SpacyParser


@DatasetReader.register("tagged_sentences")
class TaggedSentencesReader(DatasetReader):
    """
    One instance a sentence, for taggers: `tokens`, `tags`, `heads` where the corpus has trees, and `metadata` with the
    words, the text, the offsets of the words in it and the gold tags.

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
        parser: Optional[SpacyParser] = None,
        predicted_trees: bool = False,
        **kwargs,
    ) -> None:
        super().__init__(manual_distributed_sharding=True, manual_multiprocess_sharding=True, **kwargs)
        tag_schemes.check_scheme(coding_scheme)
        tag_schemes.check_layer(layer)
        self.corpus = corpus
        self.parser = parser or SpacyParser()
        self._token_indexers = token_indexers or {"tokens": SingleIdTokenIndexer()}
        self._features = {getattr(indexer, "_feature_name", None) for indexer in self._token_indexers.values()}
        self._coding_scheme = coding_scheme
        self._layer = layer
        self._predicted_trees = predicted_trees

    def _read(self, file_path: str) -> Iterable[Instance]:
        sentences = (sentence for document in self.corpus.read(file_path) for sentence in document.sentences)
        sentences = self.shard_iterable(sentences)
        if self._predicted_trees:
            sentences = self.parser.reparse(sentences)
        for sentence in sentences:
            yield self.text_to_instance(sentence)

    def text_to_instance(self, sentence: Sentence, text: Optional[str] = None, tagged: bool = True) -> Instance:
        """
        # Parameters

        sentence : `Sentence`
        text : `str`, optional (default = `sentence.text`)
            The text that the words come from, to which offsets refer.
        tagged : `bool`, optional (default = `True`)
            Whether the sentence's tags or entities are known.

        # Raises

        `ConfigurationError` where a token indexer needs what the sentence does not have.
        """
        text = sentence.text if text is None else text
        for feature, name in (("tag_", "pos"), ("dep_", "dep_labels")):
            if feature in self._features and getattr(sentence, name) is None:
                raise ConfigurationError(f"{sentence.id or text!r}: found no {name}, which a token indexer needs")
        offsets = character_offsets(sentence.words, text)
        unknown = [None] * len(sentence.words)
        tokens = TextField(
            [
                Token(word, idx=offset, tag_=pos, dep_=dep_label)
                for word, offset, pos, dep_label in zip(
                    sentence.words, offsets, sentence.pos or unknown, sentence.dep_labels or unknown, strict=True
                )
            ]
        )
        metadata = {"words": sentence.words, "text": text, "offsets": offsets}
        fields: Dict[str, Field] = {"tokens": tokens, "metadata": MetadataField(metadata)}
        if sentence.heads is not None:
            fields["heads"] = TensorField(torch.tensor(sentence.heads), padding_value=-1)
        if tagged:
            entities = tag_schemes.layer(sentence.entities, self._layer)
            metadata["gold_tags"] = sentence.tags or tag_schemes.entities_to_tags(
                entities, len(sentence.words), self._coding_scheme
            )
            fields["tags"] = TagField(metadata["gold_tags"], tokens, sentence_id=sentence.id)
        return Instance(fields)

    def apply_token_indexers(self, instance: Instance) -> None:
        instance["tokens"].token_indexers = self._token_indexers
