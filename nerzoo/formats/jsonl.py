import json
from collections import Counter
from itertools import groupby, repeat
from typing import Any, Dict, Iterator, Optional

from nerzoo.errors import format_error, shortened
from nerzoo.formats.corpus import Corpus, TextCorpus
from nerzoo.formats.json_text import check_keys, check_words, document_id, is_label, is_probability, json_objects
from nerzoo.formats.lines import Line
from nerzoo.formats.spans import check_tree
from nerzoo.formats.writer import AnnotationWriter, Content, TextWriter
from nerzoo.text.annotation import SYNTAX, Document, Entity, Sentence, entities_to_json, nested, ordered

_TYPES = {"pos": str, "heads": int, "dep_labels": str, "tags": str, "space_after": bool}
_KEYS = {"words", "entities", "id", "doc_id", *_TYPES}


@Corpus.register("jsonl")
class JsonlCorpus(TextCorpus):
    """
    JSON lines, which `allennlp predict` reads and writes: one sentence per line, a JSON object that
    `sentence_from_json` reads. Consecutive sentences with the same `doc_id`, or without a `doc_id`, are a document.
    """

    def _parse(self, lines: Iterator[Line], counts: Counter) -> Iterator[Document]:
        for doc_id, group in groupby(json_objects(lines), key=lambda pair: document_id(pair[1], "doc_id", pair[0])):
            document = Document(doc_id)
            for line, obj in group:
                sentence = sentence_from_json(obj, line)
                nested(sentence.entities, lambda entity, line=line: line)  # type: ignore[misc]
                document.sentences.append(sentence)
            yield document


def sentence_from_json(obj: Dict[str, Any], location: object) -> Sentence:
    """
    Turns a JSON object into a sentence. It has `words`, and optionally `pos`, `heads`, `dep_labels`, `tags`,
    `entities`, `space_after` and `id`, as in `Sentence`; each entity is an object with `start`, `end` and `label`, and
    perhaps `probability`. Other keys are ignored, and `tags` beside `entities`, since in predictions both stand for the
    same. Raises `ConfigurationError` where a value does not fit the sentence, or one of these keys is misspelled.
    """
    check_keys(obj, _KEYS, location)
    if obj.get("id") is not None:
        location = f"{location} (sentence {shortened(str(obj['id']))})"
    words = check_words(obj.get("words"), location)
    annotation = {key: obj[key] for key in _TYPES if obj.get(key) is not None}
    for key, values in annotation.items():
        is_list = isinstance(values, list) and [type(value) for value in values] == [_TYPES[key]] * len(words)
        if not is_list or (key == "tags" and "" in values):
            expected = f"a list of {len(words)}, one {_TYPES[key].__name__} a word{', none empty' * (key == 'tags')}"
            raise format_error(location, f"the {key} {values!r}", expected)
    if "heads" in annotation:
        check_tree(annotation["heads"], [location] * len(words))
    if obj.get("entities") is not None:
        annotation.pop("tags", None)
        probabilities = _entities(obj["entities"], len(words), location)
        annotation["entities"] = ordered(probabilities)
        if probabilities and None not in probabilities.values():
            annotation["probabilities"] = [probabilities[entity] for entity in annotation["entities"]]
    return Sentence(words, id=str(location), **annotation)


def _entities(values: Any, length: int, location: object) -> Dict[Entity, Optional[float]]:
    """Returns the probability of each entity, if known."""
    entities: Dict[Entity, Optional[float]] = {}
    for value in values if isinstance(values, list) else [values]:
        try:
            start, end, label = entity = Entity(value["start"], value["end"], value["label"])
            fits = type(start) is type(end) is int and is_label(label) and 0 <= start < end <= length
            probability = value.get("probability")
            fits = fits and (probability is None or is_probability(probability))
        except (KeyError, TypeError):
            fits = False
        if not fits:
            expected = f"a start, an end and a label, with 0 <= start < end <= {length}, and perhaps a probability"
            raise format_error(location, f"the entity {value!r}", expected)
        entities[entity] = probability
    return entities


@AnnotationWriter.register("jsonl")
class JsonlWriter(TextWriter):
    """JSON lines: one sentence per line, with the `doc_id` of its document, if it has one; see `JsonlCorpus`."""

    expresses = frozenset(Content) - {Content.OFFSETS}

    def _text(self, document: Document) -> str:
        ids = {} if document.id is None else {"doc_id": document.id}
        objects = ({**ids, **sentence_to_json(sentence)} for sentence in document.sentences)
        return "".join(json.dumps(obj, ensure_ascii=False) + "\n" for obj in objects)


def sentence_to_json(sentence: Sentence) -> Dict[str, Any]:
    """Turns a sentence into an object for `sentence_from_json`. Offsets in characters count in `sentence.text`."""
    annotation = {key: getattr(sentence, key) for key in ("words", *SYNTAX, "space_after")}
    obj = {key: values for key, values in annotation.items() if values is not None}
    if sentence.tags is not None and not sentence.entities:
        obj["tags"] = sentence.tags
    else:
        text = sentence.text
        pairs = zip(sentence.entities, sentence.probabilities or repeat(None), strict=False)
        located = {"words": sentence.words, "text": text, "offsets": sentence.offsets(text)}
        obj["entities"] = entities_to_json(pairs, located)
    return obj
