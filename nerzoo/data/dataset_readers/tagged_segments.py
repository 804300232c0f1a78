from dataclasses import replace
from typing import Any, Iterator, Optional, Tuple, cast

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance

from nerzoo.data.dataset_readers.tagged_sentences import TaggedSentencesReader
from nerzoo.data.fields import WordsField
from nerzoo.errors import format_error
from nerzoo.text.annotation import Sentence


@DatasetReader.register("tagged_segments")
class TaggedSegmentsReader(TaggedSentencesReader):
    """
    Reads training data in segments (Dinarelli and Grobol, 2019, section 4.2): one instance per segment, a run of words
    of a fixed length. Segments overlap. Evaluation is on whole sentences, hence a configuration names the reader
    `tagged_sentences` as its `validation_dataset_reader`.

    The first segment of a sentence starts at its first word, and each other segment one stride after the previous one;
    the last segment ends with the sentence, so that no word is lost. A sentence that is not longer than a segment is
    one segment.

    The vocabulary counts each word of a sentence once, even if several segments share it, so that words that occur once
    in the corpus are known as such, whatever the stride.

    Words keep the tags that they have in their sentences: a segment may start inside an entity. Segments have no trees.

    # Parameters

    length : `int`
        The number of words of a segment.
    stride : `int`, optional (default = `1`)
        The number of words from the start of a segment to the start of the next one, from 1 to `length`.
    **kwargs
        As in `TaggingReader`.

    # Raises

    `ConfigurationError` where length or stride are out of range, or all sentences of a file are shorter than a segment.
    """

    def __init__(self, length: int, stride: int = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if length < 1:
            raise ConfigurationError(f"found segments of length {length}, expected at least 1")
        if not 1 <= stride <= length:
            raise ConfigurationError(
                f"found a stride of {stride}, expected 1 to {length}, the length of segments: no word may be lost"
            )
        self._length = length
        self._stride = stride

    def sentences(self, file_path: str) -> Iterator[Tuple[Optional[str], Sentence]]:
        """Yields each segment of a file with the id of its document."""
        for document_id, segment, _ in self._all_segments(file_path):
            yield document_id, segment

    def _read(self, file_path: str) -> Iterator[Instance]:
        for document_id, segment, num_shared in self.shard_iterable(self._all_segments(file_path)):
            instance = self.text_to_instance(segment, document_id=document_id)
            words = cast(WordsField, instance["tokens"])
            words.first_counted = max(words.first_counted, num_shared)
            yield instance

    def _all_segments(self, file_path: str) -> Iterator[Tuple[Optional[str], Sentence, int]]:
        longest = 0
        for document_id, sentence in super().sentences(file_path):
            longest = max(longest, len(sentence.words))
            for segment, num_shared in self._segments(sentence):
                yield document_id, segment, num_shared
        if longest < self._length:
            expected = f"a longer one, or segments of fewer than {self._length}"
            raise format_error(file_path, f"no sentence of more than {longest} words", expected)

    def _segments(self, sentence: Sentence) -> Iterator[Tuple[Sentence, int]]:
        """Yields each segment with the number of words that it shares with the previous one."""
        tags, coding_scheme = self._tags(sentence)
        last = max(len(sentence.words) - self._length, 0)
        end = 0
        for start in [*range(0, last, self._stride), last]:
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
            )
            yield segment, end - start if start else 0
            end = start + self._length
