"""JSON lines, which `nerzoo predict` reads and writes: annotated sentences, and predictions."""

import json
import math
from collections import Counter
from itertools import groupby, repeat, starmap
from types import MappingProxyType
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from nerzoo.errors import format_error, shortened
from nerzoo.formats.corpus import AnnotationWriter, Content, Corpus, TextCorpus, TextWriter, check_tree
from nerzoo.formats.lines import (
    Line,
    check_keys,
    check_words,
    document_id,
    is_label,
    is_probability,
    json_objects,
    read_lines,
)
from nerzoo.formats.threads import Link
from nerzoo.text.annotation import (
    SYNTAX,
    Document,
    Entity,
    Sentence,
    entities_to_json,
    nested,
    ordered,
    tags_to_entities,
)

_TYPES = {"pos": str, "heads": int, "dep_labels": str, "tags": str, "space_after": bool, "offsets": int}
_TRAINING = ("loss_weight", "marginals")
_KEYS = {"words", "entities", "id", "doc_id", "types", *_TRAINING, *_TYPES}


@Corpus.register("jsonl")
class JsonlCorpus(TextCorpus):
    """
    JSON lines, which `nerzoo predict` reads and writes: one sentence per line, a JSON object that
    `sentence_from_json` reads. Consecutive sentences with the same `doc_id`, or without a `doc_id`, are a document. So
    are the `sentences` of an object, as predictions for texts and documents have them.
    """

    def _parse(self, lines: Iterator[Line], counts: Counter) -> Iterator[Document]:
        for (doc_id, _), group in groupby(json_objects(lines), key=_document_key):
            parts = ((part, line) for line, obj in group for part in sentence_objects(obj, line))
            yield Document(doc_id, list(starmap(_nested_sentence, parts)))


def _nested_sentence(obj: Dict[str, Any], line: Line) -> Sentence:
    """Returns the sentence in an object. Raises `ConfigurationError` where two of its entities cross, too."""
    sentence = sentence_from_json(obj, line)
    nested(sentence.entities, lambda entity: line)
    return sentence


def _document_key(pair: Tuple[Line, Dict[str, Any]]) -> Tuple[Optional[str], Optional[int]]:
    """Returns the id of the document of an object, and its line where it is a document of its own."""
    line, obj = pair
    return document_id(obj, "doc_id", line), line.number if "sentences" in obj else None


def sentence_objects(obj: Dict[str, Any], location: object) -> List[Dict[str, Any]]:
    """Returns the `sentences` of an object, or the object itself, a sentence. Raises `ConfigurationError` otherwise."""
    parts = obj.get("sentences", [obj])
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise format_error(location, f"the sentences {parts!r}", "a list of JSON objects")
    return parts


