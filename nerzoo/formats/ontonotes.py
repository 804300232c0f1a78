import logging
import os
import re
from typing import Iterator, List, Optional, Tuple

from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus, TextCorpus, bracketed_spans
from nerzoo.formats.lines import AnyPath, Line, folder_files, split_columns
from nerzoo.text.annotation import Document, Sentence
from nerzoo.text.constituents import Arcs, Child

logger = logging.getLogger(__name__)

_WORD, _POS, _PARSE, _NAME = 3, 4, 5, 10
_CONSTITUENTS = re.compile(r"(?P<opening>(?:\([^()*\s]+)*)\*(?P<closing>\)*)")
_BEGIN = re.compile(r"#begin document \((?P<id>.*)\)(?:; part (?P<part>\d+))?")
_ESCAPED = {"/.": ".", "/?": "?", "/-": "-"}


@Corpus.register("ontonotes")
class OntonotesCorpus(TextCorpus):
    """
    The format of OntoNotes in the shared task of CoNLL-2012. Each part of a document is a document with the id
    `id/part`. The corpus escapes punctuation as "/.", "/?" and "/-", which are read without the slash.

    # Parameters

    trees : `bool`, optional (default = `False`)
        Whether to convert the constituents of English sentences to dependency trees, as `nerzoo.text.constituents`.
    """

    def __init__(self, trees: bool = False) -> None:
        self._trees = trees

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
        arcs = _arcs(rows, lines) if self._trees else None
        return Sentence(
            words=[_ESCAPED.get(row[_WORD], row[_WORD]) for row in rows],
            pos=[row[_POS] for row in rows],
            heads=arcs.heads if arcs else None,
            dep_labels=arcs.labels if arcs else None,
            # Closing brackets have no name: each closes the innermost open bracket.
            entities=bracketed_spans(names, lines, name=lambda body: ""),
            id=str(lines[0]),
        )


def _arcs(rows: List[List[str]], lines: List[Line]) -> Arcs:
    """Returns the dependency tree of a sentence's constituents. Raises `ConfigurationError` where one is not closed."""
    arcs = Arcs(len(rows))
    # The open constituents: category and children; the first one is what has no parent.
    opened: List[Tuple[str, List[Child]]] = [("", [])]
    for number, (row, line) in enumerate(zip(rows, lines, strict=True)):
        bit = _CONSTITUENTS.fullmatch(row[_PARSE])
        if bit is None:
            raise format_error(line, f"the constituents {row[_PARSE]!r}", "'(', categories, '*' and ')'")
        opened += [(category, []) for category in bit["opening"].split("(")[1:]]
        opened[-1][1].append(Child(row[_POS], number))
        for _ in bit["closing"]:
            constituent = arcs.attach(*opened.pop())
            if not opened:
                raise format_error(line, "a closing bracket of constituents", "an opening one before it")
            opened[-1][1].append(constituent)
    if len(opened) > 1:
        raise format_error(lines[-1], f"no end of the constituent {opened[-1][0]!r}", "a closing bracket")
    return arcs
