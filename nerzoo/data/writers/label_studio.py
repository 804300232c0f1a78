import json
from typing import Any, Dict

from allennlp.common.checks import ConfigurationError

from nerzoo.data.annotation import Document
from nerzoo.data.text_splitter import CharacterSpan
from nerzoo.data.writers import losses
from nerzoo.data.writers.annotation_writer import AnnotationWriter
from nerzoo.data.writers.standoff import expressed, parts, to_characters
from nerzoo.data.writers.text_writer import TextWriter


@AnnotationWriter.register("label_studio")
class LabelStudioWriter(TextWriter):
    """
    Tasks that Label Studio imports, a document each, with their entities as annotations, or as predictions, which it
    shows as pre-annotations; see `nerzoo.data.corpora.LabelStudioCorpus`. The score of a prediction is the lowest
    probability of its entities, by which the Data Manager can sort the tasks; each entity has its own, too.

    # Parameters

    results : `str`, optional (default = `"annotations"`)
        `"annotations"` or `"predictions"`.
    per_sentence : `bool`, optional (default = `False`)
        Whether each task is a sentence. It always is where a document has no id, since that is a file without
        documents.
    pretokenized : `bool`, optional (default = `False`)
        Whether texts have a sentence a line and a space between words, so that `splitter.pretokenized` of the corpus
        reads the same words again.
    text_key : `str`, optional (default = `"text"`)
        Where `data` has the text: `value="$text"` of the labelling configuration.
    from_name : `str`, optional (default = `"label"`)
        The `name` of `Labels` in the labelling configuration.
    to_name : `str`, optional (default = `"text"`)
        The `name` of `Text` in the labelling configuration.
    model_version : `str`, optional (default = `"nerzoo"`)
        The name of the model in predictions.

    # Raises

    `ConfigurationError` where `results` is something else.
    """

    beginning = "[\n"
    separator = ",\n"
    end = "\n]\n"

    def __init__(
        self,
        results: str = "annotations",
        per_sentence: bool = False,
        pretokenized: bool = False,
        text_key: str = "text",
        from_name: str = "label",
        to_name: str = "text",
        model_version: str = "nerzoo",
    ) -> None:
        super().__init__()
        if results not in ("annotations", "predictions"):
            raise ConfigurationError(f"found the results {results!r}, expected 'annotations' or 'predictions'")
        self._results = results
        self._per_sentence = per_sentence
        self._pretokenized = pretokenized
        self._text_key = text_key
        self._names = {"from_name": from_name, "to_name": to_name, "type": "labels"}
        self._model_version = model_version
        self.expresses = expressed(pretokenized)
        if results == "predictions":
            self.expresses |= {losses.PROBABILITIES}

    def _text(self, document: Document) -> str:
        tasks = (self._task(part) for part in parts(document, self._per_sentence))
        return self.separator.join(json.dumps(task, ensure_ascii=False) for task in tasks)

    def _task(self, document: Document) -> Dict[str, Any]:
        text, spans = to_characters(document, self._pretokenized)
        data = {self._text_key: text}
        if document.id is not None:
            data["doc_id"] = document.id
        group: Dict[str, Any] = {"result": [self._result(i, span, text) for i, span in enumerate(spans, start=1)]}
        if self._results == "predictions":
            group["model_version"] = self._model_version
            scores = [span.probability for span in spans if span.probability is not None]
            if scores:
                group["score"] = min(scores)
        return {"data": data, self._results: [group]}

    def _result(self, number: int, span: CharacterSpan, text: str) -> Dict[str, Any]:
        covered = text[span.start : span.end]
        value = {"start": span.start, "end": span.end, "text": covered, "labels": [span.label]}
        result: Dict[str, Any] = {"id": f"entity-{number}", **self._names, "value": value}
        if self._results == "predictions" and span.probability is not None:
            result["score"] = span.probability
        return result
