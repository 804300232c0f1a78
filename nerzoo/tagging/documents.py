"""Predictions as documents, for the formats that nerzoo writes."""

from dataclasses import replace
from itertools import groupby
from typing import Any, Dict, Iterable, Iterator, List, Optional, Union

from nerzoo.data.annotation import Document, Sentence
from nerzoo.data.corpora import sentence_from_json

_OF_SENTENCES = ("pos", "heads", "dep_labels", "space_after", "doc_id", "sentence", "running_text")
Object = Dict[str, Any]


def with_inputs(inputs: Union[str, Object], prediction: Object) -> Object:
    """Adds to a prediction what a document has of the item: its text, or annotation of words other than entities."""
    if isinstance(inputs, str):
        inputs = {"sentence": inputs}
    if "sentences" in prediction:
        sentences = inputs.get("sentences", [inputs])
        parts = [with_inputs(*pair) for pair in zip(sentences, prediction["sentences"], strict=True)]
        return {**prediction, "sentences": parts}
    return {**{name: inputs[name] for name in _OF_SENTENCES if inputs.get(name) is not None}, **prediction}


def documents(entries: Iterable[Object], by_file: bool = False) -> Iterator[Document]:
    """
    Turns the objects of `with_inputs` into documents: sentences that follow one another with the same `doc_id`, or each
    text. Leaves out sentences without words.

    # Parameters

    entries : `Iterable[Dict[str, Any]]`
    by_file : `bool`, optional (default = `False`)
        Whether sentences that follow one another without a `doc_id` are a document, too. By default each is one, so
        that a file of any length can be written.
    """
    numbered = ((number, entry) for number, entry in enumerate(entries) if "error" not in entry)
    for key, group in groupby(numbered, key=lambda pair: _key(pair[0], pair[1], by_file)):
        doc_id = key if isinstance(key, str) else None
        parts = [part for _, entry in group for part in entry.get("sentences", [entry])]
        sentences = [_sentence(part) for part in parts if part["words"]]
        if sentences:
            text = _text([part for part in parts if part["words"]])
            # What is not all of a document has white space up to the next sentence.
            yield Document(doc_id, sentences, text=text.strip() if text and doc_id is None else text)


def _key(number: int, entry: Object, by_file: bool) -> Union[str, int]:
    if isinstance(entry.get("doc_id"), str):
        return entry["doc_id"]
    return -1 if by_file and "sentence" not in entry else number


def _text(parts: List[Object]) -> Optional[str]:
    """Returns the running text that sentences are parts of, or are themselves, if they are."""
    for name, separator in (("running_text", ""), ("sentence", "\n")):
        if all(name in part for part in parts):
            return separator.join(part[name] for part in parts)
    return None


def _sentence(part: Object) -> Sentence:
    words: List[str] = part["words"]
    sentence = sentence_from_json({**part, "id": None}, f"the sentence {' '.join(words)!r:.80}")
    if "sentence" not in part:
        return sentence
    text = part["sentence"]
    ends = [offset + len(word) for offset, word in zip(sentence.offsets(text), words, strict=True)]
    # A line end follows the last word.
    return replace(sentence, space_after=[end == len(text) or text[end].isspace() for end in ends])
