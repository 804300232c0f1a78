from collections import Counter
from itertools import zip_longest
from pathlib import Path
from typing import Iterator, Optional

from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus, tagged_spans
from nerzoo.formats.lines import AnyPath, Line, read_lines, split_columns
from nerzoo.text.annotation import Document, Sentence

_WORDS, _TAGS = "seq.in", "seq.out"


@Corpus.register("slot_filling")
class SlotFillingCorpus(Corpus):
    """
    The format in which SNIPS and ATIS are distributed: a folder of two files, `seq.in` with the words of one utterance
    per line, and `seq.out` with the BIO tags of the slots that they fill. A folder is one document. The file `label`,
    with intents, is not read. Errors are different numbers of lines or words, a blank line, and a tag that is not BIO.
    """

    def _documents(self, path: AnyPath, counts: Counter) -> Iterator[Document]:
        folder = Path(path)
        if not folder.is_dir():
            raise format_error(path, "no folder", f"one that holds {_WORDS} and {_TAGS}")
        pairs = zip_longest(read_lines(folder / _WORDS), read_lines(folder / _TAGS))
        sentences = [_sentence(words, tags) for words, tags in pairs]
        if not sentences:
            raise format_error(folder / _WORDS, "no sentence", "at least one")
        yield Document(sentences=sentences)


def _sentence(words_line: Optional[Line], tags_line: Optional[Line]) -> Sentence:
    if words_line is None or tags_line is None:
        other = _WORDS if words_line is None else _TAGS
        raise format_error(words_line or tags_line, "an extra line", f"as many as in {other}")
    for line in (words_line, tags_line):
        if line.is_blank:
            raise format_error(line, "a blank line", "at least one word")
    (words,), (tags,) = split_columns([words_line]), split_columns([tags_line])
    if len(words) != len(tags):
        raise format_error(tags_line, f"{len(tags)} tags", f"{len(words)}, one for each word of {words_line}")
    return Sentence(words, entities=tagged_spans(tags, [tags_line] * len(tags), "BIO"), id=str(words_line))
