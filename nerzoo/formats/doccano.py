from collections import Counter
from typing import Any, Dict, Iterator, List, Optional

from nerzoo.errors import format_error
from nerzoo.formats.corpus import AnnotationWriter, Corpus
from nerzoo.formats.lines import AnyPath, Line, is_label, json_objects, read_lines
from nerzoo.formats.standoff import AnnotatedText, CharacterSpan, StandoffCorpus, StandoffWriter, text_id
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

    def _texts(self, path: AnyPath, counts: Counter) -> Iterator[AnnotatedText]:
        for line, obj in json_objects(read_lines(path)):
            text = obj.get("text")
            if not isinstance(text, str):
                raise format_error(line, f"the text {text!r}", "a string")
            spans = _spans(obj, line, counts) if self._annotated else []
            yield AnnotatedText(text_id(obj, obj, line), text, spans, str(line))


def _spans(obj: Dict[str, Any], line: Line, counts: Counter) -> List[CharacterSpan]:
    found = [key for key in _KEYS if obj.get(key) is not None]
    if len(found) != 1:
        raise format_error(line, f"the keys {', '.join(obj)}", f"one of {', '.join(_KEYS)}")
    relations = [] if obj.get("relations") is None else obj["relations"]
    for name, values in ((found[0], obj[found[0]]), ("relations", relations)):
        if not isinstance(values, list):
            raise format_error(line, f"the {name} {values!r}", "a list")
    counts["relations"] += len(relations)
    return [_span(value, line) for value in obj[found[0]]]


def _span(value: Any, line: Line) -> CharacterSpan:
    if isinstance(value, dict):
        value = [value.get(field) for field in _FIELDS]
    if not isinstance(value, list) or list(map(type, value)) != [int, int, str] or not is_label(value[2]):
        expected = '[start, end, "label"], or an object with ' + ", ".join(_FIELDS)
        raise format_error(line, f"the entity {value!r}", expected)
    return CharacterSpan(value[0], value[1], value[2], line)


@AnnotationWriter.register("doccano")
class DoccanoWriter(StandoffWriter):
    """
    JSON lines that doccano imports for sequence labelling, `{"doc_id": ..., "text": ..., "label": [[start, end, "PER"],
    ...]}`: a document per line; see `DoccanoCorpus`.

    Parameters as in `StandoffWriter`.
    """

    def _text(self, document: Document) -> str:
        return "".join(f"{line}\n" for line in self._objects(document))

    def _object(self, id: Optional[str], text: str, spans: List[CharacterSpan]) -> Dict[str, Any]:
        ids = {} if id is None else {"doc_id": id}
        return {**ids, "text": text, "label": [[span.start, span.end, span.label] for span in spans]}
