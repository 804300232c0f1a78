import re
from pathlib import Path
from urllib.parse import quote

from nerzoo.data.annotation import Document
from nerzoo.data.lines import format_error, shortened
from nerzoo.data.text_splitter import CharacterSpan
from nerzoo.data.writers.annotation_writer import AnnotationWriter
from nerzoo.data.writers.standoff import expressed, to_characters

_MAX_NAME = 255
"""The number of bytes of a name that systems of files have room for."""


@AnnotationWriter.register("brat")
class BratWriter(AnnotationWriter):
    """
    The standoff format of brat: a folder, with the text of each document in `ID.txt` and its entities in `ID.ann`; see
    `nerzoo.data.corpora.BratCorpus`. Characters of an id that a name of a file cannot have are escaped, as in URLs;
    slashes are those of folders. Documents without an id are numbered.

    # Parameters

    pretokenized : `bool`, optional (default = `False`)
        Whether texts have a sentence a line and a space between words, so that `splitter.pretokenized` of the corpus
        reads the same words again.
    """

    def __init__(self, pretokenized: bool = False) -> None:
        super().__init__()
        self._pretokenized = pretokenized
        self.expresses = expressed(pretokenized)

    def close(self) -> None:
        """Does nothing: the files of a document are whole."""

    def _open(self, path: Path) -> None:
        path.mkdir()
        self._folder = path
        self._number = 0

    def _write(self, document: Document) -> None:
        self._number += 1
        id = document.id or str(self._number)
        parts = id.split("/")
        if "" in parts:
            parts = [id]
        # Neither hidden nor outside.
        name = "/".join(re.sub(r"^\.", "%2E", quote(part, safe=" ,;=@()[]{}+")) for part in parts)
        longest = max(map(len, name.split("/"))) + len(".ann")
        if longest > _MAX_NAME:
            raise format_error(self._folder, f"the id {shortened(id)!r}", f"one that is a name of {_MAX_NAME} bytes")
        text, spans = to_characters(document, self._pretokenized)
        text_file = self._folder / f"{name}.txt"
        text_file.parent.mkdir(parents=True, exist_ok=True)
        if text_file.exists():
            raise format_error(self._folder, f"two documents with the id {id!r}", "another id for each")
        text_file.write_bytes(f"{text}\n".encode() if document.text is None else text.encode())
        lines = [_line(number, span, text) for number, span in enumerate(spans, start=1)]
        text_file.with_name(f"{name.split('/')[-1]}.ann").write_bytes("".join(lines).encode())


def _line(number: int, span: CharacterSpan, text: str) -> str:
    if not span.label or re.search(r"\s", span.label):
        raise format_error(span.location, f"the label {span.label!r}", "one without white space")
    covered = text[span.start : span.end]
    # A part for each line of the text, as in brat.
    lines = [match.span() for match in re.finditer(r"\S(?:[^\n]*\S)?", covered)]
    places = ";".join(f"{span.start + start} {span.start + end}" for start, end in lines)
    return f"T{number}\t{span.label} {places}\t{' '.join(covered[start:end] for start, end in lines)}\n"
