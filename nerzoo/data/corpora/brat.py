import re
from collections import Counter
from functools import partial
from itertools import pairwise, permutations
from os import PathLike
from pathlib import Path
from typing import Iterator, List, Union
from urllib.parse import unquote

from nerzoo.data.corpora.corpus import Corpus
from nerzoo.data.corpora.standoff_corpus import AnnotatedText, StandoffCorpus
from nerzoo.data.lines import Line, format_error, local_path, read_lines
from nerzoo.data.text_splitter import CharacterSpan

_ENTITY = re.compile(r"T\S*\t(?P<label>\S+) (?P<spans>\d{1,12} \d{1,12}(?:;\d{1,12} \d{1,12})*)\t(?P<text>.*)")
_KINDS = {"R": "relations", "E": "events", "A": "attributes", "M": "attributes", "N": "normalizations", "#": "notes"}


@Corpus.register("brat")
class BratCorpus(StandoffCorpus):
    """
    The standoff format of brat: a folder, or one file, with a text in `NAME.txt` and its annotation in `NAME.ann`. Each
    text is a document, in order of names and of numbers in them; its id is its path in the folder, without the ending.
    Entities, `T` lines, may be nested. An entity with white space alone between its parts, as brat writes entities over
    the end of a line, is one. Annotations of other kinds are left out and counted.

    Parameters as in `StandoffCorpus`.
    """

    def read(self, path: Union[str, PathLike]) -> Iterator:
        """
        As in `Corpus`.

        # Raises

        `ConfigurationError` where a text has no annotation or an annotation no text, a line is not in the format, or an
        entity is discontinuous, is not in the text where it is said to be, or does not fit the words.
        """
        return super().read(path)

    def _texts(self, path: Union[str, PathLike], counts: Counter) -> Iterator[AnnotatedText]:
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
            spans = [span for line in lines for span in _spans(line, text, counts)]
            id = unquote(file.relative_to(folder).as_posix())
            yield AnnotatedText(id, text, spans, partial("{}:{}".format, text_file))


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
    # A byte order mark counts as a character, but is none of a word.
    return re.sub("^\ufeff", " ", text)


def _spans(line: Line, text: str, counts: Counter) -> Iterator[CharacterSpan]:
    if line.is_blank:
        return
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
    if not 0 <= start < end <= len(text):
        expected = f"0 <= start < end <= {len(text)}, the length of the text"
        raise format_error(line, f"an entity from {start} to {end}", expected)
    if any(before[1] > after[0] or text[before[1] : after[0]].strip() for before, after in pairwise(parts)):
        raise format_error(line, f"the discontinuous entity {match['text']!r}", "one without a gap")
    found = text[start:end]
    if found.split() != match["text"].split():
        raise format_error(line, f"{match['text']!r}, where the text has {found!r}", "the same in both")
    yield CharacterSpan(start, end, match["label"], line)
