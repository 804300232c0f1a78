"""Reads what a tagger is to predict: texts, sentences and documents."""

import reprlib
from functools import partial
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from nerzoo.text.annotation import SYNTAX, running_text, word_offsets
from nerzoo.text.splitting import SplitSentence, split_text, text_prediction
from nerzoo.text.token_batches import BATCH_TOKENS, sentence_size, text_documents

Item = Union[str, Sequence[str], Mapping[str, Any]]
Object = Dict[str, Any]


class ReadItem(NamedTuple):
    """
    The documents of an item, each a list of sentences that are encoded together, for a model of sentences of one each;
    the number of tokens of each document, see `sentence_size`; and the function that makes the prediction for the item
    of those for all of its sentences. A sentence has `words`, `text`, `offsets` of words in it, and `types`, by default
    `None`.
    """

    item: Item
    documents: List[List[Object]]
    sizes: List[int]
    join: Callable[[List[Object]], Object]

    @property
    def size(self) -> int:
        """The number of tokens of all documents."""
        return sum(self.sizes)


def read_item(item: Item, splitter: str, reads_documents: bool) -> ReadItem:
    """
    Reads an item in one of the forms of `OnnxTagger`, given the splitter of texts and whether the model reads
    documents. Raises `ValueError` where it is in another form.
    """
    kind = "text" if isinstance(item, str) else "words"
    given: Mapping[str, Any] = item if isinstance(item, Mapping) else {kind: item}
    present, types = _present(given), _types(given)
    if present == ["text"] and isinstance(given["text"], str):
        text = given["text"]
        split = split_text(text, splitter)
        sentences = [{**_text_sentence(text, part), "types": types} for part in split]
        # A model of sentences takes each of them alone.
        documents = text_documents(sentences, num_words, BATCH_TOKENS if reads_documents else 0)
        return ReadItem(item, documents, _sizes(documents), partial(text_prediction, text, split))
    parts: Any = given.get("sentences")
    is_document = reads_documents and isinstance(parts, list) and not present
    sentences = [_read_sentence(part, splitter) for part in (parts if is_document else [item])]
    if is_document and types is not None:
        sentences = [{**sentence, "types": types} for sentence in sentences]
    doc_id = given.get("doc_id") if reads_documents else None
    if not (doc_id is None or isinstance(doc_id, (str, float)) or type(doc_id) is int):
        raise ValueError(f"found the doc_id {doc_id!r}, expected a string or a number")

    def join(predictions: List[Object]) -> Object:
        """Returns the prediction for a document or a sentence, given those for the sentences that have words."""
        known = {} if doc_id is None else {"doc_id": str(doc_id)}
        rest = iter(predictions)
        found: List[Object] = [
            {**known, **next(rest)} if sentence["words"] else {"words": [], "tags": [], "entities": []}
            for sentence in sentences
        ]
        if not is_document:
            return found[0]
        return {**({"doc_id": None, **known} if predictions else {}), "sentences": found}

    document = [sentence for sentence in sentences if sentence["words"]]
    documents = [document] if document else []
    return ReadItem(item, documents, _sizes(documents), join)


def _sizes(documents: Sequence[Sequence[Object]]) -> List[int]:
    return [sentence_size(column("words", document)) for document in documents]


def num_words(sentence: Object) -> int:
    """Returns the number of words of a sentence."""
    return len(sentence["words"])


def column(name: str, document: Sequence[Object]) -> List[Any]:
    """Returns the words of a document, or what is known of each of them, such as its part of speech."""
    return [value for sentence in document for value in sentence[name]]


def _present(given: Mapping[str, Any]) -> List[str]:
    return [name for name in ("text", "sentence", "words") if given.get(name) is not None]


def _types(given: Mapping[str, Any]) -> Optional[List[str]]:
    """Returns the types that are asked for. Raises `ValueError` where they are no list of names."""
    types = given.get("types")
    if types is not None and not (isinstance(types, list) and types and all(isinstance(name, str) for name in types)):
        raise ValueError(f"found the types {types!r}, expected a list of types of entities")
    return types


def _read_sentence(item: Any, splitter: str) -> Object:
    """Returns a sentence, perhaps without words. Raises `ValueError` where it is in another form."""
    given: Mapping[str, Any] = item if isinstance(item, Mapping) else {"words": item}
    types = _types(given)
    present = _present(given)
    if present == ["sentence"] and isinstance(given["sentence"], str):
        parts = split_text(given["sentence"], splitter)
        found = [word for part in parts for word in part.words]
        offsets = [offset for part in parts for offset in part.offsets]
        return {"words": found, "text": given["sentence"], "offsets": offsets, "types": types}
    words: Any = given.get("words")
    space_after = given.get("space_after")
    is_list = isinstance(words, (list, tuple)) and all(isinstance(word, str) and word for word in words)
    if len(present) != 1 or not is_list:
        expected = (
            'a text, {"text": "..."}, {"sentence": "..."} or {"words": [...]}, a list of words, none of them empty'
        )
        raise ValueError(f"found the sentence {reprlib.repr(item)}, expected {expected}")
    spaces = list(map(type, space_after)) if isinstance(space_after, list) else None
    if space_after is not None and spaces != [bool] * len(words):
        raise ValueError(f"found the space_after {space_after!r}, expected a list of {len(words)}, one bool a word")
    text = running_text(words, space_after)
    offsets = word_offsets(words, text)
    return {"words": list(words), "text": text, "offsets": offsets, "types": types, **_syntax(given, len(words))}


def _syntax(given: Mapping[str, Any], length: int) -> Object:
    """Returns those of `pos`, `heads` and `dep_labels` that a sentence has. Raises `ValueError` for other values."""
    found = {name: given[name] for name in SYNTAX if given.get(name) is not None}
    for name, values in found.items():
        type_ = int if name == "heads" else str
        if not isinstance(values, list) or list(map(type, values)) != [type_] * length:
            expected = f"a list of {length}, one {type_.__name__} a word"
            raise ValueError(f"found the {name} {reprlib.repr(values)}, expected {expected}")
    return found


def _text_sentence(text: str, part: SplitSentence) -> Object:
    """Returns a sentence of a text, whose characters count from its start."""
    offsets = [offset - part.start for offset in part.offsets]
    return {"words": part.words, "text": text[part.start : part.end], "offsets": offsets}
