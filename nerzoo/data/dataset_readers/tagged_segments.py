from dataclasses import replace
from typing import Iterable, Iterator, Optional, Tuple

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance

from nerzoo.data.annotation import Sentence
from nerzoo.data.dataset_readers.tagged_sentences import TaggedSentencesReader
from nerzoo.data.lines import format_error


@DatasetReader.register("tagged_segments")
class TaggedSegmentsReader(TaggedSentencesReader):
    """
    Training data in segments (Dinarelli and Grobol, 2019, section 4.2): instances are runs of words of one length,
    which overlap. Evaluation is of whole sentences, hence a configuration names the reader `tagged_sentences` as its
    `validation_dataset_reader`.

    The first segment of a sentence starts at its first word and each other one a stride later than the one before; the
    last one ends with the sentence, so that no word is lost. A sentence that is not longer than a segment is one.

    Words keep the tags that they have in their sentences: a segment may start inside an entity. Segments have no trees.

    # Parameters

    length : `int`
        How many words a segment has.
    stride : `int`, optional (default = `1`)
        How many words later the next one starts, as far as the sentence allows: up to `length`.
    **kwargs
        As in `TaggingReader`.

    # Raises

    `ConfigurationError` where length or stride are out of range, or all sentences of a file are shorter than a segment.
    """

    def __init__(self, length: int, stride: int = 1, **kwargs) -> None:
        super().__init__(**kwargs)
        if length < 1:
            raise ConfigurationError(f"found segments of length {length}, expected at least 1")
        if not 1 <= stride <= length:
            raise ConfigurationError(
                f"found a stride of {stride}, expected 1 to {length}, the length of segments: no word may be lost"
            )
        self._length = length
        self._stride = stride

    def _read(self, file_path: str) -> Iterable[Instance]:
        for document_id, segment in self.shard_iterable(self._segments(file_path)):
            yield self.text_to_instance(segment, document_id=document_id)

    def _segments(self, file_path: str) -> Iterator[Tuple[Optional[str], Sentence]]:
        """The segments of all sentences, each with the id of its document."""
        longest = 0
        for document in self.documents(file_path):
            for sentence in document.sentences:
                longest = max(longest, len(sentence.words))
                for segment in self._cut(sentence):
                    yield document.id, segment
        if longest < self._length:
            expected = f"a longer one, or shorter segments than of {self._length}"
            raise format_error(file_path, f"no sentence of more than {longest} words", expected)

    def _cut(self, sentence: Sentence) -> Iterator[Sentence]:
        tags, coding_scheme = self._tags(sentence)
        last = max(len(sentence.words) - self._length, 0)
        for start in [*range(0, last, self._stride), last]:
            part = slice(start, start + self._length)
            yield replace(
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
