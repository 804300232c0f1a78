import json
from itertools import repeat
from typing import Any, Dict

from nerzoo.data.annotation import Document, Sentence
from nerzoo.data.writers import losses
from nerzoo.data.writers.annotation_writer import AnnotationWriter
from nerzoo.data.writers.text_writer import TextWriter
from nerzoo.runtime.running_text import entities_to_json


@AnnotationWriter.register("jsonl")
class JsonlWriter(TextWriter):
    """
    JSON lines: one sentence per line, with the `doc_id` of its document, if it has one; see
    `nerzoo.data.corpora.JsonlCorpus`. Offsets in characters are those in the text of the sentence.
    """

    expresses = losses.ANNOTATED_WORDS | {losses.WORD_LABELS, losses.NESTED_ENTITIES, losses.PROBABILITIES}

    def _text(self, document: Document) -> str:
        ids = {} if document.id is None else {"doc_id": document.id}
        objects = ({**ids, **sentence_to_json(sentence)} for sentence in document.sentences)
        return "".join(json.dumps(obj, ensure_ascii=False) + "\n" for obj in objects)


def sentence_to_json(sentence: Sentence) -> Dict[str, Any]:
    """
    Turns a sentence into a JSON object, which `nerzoo.data.corpora.sentence_from_json` turns back into it. Entities
    have their place in the sentence's `text` beside their place in words.
    """
    text = sentence.text
    located = {"words": sentence.words, "text": text, "offsets": sentence.offsets(text)}
    obj: Dict[str, Any] = {"words": sentence.words}
    for key in ("pos", "heads", "dep_labels", "space_after"):
        value = getattr(sentence, key)
        if value is not None:
            obj[key] = value
    if sentence.tags is not None and not sentence.entities:
        obj["tags"] = sentence.tags
    else:
        pairs = zip(sentence.entities, sentence.probabilities or repeat(None), strict=False)
        obj["entities"] = entities_to_json(pairs, located)
    return obj
