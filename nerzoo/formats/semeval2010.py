from typing import List, Optional

from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus, TextCorpus, bracketed_spans, parse_heads
from nerzoo.formats.lines import Line, split_columns
from nerzoo.text.annotation import Sentence

_ID, _WORD, _POS, _HEAD, _DEPREL, _NAME = 0, 1, 4, 8, 10, 12
_BEGIN = "#begin document "


@Corpus.register("semeval2010")
class SemEval2010Corpus(TextCorpus):
    """
    The format of SemEval-2010 task 1. The columns with gold annotation are read: words, parts of speech, dependency
    trees and names, which are bracketed as in `(org`, `org)`, `(gpe)` or, if nested, `(org|(gpe)`.
    """

    def _document_id(self, marker: Line) -> Optional[str]:
        if not marker.text.startswith((_BEGIN, "#end document")):
            raise format_error(marker, repr(marker.text), "'#begin document ID', or '#end document'")
        return marker.text.removeprefix(_BEGIN).strip() if marker.text.startswith(_BEGIN) else None

    def _sentence(self, lines: List[Line]) -> Sentence:
        rows = split_columns(lines, min_columns=_NAME + 1)
        for number, (line, row) in enumerate(zip(lines, rows, strict=True), start=1):
            # Where two sentences were joined, their heads would be those of other words.
            if row[_ID] != str(number):
                raise format_error(line, f"the word id {row[_ID]!r}", str(number))
        names = ["" if row[_NAME] == "_" else row[_NAME] for row in rows]
        return Sentence(
            words=[row[_WORD] for row in rows],
            pos=[row[_POS] for row in rows],
            heads=parse_heads([row[_HEAD] for row in rows], lines),
            dep_labels=[row[_DEPREL] for row in rows],
            entities=bracketed_spans(names, lines, name=lambda body: body),
            id=str(lines[0]),
        )