def sentence_from_json(obj: Dict[str, Any], location: object) -> Sentence:
    """
    Turns a JSON object into a sentence. It has `words`, and optionally `pos`, `heads`, `dep_labels`, `tags`,
    `entities`, `space_after` and `id`, as in `Sentence`; each entity is an object with `start`, `end` and `label`, and
    perhaps `probability`. `offsets` of the words in a text may stand for `space_after`. `types` are the types that were
    looked for, by default all. `loss_weight` and `marginals` are for training, see `Sentence`. Other keys are ignored,
    and `tags` beside `entities`, since in predictions both stand for the same. Raises `ConfigurationError` where a
    value does not fit the sentence, or one of these keys is misspelled.
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
    offsets = annotation.pop("offsets", None)
    if offsets is not None and "space_after" not in annotation:
        ends = [start + len(word) for start, word in zip(offsets, words, strict=True)]
        annotation["space_after"] = [*(end < start for end, start in zip(ends, offsets[1:], strict=False)), True]
    if "heads" in annotation:
        check_tree(annotation["heads"], [location] * len(words))
    annotation |= _training(obj, len(words), location)
    if obj.get("entities") is not None:
        annotation.pop("tags", None)
        probabilities = _entities(obj["entities"], len(words), location)
        annotation["entities"] = ordered(probabilities)
        if probabilities and None not in probabilities.values():
            annotation["probabilities"] = [probabilities[entity] for entity in annotation["entities"]]
    return Sentence(words, id=str(location), annotated_types=read_types(obj, location), **annotation)


def _training(obj: Dict[str, Any], length: int, location: object) -> Dict[str, Any]:
    """Returns the loss weight and the marginals of an object, if it has them."""
    found = {key: obj[key] for key in _TRAINING if obj.get(key) is not None}
    weight = found.get("loss_weight", 1)
    if type(weight) not in (int, float) or not 0 <= weight < math.inf:
        raise format_error(location, f"the loss_weight {weight!r}", "a number from 0 up")
    marginals = found.get("marginals", [])
    if not isinstance(marginals, list) or len(marginals) not in (0, length) or not all(map(_is_marginal, marginals)):
        expected = f"a list of {length} objects, the probabilities of the tags of each word, or an empty list"
        raise format_error(location, f"the marginals {marginals!r}", expected)
    return found


def _is_marginal(value: Any) -> bool:
    return isinstance(value, dict) and all(map(is_probability, value.values()))


def read_types(obj: Mapping[str, Any], location: object) -> Optional[List[str]]:
    """Returns the types of entities that an object asks for. Raises `ConfigurationError` unless they are a list."""
    types = obj.get("types")
    if types is not None and not (isinstance(types, list) and types and all(map(is_label, types))):
        raise format_error(location, f"the types {types!r}", "a list of types of entities")
    return types


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
    annotation = {key: getattr(sentence, key) for key in ("words", *SYNTAX, "space_after", *_TRAINING)}
    obj = {key: values for key, values in annotation.items() if values is not None}
    if sentence.tags is not None and not sentence.entities:
        obj["tags"] = sentence.tags
    else:
        text = sentence.text
        pairs = zip(sentence.entities, sentence.probabilities or repeat(None), strict=False)
        located = {"words": sentence.words, "text": text, "offsets": sentence.offsets(text)}
        obj["entities"] = entities_to_json(pairs, located)
    return obj if sentence.annotated_types is None else {**obj, "types": list(sentence.annotated_types)}


class Prediction(NamedTuple):
    """A sentence or a thread of posts, with the output of a model for it and with its gold annotation."""

    location: str
    """File and line, for error messages."""
    words: List[str]
    """The words of a sentence; the ids of the posts of a thread."""
    predicted: Sequence[Any] = ()
    """The predicted entities, possibly nested, in order and without duplicates; or the tags, or each post's `Link`s."""
    probabilities: Optional[Sequence[float]] = None
    """The probabilities of the predicted entities, where the model gives them."""
    gold: Sequence[Any] = ()
    has_gold: bool = False
    """`True` if the file of predictions has the gold annotation."""
    gold_probabilities: Optional[Sequence[float]] = None
    document_id: Optional[str] = None
    position: Optional[int] = None
    """The position of the sentence in its document, from 1."""
    document: Sequence[List[str]] = ()
    """The words of the sentences of its document, as far as they have been read, if all annotation is."""
    outputs: Mapping[str, Any] = MappingProxyType({})
    """All values in the file, if not only one kind of annotation is read."""

    @property
    def before(self) -> Sequence[List[str]]:
        """The words of the sentences before this one in its document."""
        return self.document[: (self.position or 1) - 1]

    def predicted_json(self) -> List[Dict[str, Any]]:
        """Returns the predicted entities as JSON objects, with their probabilities if these are known."""
        if self.probabilities is None:
            return [entity._asdict() for entity in self.predicted]
        pairs = zip(self.predicted, self.probabilities, strict=True)
        return [{**entity._asdict(), "probability": probability} for entity, probability in pairs]


def read_predictions(path: str, kind: Optional[str] = None) -> Iterator[Prediction]:
    """
    Yields the predictions of a file in order. Consecutive sentences with the same `doc_id`, or without one, are a
    document, and so are the sentences of one line.

    With a `kind`, `"entities"`, `"tags"` or `"links"`, each prediction must have this annotation, and only this is
    read. Otherwise, all are read, and any may be missing. Raises `ConfigurationError` where a value does not fit.
    """
    document: List[List[str]] = []
    key: object = None
    for line, values in json_objects(read_lines(path)):
        last, key = key, line.number if "sentences" in values else ("doc_id", values.get("doc_id"))
        if key != last:
            document = []
        yield from predictions_from_json(values, line, kind, document)


