"""Predictors of the tags and entities of texts, sentences and documents."""

from dataclasses import replace
from functools import partial
from itertools import repeat
from typing import Any, Iterator, List, Optional, Sequence, Tuple, Union, cast

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import Instance
from allennlp.models import Model
from allennlp.predictors import Predictor

from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader
from nerzoo.data.fields import OpaqueMetadataField
from nerzoo.errors import check_choice, nearest, shortened, worded
from nerzoo.formats.jsonl import read_types, sentence_from_json
from nerzoo.formats.lines import document_id
from nerzoo.inference.json_predictor import JsonPredictor, ReadItem, Result, check_size
from nerzoo.models.exported_tagger import ExportedModel
from nerzoo.runtime.onnx_tagger import OnnxTagger
from nerzoo.text.annotation import Document, Sentence
from nerzoo.text.splitting import SplitSentence, completed, split_text, text_prediction
from nerzoo.text.token_batches import BATCH_TOKENS, text_documents

NOTHING: JsonDict = {"words": [], "tags": [], "entities": []}
"""The prediction for a sentence without words."""


@Predictor.register("ner")
class NerPredictor(JsonPredictor):
    """
    Predicts the tags and entities of texts and sentences. Input is a text of any length, `{"text": "..."}`, which is
    split into sentences; a sentence, `{"sentence": "..."}`; its words, `{"words": [...]}`, with `pos`, `heads` and
    `dep_labels` where the model needs them and has no parser; or, with `--use-dataset-reader`, any file that the
    model's corpus reads.

    With `types`, a list, the model chooses among the entities of these types alone. The prediction for a text has
    `entities`, `text` and `sentences`, see `nerzoo.text.splitting.text_prediction`; that for a sentence has its `text`,
    too. Other keys of the input, such as an `id`, are in the prediction, see `nerzoo.text.splitting.completed`.

    # Parameters

    dataset_reader : `AnnotatedTextReader`
        Its `splitter` splits texts into sentences and words, which its `parser`, if any, annotates; a parser also
        splits sentences into words.
    output_format : `str`, optional (default = `"json"`)
        `"json"`: one sentence per line; `"conll"`: one word per line, with its gold tag, if known, and its predicted
        tag, as conlleval reads them.
    model, frozen, **kwargs
        As in `JsonPredictor`.
    """

    text_key = "text"
    _expected = 'a JSON object: {"text": "..."}, {"sentence": "..."} or {"words": [...]}'
    _empty: JsonDict = NOTHING
    _dataset_reader: AnnotatedTextReader

    def __init__(
        self,
        model: Model,
        dataset_reader: AnnotatedTextReader,
        frozen: bool = True,
        output_format: str = "json",
        **kwargs: Any,
    ) -> None:
        super().__init__(model, dataset_reader, frozen, **kwargs)
        check_choice("output_format", output_format, ("json", "conll"))
        self._output_format = output_format

    def dump_line(self, outputs: JsonDict) -> str:
        """Returns a prediction in the output format."""
        if self._output_format == "json":
            return super().dump_line(outputs)
        if "sentences" in outputs:
            return "".join(map(self.dump_line, outputs["sentences"]))
        columns = [outputs[name] for name in ("words", "gold_tags", "tags") if name in outputs]
        return "".join(" ".join(row) + "\n" for row in zip(*columns, strict=True)) + "\n"

    def _read_text(self, json_dict: JsonDict) -> Optional[ReadItem]:
        given = json_dict if isinstance(json_dict, dict) else {}
        found = {name: given[name] for name in ("text", "sentence", "words") if given.get(name) is not None}
        tagger = self._exported_tagger()
        if tagger is not None and found.keys() <= {"text", "sentence"} and [*map(type, found.values())] == [str]:
            self._types(json_dict)
            with worded():
                item = tagger.read(json_dict)
            # Its words are short: the splitter divides long ones.
            check_size(max(item.sizes, default=0))
            return ReadItem(json_dict, None, item.size, exported=item)
        text = found.get("text")
        if len(found) > 1 or not isinstance(text, str):
            return None
        split = split_text(text, self._dataset_reader.splitter)
        sentences = self._dataset_reader.parsed(text, split)
        types = self._types(json_dict)
        sentences = [replace(sentence, annotated_types=types) for sentence in sentences]
        parts = self._text_parts([text[part.start : part.end] for part in split], sentences)
        size = sum(part.size for part in parts)
        return ReadItem(json_dict, None, size, parts, partial(self._join, text, split))

    def predict_items(self, items: Sequence[Union[ReadItem, Exception]]) -> List[Result]:
        """Predicts what `read` has returned, as `JsonPredictor` does; raw text by the exported tagger, if it is one."""
        exported = [item.exported if isinstance(item, ReadItem) else None for item in items]
        texts = [item for item in exported if item is not None]
        if not texts:
            return super().predict_items(items)
        model = cast(ExportedModel, self._model)
        tagged = iter(map(_as_configuration_error, model.tagger.predict_items(texts, self.batch_tokens)))
        others = [item for item, text in zip(items, exported, strict=True) if text is None]
        rest = iter(super().predict_items(others))
        return [next(rest) if text is None else next(tagged) for text in exported]

    def _exported_tagger(self) -> Optional[OnnxTagger]:
        """Returns the exported tagger that predicts raw text as this predictor does, but faster, if there is one."""
        model, reader = self._model, self._dataset_reader
        if not isinstance(model, ExportedModel) or model.extra_outputs:
            return None
        is_same = reader.splits_by_rules and reader.splitter == model.tagger.splitter
        return model.tagger if is_same else None

    def _result(self, item: ReadItem, predictions: Iterator[Result]) -> Result:
        result = super()._result(item, predictions)
        return result if isinstance(result, Exception) else completed(item.inputs, self._item_prediction(item, result))

    def _item_prediction(self, item: ReadItem, prediction: JsonDict) -> JsonDict:
        """Returns the prediction for an item, given that of the model."""
        return prediction

    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        """Predicts several instances, in batches of up to `batch_tokens`. Each sentence has its `text`."""
        predictions = super().predict_batch_instance(instances)
        return [completed(_texts(each), prediction) for each, prediction in zip(instances, predictions, strict=True)]

    def _text_parts(self, texts: List[str], sentences: List[Sentence]) -> List[ReadItem]:
        """Returns the items of the sentences of a text, given the text of each."""
        instances = map(self._dataset_reader.text_to_instance, sentences, texts, repeat(False))
        return [ReadItem({}, instance, self.size(instance)) for instance in instances]

    def _join(self, text: str, split: List[SplitSentence], predictions: List[JsonDict]) -> JsonDict:
        return text_prediction(text, split, predictions)

    # allennlp/predictors/predictor.py, _json_to_instance, always returns an instance.
    def _json_to_instance(self, json_dict: JsonDict) -> Optional[Instance]:  # type: ignore[override]
        sentence, text, tagged = self._sentence(json_dict)
        return self._dataset_reader.text_to_instance(sentence, text, tagged) if sentence.words else None

    def _sentence(self, json_dict: JsonDict) -> Tuple[Sentence, Optional[str], bool]:
        """Returns the sentence, perhaps without words, its text, if known, and whether it has gold tags."""
        if isinstance(json_dict, dict) and json_dict.get("words") is not None:
            if json_dict.get("sentence") is not None:
                raise ConfigurationError("found words and a sentence in an input, expected one of them")
            if json_dict["words"] == []:
                return Sentence([]), None, False
            self._types(json_dict)
            sentence = self._dataset_reader.annotated(sentence_from_json(json_dict, "input"))
            return sentence, None, json_dict.get("entities") is not None or sentence.tags is not None
        if not isinstance(json_dict, dict) or not isinstance(json_dict.get("sentence"), str):
            raise ConfigurationError(f"found the input {shortened(repr(json_dict))}, expected {self._expected}")
        text = json_dict["sentence"]
        return replace(self._dataset_reader.parse(text), annotated_types=self._types(json_dict)), text, False

    def _types(self, json_dict: JsonDict) -> Optional[List[str]]:
        """Returns the types that an input asks for. Raises `ConfigurationError` for one that the model lacks."""
        types = read_types(json_dict, "input")
        known = getattr(self._model, "types", ())
        for name in types or ():
            if name not in known:
                raise ConfigurationError(f"found the type {name!r}, expected {nearest(name, known)}")
        return types


