from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, cast

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Field, Instance, TokenIndexer
from allennlp.data.fields import TensorField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.data.tokenizers import Token
from allennlp.data.vocabulary import DEFAULT_PADDING_TOKEN

from nerzoo.allennlp_private import feature_name
from nerzoo.data.fields import LevelsField, OpaqueMetadataField, WordsField
from nerzoo.data.parsed_labels import FEATURES
from nerzoo.data.spacy_parser import PARSER_REMEDY, SpacyParser
from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus
from nerzoo.text.annotation import SYNTAX, Document, Sentence
from nerzoo.text.splitting import DEFAULT_SPLITTER, SplitSentence, check_splitter, split_text


class AnnotatedTextReader(DatasetReader):
    """
    The base class of readers of a `Corpus`: turns a file into documents and sentences, and the words of a sentence into
    fields. Subclasses add the fields of their task.

    The part of speech and the dependency label of a word are its token's `tag_` and `dep_`, where a `single_id` indexer
    with that `feature_name` finds them. Raises `ConfigurationError` for `predicted_pos` without `predicted_trees`.

    # Parameters

    corpus : `Corpus`
        The format of the files.
    token_indexers : `Dict[str, TokenIndexer]`, optional (default = `{"tokens": SingleIdTokenIndexer()}`)
    parser : `SpacyParser`, optional
        Parses raw text for the predictor. The model must know its labels, unless it was trained on its trees.
    splitter : `str`, optional (default = `"rules"`)
        The way in which the predictor splits texts into sentences and words, one of `nerzoo.text.splitting.SPLITTERS`.
    predicted_trees : `bool`, optional (default = `False`)
        Whether `parser` parses files, too; its trees then replace those of the corpus, as in Table 5 of Aguilar and
        Solorio (2019), and corpora without parts of speech get its parts of speech.
    predicted_pos : `bool`, optional (default = `False`)
        Whether the parser's parts of speech replace those of the corpus, too. Needs `predicted_trees`.
    count_words : `bool`, optional (default = `True`)
        Whether a vocabulary made from the instances has their words, or only their tags or labels: a
        `validation_dataset_reader` then makes tags known that training data lacks, where `datasets_for_vocab_creation`
        names the other parts, too.
    **kwargs
        `max_instances` and the other parameters of AllenNLP's `DatasetReader`.
    """

    def __init__(
        self,
        corpus: Corpus,
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        parser: Optional[SpacyParser] = None,
        predicted_trees: bool = False,
        predicted_pos: bool = False,
        count_words: bool = True,
        splitter: str = DEFAULT_SPLITTER,
        **kwargs: Any,
    ) -> None:
        super().__init__(manual_distributed_sharding=True, manual_multiprocess_sharding=True, **kwargs)
        self.corpus = corpus
        self.splits_by_rules = parser is None
        """`True` if the splitter also finds the words of a text that is one sentence, and no pipeline of spaCy."""
        self.parser = parser or SpacyParser()
        check_splitter(splitter)
        self.splitter = splitter
        self._token_indexers = token_indexers or {"tokens": SingleIdTokenIndexer()}
        self._features = {feature_name(indexer) for indexer in self._token_indexers.values()}
        if predicted_pos and not predicted_trees:
            raise ConfigurationError("found predicted_pos without predicted_trees, expected both or none")
        self._predicted_trees = predicted_trees
        self._predicted_pos = predicted_pos
        self._count_words = count_words
        self.parser.prepare(corpus)

    @property
    def token_indexers(self) -> Dict[str, TokenIndexer]:
        """The indexers of words, by name."""
        return self._token_indexers

    def apply_token_indexers(self, instance: Instance) -> None:
        cast(TextField, instance["tokens"]).token_indexers = self._token_indexers

    def documents(self, file_path: str) -> Iterator[Document]:
        """Yields the documents of a file, parsed if `predicted_trees`."""
        for document in self.corpus.read(file_path):
            if self._predicted_trees:
                document.sentences = list(self.parser.reparse(document.sentences, self._predicted_pos))
            yield document

    def parsed(self, text: str, split: Sequence[SplitSentence]) -> List[Sentence]:
        """Returns the sentences of a text, given their words and offsets, with the annotation of the parser."""
        sentences = []
        for part in split:
            ends = [offset + len(word) for word, offset in zip(part.words, part.offsets, strict=True)]
            space_after = [text[end : end + 1].isspace() for end in ends]
            sentences.append(Sentence(part.words, space_after=space_after))
        return list(self.parser.annotate(sentences))

    def parse(self, text: str) -> Sentence:
        """
        Turns a text into one sentence, perhaps without words, with the annotation of the parser or, without one, with
        the words of the splitter. Raises the errors of `SpacyParser.parse`.
        """
        if not self.splits_by_rules:
            return self.parser.parse(text)
        return Sentence([word for part in split_text(text, self.splitter) for word in part.words])

    def annotated(self, sentence: Sentence) -> Sentence:
        """Returns a sentence with the annotation of the parser, if it has none."""
        if any(getattr(sentence, name) is not None for name in SYNTAX):
            return sentence
        return next(self.parser.annotate([sentence]))

    def sentences(self, file_path: str) -> Iterator[Tuple[Optional[str], Sentence]]:
        """Yields each sentence of a file with the id of its document."""
        for document in self.documents(file_path):
            for sentence in document.sentences:
                yield document.id, sentence

    def word_fields(self, sentence: Sentence, text: Optional[str], document_id: Optional[str]) -> Dict[str, Field]:
        """
        Returns the fields of a sentence's words: `tokens`; `heads` and `levels`, see `LevelsField`, if the sentence has
        a tree; and `metadata` with `document_id`, `words`, `text`, by default `sentence.text`, `offsets`, the position
        in it of each word, and the sentence's `pos`, `heads` and `dep_labels`. Raises `ConfigurationError` where a
        token indexer needs annotation that the sentence lacks.
        """
        text = sentence.text if text is None else text
        for feature, name in FEATURES.items():
            if feature in self._features and getattr(sentence, name) is None:
                raise ConfigurationError(
                    f"{sentence.location}: found no {name}, which a token indexer needs; {PARSER_REMEDY}"
                )
        if DEFAULT_PADDING_TOKEN in sentence.words:
            expected = "another one, since it stands for padding"
            raise format_error(sentence.location, f"the word {DEFAULT_PADDING_TOKEN!r}", expected)
        offsets = sentence.offsets(text)
        unknown = [None] * len(sentence.words)
        columns = zip(sentence.words, offsets, sentence.pos or unknown, sentence.dep_labels or unknown, strict=True)
        tokens = [Token(word, idx=offset, tag_=pos, dep_=dep_label) for word, offset, pos, dep_label in columns]
        metadata = {"document_id": document_id, "words": sentence.words, "text": text, "offsets": offsets}
        metadata |= {name: getattr(sentence, name) for name in SYNTAX if getattr(sentence, name) is not None}
        # A model that was trained on the trees of its parser may meet labels that its training data lacks.
        parser = None if self._predicted_trees and self.parser.is_trained_with else sentence.parser
        words = WordsField(tokens, first_counted=0 if self._count_words else len(tokens), parser=parser)
        fields: Dict[str, Field] = {"tokens": words, "metadata": OpaqueMetadataField(metadata)}
        if sentence.heads is not None:
            fields["heads"] = TensorField(torch.tensor(sentence.heads), padding_value=-1)
            fields["levels"] = LevelsField(sentence.heads)
        return fields