def predictions_from_json(
    values: Dict[str, Any], location: object, kind: Optional[str] = None, document: Optional[List[List[str]]] = None
) -> Iterator[Prediction]:
    """Yields the predictions of an object, one or several `sentences`. Adds them, with words or not, to `document`."""
    document = [] if document is None else document
    for part in sentence_objects(values, location):
        prediction = _prediction(part, location, kind)
        yield prediction._replace(position=len(document) + 1, document=document if kind is None else ())
        # A file without ids is one document, whose words are not to stay in memory where nothing reads them.
        document.append(prediction.words if kind is None else [])


def read_corpus(path: str, corpus: Corpus) -> Iterator[Prediction]:
    """Yields the sentences of a corpus as predictions. Raises `ConfigurationError` for labels of words."""
    for document in corpus.read(path):
        for sentence in document.sentences:
            if sentence.tags is not None:
                raise format_error(sentence.location, "a label for each word", "entities")
            entities, probabilities = sentence.entities, sentence.probabilities
            yield Prediction(sentence.location, sentence.words, entities, probabilities, document_id=document.id)


def _prediction(values: Dict[str, Any], location: object, kind: Optional[str]) -> Prediction:
    if kind == "links":
        return _thread(values, location)
    words: Any = values.get("words")
    if kind is None:
        if words == [] or isinstance(values.get("posts"), list):
            return Prediction(str(location), [], outputs=values)
        sentence = sentence_from_json(values, location)
    else:
        if values.get(kind) is None:
            raise format_error(location, f"no {kind}", f"predictions with {kind}")
        sentence = sentence_from_json({"words": words, kind: values[kind]}, location)
    prediction = Prediction(
        str(location),
        sentence.words,
        (sentence.tags or ()) if kind == "tags" else sentence.entities,
        sentence.probabilities,
        document_id=None if values.get("doc_id") is None else str(values["doc_id"]),
        outputs=values if kind is None else {},
    )
    if kind != "tags" and values.get("gold_entities") is not None:
        # Preferred to tags, which cannot express nested entities.
        gold = sentence_from_json({"words": words, "entities": values["gold_entities"]}, location)
        return prediction._replace(gold=gold.entities, has_gold=True, gold_probabilities=gold.probabilities)
    if values.get("gold_tags") is None:
        return prediction
    tags = sentence_from_json({"words": words, "tags": values["gold_tags"]}, location).tags or []
    return prediction._replace(gold=tags if kind == "tags" else tags_to_entities(tags, "BIO"), has_gold=True)


def linked_posts(values: Mapping[str, Any], location: object) -> List[Dict[str, Any]]:
    """
    Returns the posts of the prediction for a thread, without its context. Raises `ConfigurationError` where there is
    none, or a post or one of its `gold_links` does not have what it needs.
    """
    posts = values.get("posts")
    posts = posts if isinstance(posts, list) else []
    posts = [post for post in posts if not (isinstance(post, dict) and post.get("context") is True)]
    if not posts:
        raise format_error(location, "no posts", "those of a thread, with links")
    for post in posts:
        _require_keys(post, "post", ("id", "link", "act"), location)
        gold = post.get("gold_links") or []
        if not isinstance(gold, list):
            raise format_error(location, f"the gold_links {gold!r}", "a list")
        for link in gold:
            _require_keys(link, "link", ("to", "act"), location)
    return posts


def _thread(values: Dict[str, Any], location: object) -> Prediction:
    posts = linked_posts(values, location)
    has_gold = all(post.get("gold_links") for post in posts)
    gold = [[Link(link["to"], link["act"]) for link in post["gold_links"]] for post in posts] if has_gold else ()
    links = [[Link(post["link"], post["act"])] for post in posts]
    return Prediction(str(location), [str(post["id"]) for post in posts], links, gold=gold, has_gold=has_gold)


def _require_keys(value: Any, name: str, keys: Sequence[str], location: object) -> None:
    if not isinstance(value, dict) or not value.keys() >= {*keys}:
        raise format_error(location, f"the {name} {value!r}", f"an object with {', '.join(keys)}")
