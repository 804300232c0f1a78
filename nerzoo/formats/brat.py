import re
from collections import Counter
from itertools import pairwise, permutations
from pathlib import Path
from typing import Iterator, List, Union
from urllib.parse import quote, unquote

from nerzoo.errors import format_error, shortened
from nerzoo.formats.corpus import AnnotationWriter, Corpus
from nerzoo.formats.lines import AnyPath, Line, local_path, read_lines
from nerzoo.formats.standoff import AnnotatedText, CharacterSpan, StandoffCorpus, check_within, expressed, to_characters
from nerzoo.text.annotation import Document

_ENTITY = re.compile(r"T\S*\t(?P<label>\S+) (?P<spans>\d{1,12} \d{1,12}(?:;\d{1,12} \d{1,12})*)\t(?P<text>.*)")
_KINDS = {"R": "relations", "E": "events", "A": "attributes", "M": "attributes", "N": "normalizations", "#": "notes"}
# The largest number of bytes of a file's name.
_MAX_NAME = 255


@Corpus.register("brat")
class BratCorpus(StandoffCorpus):
    """
    The standoff format of brat: a folder, or one file, with a text in `NAME.txt` and its annotation in `NAME.ann`. Each
    text is a document, in order of names and of numbers in them; its id is its path in the folder, without the ending.
    Entities, `T` lines, may be nested, and over the end of a line, where brat writes them in parts. Annotations of
    other kinds are left out and counted.

    Parameters as in `StandoffCorpus`. Errors are a text without annotation, an annotation without text, and an entity
    that is discontinuous, is not at its place in the text, or does not fit the words.
    """

    def _texts(self, path: AnyPath, counts: Counter) -> Iterator[AnnotatedText]:
        folder = Path(local_path(path))
        endings = ("txt", "ann") if self._annotated else ("txt",)
        files = {file.with_suffix("") for ending in endings for file in folder.rglob(f"*.{ending}") if file.is_file()}
        if not folder.is_dir():
            folder, files = folder.parent, {folder.with_suffix("")}
        elif not files:
            raise format_error(path, "a folder without texts", "at least one NAME.txt with its NAME.ann")
        for file in sorted(files, key=_natural_order):
            text_file, *annotation_files = (file.with_name(f"{file.name}.{ending}") for ending in endings)
            for one, other in permutations([text_file, *annotation_files], 2):
                if not one.is_file():
                    raise format_error(other, f"no {one.name} beside it", "a text with its annotation, empty or not")
            text = _text(text_file)
            lines = (line for annotation_file in annotation_files for line in read_lines(annotation_file))
            spans = [span for line in lines if not line.is_blank for span in _spans(line, text, counts)]
            id = unquote(file.relative_to(folder).as_posix())
            yield AnnotatedText(id, text, spans, str(text_file), is_file=True)


def _natural_order(file: Path) -> List[Union[str, int]]:
    """Returns a key by which 2 comes before 10."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d{1,18})", str(file))]


def _text(path: Path) -> str:
    content = path.read_bytes()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = Line(str(path), content.count(b"\n", 0, error.start) + 1, "")
        raise format_error(line, f"the byte 0x{content[error.start]:02x}", "UTF-8") from None
    # A byte order mark counts as a character, but belongs to no word.
    return re.sub("^\ufeff", " ", text)


def _spans(line: Line, text: str, counts: Counter) -> Iterator[CharacterSpan]:
    if not line.text.startswith("T"):
        if line.text[0] not in "*" and line.text[0] not in _KINDS:
            raise format_error(line, repr(line.text), "an annotation of brat's")
        counts[_KINDS.get(line.text[0], "equivalences")] += 1
        return
    match = _ENTITY.fullmatch(line.text)
    if match is None:
        raise format_error(line, repr(line.text), "an entity such as 'T1\\tLabel 0 5\\tWords', with tabs")
    parts = [tuple(map(int, part.split())) for part in match["spans"].split(";")]
    start, end = parts[0][0], parts[-1][1]
    check_within(start, end, text, line)
    if any(before[1] > after[0] or text[before[1] : after[0]].strip() for before, after in pairwise(parts)):
        raise format_error(line, f"the discontinuous entity {match['text']!r}", "one without a gap")
    found = text[start:end]
    if found.split() != match["text"].split():
        raise format_error(line, f"{match['text']!r}, where the text has {found!r}", "the same in both")
    yield CharacterSpan(start, end, match["label"], line)


@AnnotationWriter.register("brat")
class BratWriter(AnnotationWriter):
    """
    The standoff format of brat: a folder, with the text of each document in `ID.txt` and its entities in `ID.ann`; see
    `BratCorpus`. Characters of an id that cannot stand in the name of a file are escaped, as in URLs; slashes separate
    folders. Documents without an id are numbered.

    # Parameters

    pretokenized : `bool`, optional (default = `False`)
        As in `StandoffWriter`.
    """

    folder_endings = (".txt", ".ann")

    def __init__(self, pretokenized: bool = False) -> None:
        super().__init__()
        self._pretokenized = pretokenized
        self.expresses = expressed(pretokenized)

    def close(self) -> None:
        """Does nothing: the files of each document are complete."""

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
        # No file is hidden, and none is outside the folder.
        name = "/".join(re.sub(r"^\.", "%2E", quote(part, safe=" ,;=@()[]{}+")) for part in parts)
        longest = max(map(len, name.split("/"))) + len(".ann")
        if longest > _MAX_NAME:
            raise format_error(self._folder, f"the id {shortened(id)!r}", f"one that is a name of {_MAX_NAME} bytes")
        text, spans = to_characters(document, self._pretokenized)
        if text.startswith("\ufeff"):
            raise format_error(document.sentences[0].location, "a byte order mark at the start of the text", "none")
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
    # A part for each line of the text, as in brat. A carriage return alone cannot be in the line of an entity, either.
    lines = [match.span() for match in re.finditer(r"\S(?:[^\r\n]*\S)?", covered)]
    places = ";".join(f"{span.start + start} {span.start + end}" for start, end in lines)
    return f"T{number}\t{span.label} {places}\t{' '.join(covered[start:end] for start, end in lines)}\n"
