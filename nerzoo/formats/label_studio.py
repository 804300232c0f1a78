from collections import Counter
from typing import Any, Dict, Iterator, List, Optional

from nerzoo.errors import check_choice, format_error
from nerzoo.formats.corpus import AnnotationWriter, Content, Corpus
from nerzoo.formats.lines import AnyPath, is_label, is_probability, json_list
from nerzoo.formats.standoff import AnnotatedText, CharacterSpan, StandoffCorpus, StandoffWriter, TextSplitter, text_id
from nerzoo.text.annotation import Document


@Corpus.register("label_studio")
class LabelStudioCorpus(StandoffCorpus):
    """
    The JSON that Label Studio exports, not JSON-MIN: a list of tasks, each with a text and its annotations. Of several
    annotations of a task, the last one counts that was not cancelled. A text is a document of its own by the `id` of
    the task, unless its `data.doc_id` says which document it is part of.

    Results of other kinds, annotations before the one that counts and tasks without one are left out and counted.
    Raises `ConfigurationError` where `results` is unknown.

    # Parameters

    splitter : `TextSplitter`, optional (default = `TextSplitter()`)
        Splits texts into sentences and words.
    text_key : `str`, optional (default = `"text"`)
        The key of the text in `data`.
    results : `str`, optional (default = `"annotations"`)
        The source of the entities: `"annotations"` or `"predictions"`; `"none"` reads all tasks, without entities.
    """

    def __init__(
        self, splitter: Optional[TextSplitter] = None, text_key: str = "text", results: str = "annotations"
    ) -> None:
        super().__init__(splitter, annotated=results != "none")
        check_choice("results", results, ("annotations", "predictions", "none"))
        self._text_key = text_key
        self._results = results

    def _texts(self, path: AnyPath, counts: Counter) -> Iterator[AnnotatedText]:
        for number, task in enumerate(json_list(path, "tasks"), start=1):
            location = f"{path}: task {number}"
            data = task.get("data") if isinstance(task, dict) else None
            if not isinstance(data, dict):
                raise format_error(location, "no data", 'a task such as {"data": {"text": ...}, "annotations": [...]}')
            id = text_id(task, data, location)
            if task.get("id") is not None:
                location += f" (id {task['id']})"
            text = data.get(self._text_key)
            if not isinstance(text, str):
                raise format_error(location, f"data with {', '.join(data) or 'nothing'}", f"a string {self._text_key}")
            results = self._chosen(task, location, counts)
            if results is None:
                counts[f"tasks without {self._results}"] += 1
                continue
            spans = [span for result in results for span in _spans(result, text, location, counts)]
            yield AnnotatedText(id, text, spans, location)

    def _chosen(self, task: Dict[str, Any], location: str, counts: Counter) -> Optional[List[Any]]:
        """Returns the results that count, or `None`."""
        if not self._annotated:
            return []
        found = task.get(self._results) or []
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise format_error(location, f"the {self._results} {found!r}", "a list of objects")
        found = [one.get("result") or [] for one in found if not one.get("was_cancelled")]
        if not found:
            return None
        counts[f"{self._results} before the last one of a task"] += len(found) - 1
        if not isinstance(found[-1], list):
            raise format_error(location, f"the result {found[-1]!r}", "a list")
        return found[-1]


def _spans(result: Any, text: str, location: str, counts: Counter) -> Iterator[CharacterSpan]:
    value = result.get("value") if isinstance(result, dict) else None
    labels = value.get("labels") if isinstance(value, dict) else None
    if not value or not labels:
        counts["results that are not labels of text"] += 1
        return
    start, end, covered = value.get("start"), value.get("end"), value.get("text")
    is_span = type(start) is int and type(end) is int and isinstance(covered, (str, type(None)))
    if not is_span or not isinstance(labels, list) or not all(map(is_label, labels)):
        raise format_error(location, f"the result {result!r}", "labels, and a start and an end in characters")
    score = result.get("score")
    if score is not None and not is_probability(score):
        raise format_error(location, f"the score {score!r}", "a probability, or none")
    # Some versions write line ends as two characters.
    if covered is not None and text[start:end] not in (covered, covered.replace("\\n", "\n")):
        found = f"the entity {covered!r}, where the text has {text[start:end]!r}, from {start} to {end}"
        raise format_error(location, found, "the same in both")
    for label in labels:
        yield CharacterSpan(start, end, label, location, score)


@AnnotationWriter.register("label_studio")
class LabelStudioWriter(StandoffWriter):
    """
    Tasks that Label Studio imports, a document each, with their entities as annotations, or as predictions, which it
    shows as pre-annotations; see `LabelStudioCorpus`. Each entity of a prediction has a score, its probability, and
    their lowest one is the score of the task. Raises `ConfigurationError` where `results` is unknown.

    # Parameters

    results : `str`, optional (default = `"annotations"`)
        `"annotations"` or `"predictions"`.
    per_sentence, pretokenized : `bool`, optional (default = `False`)
        As in `StandoffWriter`.
    text_key : `str`, optional (default = `"text"`)
        The key of the text in `data`: `value="$text"` of the labelling configuration.
    from_name, to_name : `str`, optional (default = `"label"` and `"text"`)
        The `name` of `Labels` and of `Text` in the labelling configuration.
    model_version : `str`, optional (default = `"nerzoo"`)
        The name of the model in predictions.
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
        super().__init__(per_sentence, pretokenized)
        check_choice("results", results, ("annotations", "predictions"))
        self._results = results
        self._text_key = text_key
        self._names = {"from_name": from_name, "to_name": to_name, "type": "labels"}
        self._model_version = model_version
        if results == "predictions":
            self.expresses |= {Content.PROBABILITIES}

    def _text(self, document: Document) -> str:
        return self.separator.join(self._objects(document))

    def _object(self, id: Optional[str], text: str, spans: List[CharacterSpan]) -> Dict[str, Any]:
        data = {self._text_key: text}
        if id is not None:
            data["doc_id"] = id
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
