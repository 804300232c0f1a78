import json
from collections import Counter
from itertools import groupby
from typing import Any, Dict, Iterator, List, Optional

from nerzoo.errors import format_error
from nerzoo.formats.corpus import AnnotationWriter, Content, Corpus, TextCorpus, TextWriter
from nerzoo.formats.lines import Line, document_id, is_label, json_objects
from nerzoo.formats.standoff import CharacterSpan, Word, check_ends, trimmed
from nerzoo.text.annotation import Document, Entity, Sentence, nested

_LEFT_OUT = {"reject": "examples rejected", "ignore": "examples ignored"}


@Corpus.register("prodigy")
class ProdigyCorpus(TextCorpus):
    """
    The JSON lines that Prodigy's `db-out` writes for `ner.manual` and `spans.manual`: a sentence per line, with `text`,
    `tokens`, `spans` and `answer`. Consecutive sentences with the same `doc_id` in their `meta`, or without one, are a
    document. Examples with the answer `reject` or `ignore` are left out and counted. Tokens of white space are no
    words. Raises `ConfigurationError` where tokens are missing or not those of the text, or spans do not fit them.
    """

    def _parse(self, lines: Iterator[Line], counts: Counter) -> Iterator[Document]:
        pairs = ((line, obj) for line, obj in json_objects(lines) if _is_accepted(line, obj, counts))
        for doc_id, group in groupby(pairs, key=lambda pair: _doc_id(*pair)):
            found = (_sentence(line, obj, counts) for line, obj in group)
            yield Document(doc_id, [sentence for sentence in found if sentence is not None])


def _is_accepted(line: Line, obj: Dict[str, Any], counts: Counter) -> bool:
    answer = obj.get("answer") or "accept"
    if answer not in ("accept", *_LEFT_OUT):
        raise format_error(line, f"the answer {answer!r}", "accept, reject or ignore")
    if answer in _LEFT_OUT:
        counts[_LEFT_OUT[answer]] += 1
    return answer == "accept"


def _doc_id(line: Line, obj: Dict[str, Any]) -> Optional[str]:
    meta = obj.get("meta")
    return document_id(meta, "doc_id", line) if isinstance(meta, dict) else None


def _sentence(line: Line, obj: Dict[str, Any], counts: Counter) -> Optional[Sentence]:
    text, spans = obj.get("text"), obj.get("spans") or []
    if not isinstance(text, str):
        raise format_error(line, f"the text {text!r}", "a string")
    words = _words(line, text, obj.get("tokens"))
    if not words:
        counts["texts without words"] += 1
        return None
    if not isinstance(spans, list):
        raise format_error(line, f"the spans {spans!r}", "a list")
    starts = {start: place for place, (start, _) in enumerate(words)}
    ends = {end: place for place, (_, end) in enumerate(words, start=1)}
    entities = []
    for span in spans:
        values: Dict[str, Any] = span if isinstance(span, dict) else {}
        start, end, label = values.get("start"), values.get("end"), values.get("label", "")
        if type(start) is not int or type(end) is not int or not is_label(label):
            raise format_error(line, f"the span {span!r}", "an object with start, end and label")
        start, end, *_ = trimmed(CharacterSpan(start, end, label, line), text, counts)
        if start not in starts or end not in ends:
            found = f"the span {text[start:end]!r} from {start} to {end}"
            raise format_error(line, found, "one that begins and ends with a token")
        entities.append(Entity(starts[start], ends[end], label))
    return Sentence(
        [text[start:end] for start, end in words],
        entities=nested(entities, lambda entity: line),
        space_after=[end == len(text) or text[end].isspace() for _, end in words],
        id=str(line),
    )


def _words(line: Line, text: str, tokens: Any) -> List[Word]:
    """Returns start and end of the tokens that are words."""
    if not isinstance(tokens, list):
        found = "no tokens" if tokens is None else f"the tokens {tokens!r}"
        raise format_error(line, found, "a list, as Prodigy's ner.manual adds it to a text")
    words: List[Word] = []
    end = 0
    for token in tokens:
        known = token if isinstance(token, dict) else {}
        start, after, word = known.get("start"), known.get("end"), known.get("text")
        if (
            type(start) is not int
            or type(after) is not int
            or not end <= start < after <= len(text)
            or text[start:after] != word
        ):
            raise format_error(line, f"the token {token!r}", "one with text, start and end, as in the text, in order")
        if not word.isspace():
            words.append((start, after))
        end = after
    return words


@AnnotationWriter.register("prodigy")
class ProdigyWriter(TextWriter):
    """
    JSON lines for Prodigy's `db-in`, and for its recipes as tasks with annotation: a sentence per line, with the
    `doc_id` of its document, if it has one, in its `meta`; see `ProdigyCorpus`.
    """

    expresses = frozenset(
        {Content.DOCUMENT_BOUNDS, Content.DOCUMENT_IDS, Content.WORDS, Content.SPACES, Content.NESTED_ENTITIES}
    )

    def _text(self, document: Document) -> str:
        meta = {} if document.id is None else {"meta": {"doc_id": document.id}}
        objects = ({**_example(sentence), **meta} for sentence in document.sentences)
        return "".join(json.dumps(obj, ensure_ascii=False) + "\n" for obj in objects)


def _example(sentence: Sentence) -> Dict[str, Any]:
    check_ends(sentence)
    text = sentence.text
    tokens: List[Dict[str, Any]] = []
    for number, (word, start) in enumerate(zip(sentence.words, sentence.offsets(text), strict=True)):
        end = start + len(word)
        tokens.append({"text": word, "start": start, "end": end, "id": number, "ws": text[end : end + 1] == " "})
    spans = [
        {
            "start": tokens[start]["start"],
            "end": tokens[end - 1]["end"],
            "token_start": start,
            "token_end": end - 1,
            "label": label,
        }
        for start, end, label in sentence.entities
    ]
    return {"text": text, "tokens": tokens, "spans": spans, "answer": "accept"}
