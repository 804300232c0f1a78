import json
from collections import Counter
from os import PathLike
from typing import Any, Dict, Iterator, List, Optional, Union

from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.json_text import document_id, is_label, json_object
from nerzoo.formats.lines import Line, read_lines
from nerzoo.formats.splitting import CharacterSpan
from nerzoo.formats.standoff import AnnotatedText, StandoffCorpus, everywhere, expressed, parts, to_characters
from nerzoo.formats.writer import AnnotationWriter, TextWriter
from nerzoo.text.annotation import Document

_KEYS = ("label", "labels", "entities")
_FIELDS = ("start_offset", "end_offset", "label")


@Corpus.register("doccano")
class DoccanoCorpus(StandoffCorpus):
    """
    The JSON lines that doccano exports for sequence labelling: a text per line, with entities as `label` or `labels`,
    `[[start, end, "PER"], ...]`, or, from projects with relations, as `entities`, `[{"start_offset": ..., "end_offset":
    ..., "label": ...}, ...]`. A text is a document of its own by its `id`, unless `doc_id` says which document it is
    part of; texts without both are one document. Relations are left out and counted.

    Parameters as in `StandoffCorpus`.
    """

    def _texts(self, path: Union[str, PathLike], counts: Counter) -> Iterator[AnnotatedText]:
        for line in read_lines(path):
            if line.is_blank:
                continue
            obj = json_object(line)
            text = obj.get("text")
            if not isinstance(text, str):
                raise format_error(line, f"the text {text!r}", "a string")
            spans = self._spans(obj, line, counts) if self._annotated else []
            yield AnnotatedText(text_id(obj, obj, line), text, spans, everywhere(str(line)))

    def _spans(self, obj: Dict[str, Any], line: Line, counts: Counter) -> List[CharacterSpan]:
        found = [key for key in _KEYS if obj.get(key) is not None]
        if len(found) != 1:
            raise format_error(line, f"the keys {', '.join(obj)}", f"one of {', '.join(_KEYS)}")
        values = obj[found[0]]
        if not isinstance(values, list):
            raise format_error(line, f"the {found[0]} {values!r}", "a list")
        relations = [] if obj.get("relations") is None else obj["relations"]
        if not isinstance(relations, list):
            raise format_error(line, f"the relations {relations!r}", "a list")
        counts["relations"] += len(relations)
        return [_span(value, line) for value in values]


def text_id(obj: Dict[str, Any], data: Dict[str, Any], location: object) -> Optional[str]:
    """
    Returns the `doc_id` of what an object has of its text, or else the object's `id`, or `None`. Raises
    `ConfigurationError` where it is neither a string nor a number.
    """
    id = document_id(data, "doc_id", location)
    return document_id(obj, "id", location) if id is None else id


def _span(value: Any, line: Line) -> CharacterSpan:
    if isinstance(value, dict):
        value = [value.get(field) for field in _FIELDS]
    if not isinstance(value, list) or list(map(type, value)) != [int, int, str] or not is_label(value[2]):
        expected = '[start, end, "label"], or an object with ' + ", ".join(_FIELDS)
        raise format_error(line, f"the entity {value!r}", expected)
    start, end, label = value
    return CharacterSpan(start, end, label, line)


@AnnotationWriter.register("doccano")
class DoccanoWriter(TextWriter):
    """
    JSON lines that doccano imports for sequence labelling, `{"doc_id": ..., "text": ..., "label": [[start, end, "PER"],
    ...]}`: a document per line; see `nerzoo.formats.doccano.DoccanoCorpus`.

    # Parameters

    per_sentence : `bool`, optional (default = `False`)
        Whether each line is a sentence. It always is where a document has no id, since that is a file without
        documents.
    pretokenized : `bool`, optional (default = `False`)
        Whether texts have a sentence a line and a space between words, so that `splitter.pretokenized` of the corpus
        reads the same words again.
    """

    def __init__(self, per_sentence: bool = False, pretokenized: bool = False) -> None:
        super().__init__()
        self._per_sentence = per_sentence
        self._pretokenized = pretokenized
        self.expresses = expressed(pretokenized)

    def _text(self, document: Document) -> str:
        lines = []
        for part in parts(document, self._per_sentence):
            text, spans = to_characters(part, self._pretokenized)
            ids = {} if part.id is None else {"doc_id": part.id}
            obj = {**ids, "text": text, "label": [[span.start, span.end, span.label] for span in spans]}
            lines.append(json.dumps(obj, ensure_ascii=False) + "\n")
        return "".join(lines)
