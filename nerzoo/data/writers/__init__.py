from nerzoo.data.writers.annotation_writer import AnnotationWriter
from nerzoo.data.writers.brat import BratWriter
from nerzoo.data.writers.columns import ColumnsWriter
from nerzoo.data.writers.conllu import ConlluWriter
from nerzoo.data.writers.doccano import DoccanoWriter
from nerzoo.data.writers.jsonl import JsonlWriter, sentence_to_json
from nerzoo.data.writers.label_studio import LabelStudioWriter
from nerzoo.data.writers.parquet import ParquetWriter
from nerzoo.data.writers.text_writer import TextWriter

__all__ = [
    "AnnotationWriter",
    "BratWriter",
    "ColumnsWriter",
    "ConlluWriter",
    "DoccanoWriter",
    "JsonlWriter",
    "LabelStudioWriter",
    "ParquetWriter",
    "TextWriter",
    "sentence_to_json",
]
