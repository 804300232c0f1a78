from collections import Counter
from os import PathLike
from typing import Any, Dict, Iterator, List, Optional, Union

from nerzoo.data.corpora.corpus import Corpus
from nerzoo.data.corpora.standoff_corpus import AnnotatedText, StandoffCorpus, everywhere
from nerzoo.data.json_objects import document_id, is_label, json_object
from nerzoo.data.lines import Line, format_error, read_lines
from nerzoo.data.text_splitter import CharacterSpan

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
