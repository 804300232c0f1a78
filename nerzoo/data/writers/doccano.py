import json

from nerzoo.data.annotation import Document
from nerzoo.data.writers.annotation_writer import AnnotationWriter
from nerzoo.data.writers.standoff import expressed, parts, to_characters
from nerzoo.data.writers.text_writer import TextWriter


@AnnotationWriter.register("doccano")
class DoccanoWriter(TextWriter):
    """
    JSON lines that doccano imports for sequence labelling, `{"doc_id": ..., "text": ..., "label": [[start, end, "PER"],
    ...]}`: a document per line; see `nerzoo.data.corpora.DoccanoCorpus`.

    # Parameters

    per_sentence : `bool`, optional (default = `False`)
        Whether each line is a sentence. It always is where a document has no id, since that is a file without
        documents.
    pretokenized : `bool`, optional (default = `False`)
        Whether texts have a sentence a line and a space between words, so that `splitter.pretokenized` of the corpus
        reads the same words again.
    """

    def __init__(self, per_sentence: bool = False, pretokenized: bool = False) -> None:
        super().__init__()
        self._per_sentence = per_sentence
        self._pretokenized = pretokenized
        self.expresses = expressed(pretokenized)

    def _text(self, document: Document) -> str:
        lines = []
        for part in parts(document, self._per_sentence):
            text, spans = to_characters(part, self._pretokenized)
            ids = {} if part.id is None else {"doc_id": part.id}
            obj = {**ids, "text": text, "label": [[span.start, span.end, span.label] for span in spans]}
            lines.append(json.dumps(obj, ensure_ascii=False) + "\n")
        return "".join(lines)
