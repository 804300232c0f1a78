import logging
import os
import re
from typing import Iterator, List, Optional

from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus, TextCorpus, bracketed_spans
from nerzoo.formats.lines import AnyPath, Line, folder_files, split_columns
from nerzoo.text.annotation import Document, Sentence

logger = logging.getLogger(__name__)

_WORD, _POS, _NAME = 3, 4, 10
_BEGIN = re.compile(r"#begin document \((?P<id>.*)\)(?:; part (?P<part>\d+))?")
_ESCAPED = {"/.": ".", "/?": "?", "/-": "-"}


@Corpus.register("ontonotes")
class OntonotesCorpus(TextCorpus):
    """
    The format of OntoNotes in the shared task of CoNLL-2012, without its constituents. Each part of a document is a
    document with the id `id/part`. The corpus escapes punctuation as "/.", "/?" and "/-", which are read without the
    slash.
    """

    def read(self, path: AnyPath) -> Iterator[Document]:
        """
        Yields the documents of a file, as in `Corpus`, or of all `*_conll` files in and below a folder, in order of
        name. A `*_auto_conll` beside its `*_gold_conll`, as in CoNLL-2012, is left out.
        """
        if not os.path.isdir(path):
            yield from super().read(path)
            return
        files = list(map(str, folder_files(path, "*_conll")))
        gold = {file.removesuffix("gold_conll") for file in files if file.endswith("gold_conll")}
        kept = [file for file in files if not (file.endswith("auto_conll") and file.removesuffix("auto_conll") in gold)]
        if len(kept) < len(files):
            logger.warning("%s: left out %d *_auto_conll files beside *_gold_conll", path, len(files) - len(kept))
        for file in kept:
            yield from super().read(file)

    def _document_id(self, marker: Line) -> Optional[str]:
        begin = _BEGIN.match(marker.text)
        if begin is None and not marker.text.startswith("#end document"):
            raise format_error(marker, repr(marker.text), "'#begin document (ID); part N', or '#end document'")
        return "/".join(filter(None, begin.groups())) if begin else None

    def _sentence(self, lines: List[Line]) -> Sentence:
        rows = split_columns(lines, min_columns=_NAME + 1)
        names = [row[_NAME].replace("*", "") for row in rows]
        return Sentence(
            words=[_ESCAPED.get(row[_WORD], row[_WORD]) for row in rows],
            pos=[row[_POS] for row in rows],
            # Closing brackets have no name: each closes the innermost open bracket.
            entities=bracketed_spans(names, lines, name=lambda body: ""),
            id=str(lines[0]),
        )