@Predictor.register("document_ner")
class DocumentNerPredictor(NerPredictor):
    """
    Predicts the tags and entities of documents. Input is a text, `{"text": "..."}`, which is a document, or several
    where it has more than 4,096 words; `{"sentences": [...]}`, perhaps with a `doc_id`, where each sentence is in a
    form that `NerPredictor` takes; a single sentence; or, with `--use-dataset-reader`, any file of
    documents that the model's corpus reads. It writes all sentences, also those without words. Parameters as in
    `NerPredictor`.
    """

    _expected = (
        'a JSON object: {"text": "..."}, or {"sentences": [...]}, of {"sentence": "..."} or {"words": [...]}, or one '
        "of these alone"
    )
    _empty: JsonDict = {"sentences": []}

    def dump_line(self, outputs: JsonDict) -> str:
        """Returns the predictions for the sentences of a document in the output format."""
        if "text" in outputs or "sentences" not in outputs:
            return super().dump_line(outputs)
        return "".join(super(DocumentNerPredictor, self).dump_line(sentence) for sentence in outputs["sentences"])

    def _item_prediction(self, item: ReadItem, prediction: JsonDict) -> JsonDict:
        if "text" in prediction:
            return prediction
        num_sentences = len(item.inputs["sentences"]) if _is_document(item.inputs) else 1
        if item.instance is None:
            prediction = {"sentences": [{name: [] for name in NOTHING} for _ in range(num_sentences)]}
        # A sentence alone gets the same prediction as from a model of sentences.
        return prediction if _is_document(item.inputs) else prediction["sentences"][0]

    def _text_parts(self, texts: List[str], sentences: List[Sentence]) -> List[ReadItem]:
        parts = []
        pairs = zip(texts, sentences, strict=True)
        for document in text_documents(pairs, lambda pair: len(pair[1].words), BATCH_TOKENS):
            document_texts = [pair[0] for pair in document]
            document_sentences = Document(None, [pair[1] for pair in document])
            instance = self._dataset_reader.text_to_instance(document_sentences, document_texts, False)
            cast(OpaqueMetadataField, instance["metadata"]).metadata["empty_sentences"] = []
            parts.append(ReadItem({}, instance, self.size(instance)))
        return parts

    def _join(self, text: str, split: List[SplitSentence], predictions: List[JsonDict]) -> JsonDict:
        return super()._join(text, split, [part for document in predictions for part in document["sentences"]])

    def _json_to_instance(self, json_dict: JsonDict) -> Optional[Instance]:  # type: ignore[override]
        parts = json_dict["sentences"] if _is_document(json_dict) else [json_dict]
        sentences = [self._sentence(part) for part in parts]
        present = [part for part in sentences if part[0].words]
        if not present:
            return None
        parsed, texts, tagged = map(list, zip(*present, strict=True))
        if _is_document(json_dict) and json_dict.get("types") is not None:
            types = self._types(json_dict)
            parsed = [replace(sentence, annotated_types=types) for sentence in parsed]
        document = Document(document_id(json_dict, "doc_id", "input"), parsed)
        instance = self._dataset_reader.text_to_instance(document, texts, all(tagged))
        empty = [position for position, (sentence, _, _) in enumerate(sentences) if not sentence.words]
        cast(OpaqueMetadataField, instance["metadata"]).metadata["empty_sentences"] = empty
        return instance

    def _finish(self, json_dict: JsonDict, instance: Instance, prediction: JsonDict) -> JsonDict:
        for position in cast(OpaqueMetadataField, instance["metadata"]).metadata["empty_sentences"]:
            prediction["sentences"].insert(position, {name: [] for name in NOTHING})
        return prediction


def _as_configuration_error(result: Result) -> Result:
    return ConfigurationError(str(result)) if isinstance(result, ValueError) else result


def _is_document(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("sentences"), list)


def _texts(instance: Instance) -> JsonDict:
    """Returns the text of a sentence, or those of a document, as an item."""
    metadata = cast(OpaqueMetadataField, instance["metadata"]).metadata
    texts = [{"sentence": part["text"]} for part in metadata.get("sentences", [metadata])]
    return {"sentences": texts} if "sentences" in metadata else texts[0]
