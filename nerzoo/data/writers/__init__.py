from nerzoo.data.writers.annotation_writer import AnnotationWriter
from nerzoo.data.writers.columns import ColumnsWriter
from nerzoo.data.writers.conllu import ConlluWriter
from nerzoo.data.writers.jsonl import JsonlWriter, sentence_to_json
from nerzoo.data.writers.text_writer import TextWriter

__all__ = [
    "AnnotationWriter",
    "ColumnsWriter",
    "ConlluWriter",
    "JsonlWriter",
    "TextWriter",
    "sentence_to_json",
]
