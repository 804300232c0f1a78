import logging
from itertools import chain, islice
from typing import Any, Dict, Iterable, Iterator, List, Optional, cast

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance, TokenIndexer
from allennlp.data.fields import TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.data.tokenizers import Token
from allennlp.data.vocabulary import DEFAULT_PADDING_TOKEN

from nerzoo.data.fields import OpaqueMetadataField
from nerzoo.errors import format_error
from nerzoo.formats.lines import read_lines

logger = logging.getLogger(__name__)

END = "</s>"
"""The end of a line, a token that is predicted like any word."""


@DatasetReader.register("text_lines")
class TextLinesReader(DatasetReader):
    """
    Reads text for language models: one instance per line, whose words are separated by white space. Its fields are
    `tokens`, the words and `</s>`, all of which the model predicts, and `metadata` with the same tokens as `words`.

    A line may be a paragraph: with `sentence_ends`, a sentence also ends within a line, after one of these words or a
    run of them; a quotation mark or a bracket that follows begins the next sentence. With `whole_lines`, the same
    tokens are predicted, including `</s>` after each sentence, but an instance is a line: contexts cross sentences.

    Blank lines are left out; their number is logged. With `segment_length`, a file is a continuous text, cut into
    segments without regard to lines, and blank lines are an `</s>`, as in the official numbers of tokens of WikiText-2.

    Parameters of AllenNLP's vocabulary limit it to the k most frequent words, `max_vocab_size: {tokens: k}`, and name
    its unknown word `<unk>`, `oov_token: '<unk>'`. `</s>`, and `<unk>` if it is in the text, are among the k words.
    Raises `ConfigurationError` where parameters exclude each other, a word is too long, or is `</s>` or padding, or a
    file is not UTF-8 or has no words.

    # Parameters

    token_indexers : `Dict[str, TokenIndexer]`, optional (default = `{"tokens": SingleIdTokenIndexer()}`)
    segment_length : `int`, optional
        The number of tokens of a segment; the last segment may have fewer. By default, each line is a sentence.
    sentence_ends : `List[str]`, optional
        The words after which a sentence ends, such as `[".", "?", "!"]`. Excludes `segment_length`. By default, a
        sentence ends with its line.
    whole_lines : `bool`, optional (default = `False`)
        Whether an instance has all sentences of a line. Needs `sentence_ends`.
    max_word_length : `int`, optional (default = `256`)
        The number of characters of the longest words. The words of other files are probably not separated.
    **kwargs
        `max_instances` and the other parameters of AllenNLP's `DatasetReader`.
    """

    def __init__(
        self,
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        segment_length: Optional[int] = None,
        sentence_ends: Optional[List[str]] = None,
        whole_lines: bool = False,
        max_word_length: int = 256,
        **kwargs: Any,
    ) -> None:
        super().__init__(manual_distributed_sharding=True, manual_multiprocess_sharding=True, **kwargs)
        for name, length in (("segment_length", segment_length), ("max_word_length", max_word_length)):
            if length is not None and length < 1:
                raise ConfigurationError(f"text_lines: found a {name} of {length}, expected one at least")
        if segment_length is not None and sentence_ends is not None:
            raise ConfigurationError("text_lines: found segment_length and sentence_ends, expected one of them")
        if whole_lines and sentence_ends is None:
            raise ConfigurationError("text_lines: found whole_lines without sentence_ends, expected both or neither")
        self._token_indexers = token_indexers or {"tokens": SingleIdTokenIndexer()}
        self._segment_length = segment_length
        self._sentence_ends = frozenset(sentence_ends or ())
        self._whole_lines = whole_lines
        self._max_word_length = max_word_length

    def _read(self, file_path: str) -> Iterable[Instance]:
        for words in self.shard_iterable(self._texts(file_path)):
            yield self._instance(words)

    def text_to_instance(self, words: List[str]) -> Instance:
        """Returns the instance of a sentence, perhaps without words, with an `</s>` added."""
        return self._instance([*words, END])

    def apply_token_indexers(self, instance: Instance) -> None:
        cast(TextField, instance["tokens"]).token_indexers = self._token_indexers

    def _instance(self, words: List[str]) -> Instance:
        tokens = TextField([Token(word) for word in words])
        return Instance({"tokens": tokens, "metadata": OpaqueMetadataField({"words": words})})

    def _texts(self, file_path: str) -> Iterator[List[str]]:
        """Yields the tokens of each instance."""
        lines = self._lines(file_path)
        if self._segment_length is None:
            texts = (self._sentences(words) for words in lines if len(words) > 1)
            return map(list, map(chain.from_iterable, texts)) if self._whole_lines else chain.from_iterable(texts)
        tokens = chain.from_iterable(lines)
        return iter(lambda: list(islice(tokens, self._segment_length)), [])

    def _sentences(self, words: List[str]) -> Iterator[List[str]]:
        """Yields the tokens of each sentence of a line, `</s>` last."""
        sentence: List[str] = []
        for word, next_word in zip(words, words[1:], strict=False):
            sentence.append(word)
            if next_word == END or word in self._sentence_ends and next_word not in self._sentence_ends:
                yield [*sentence, END]
                sentence = []

    def _lines(self, file_path: str) -> Iterator[List[str]]:
        """Yields the tokens of each line, `</s>` last."""
        num_lines = num_blank = 0
        for line in read_lines(file_path):
            words = line.text.split()
            num_lines += 1
            num_blank += not words
            for word in words:
                if len(word) > self._max_word_length:
                    found = f"a word of {len(word)} characters, {word[:20]!r}..."
                    raise format_error(line, found, f"words of up to {self._max_word_length}, as max_word_length says")
                if word in (END, DEFAULT_PADDING_TOKEN):
                    raise format_error(line, f"the word {word!r}", "a text without it, as it stands for something else")
            yield [*words, END]
        if num_blank == num_lines:
            raise format_error(file_path, "no sentence", "at least one")
        if num_blank:
            treatment = "were left out" if self._segment_length is None else f"are each an {END}"
            logger.info("%s: %d blank lines, which %s", file_path, num_blank, treatment)
