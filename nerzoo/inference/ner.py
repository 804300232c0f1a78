from functools import partial
from itertools import repeat
from typing import Any, List, Optional, Tuple, cast

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import Instance
from allennlp.models import Model
from allennlp.predictors import Predictor
from more_itertools import constrained_batches

from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader
from nerzoo.data.fields import OpaqueMetadataField
from nerzoo.errors import check_choice, shortened
from nerzoo.formats.jsonl import sentence_from_json
from nerzoo.formats.lines import document_id
from nerzoo.inference.json_predictor import JsonPredictor, ReadItem
from nerzoo.text.annotation import Document, Sentence
from nerzoo.text.splitting import SplitSentence, split_text, text_prediction
from nerzoo.text.token_batches import BATCH_TOKENS

NOTHING: JsonDict = {"words": [], "tags": [], "entities": []}
"""The prediction for a sentence without words."""


@Predictor.register("ner")
class NerPredictor(JsonPredictor):
    """
    Predicts the tags and entities of texts and sentences. Input is a text of any length, `{"text": "..."}`, which is
    split into sentences; a sentence, `{"sentence": "..."}`; its words, `{"words": [...]}`, with `pos`, `heads` and
    `dep_labels` where the model needs them; or, with `--use-dataset-reader`, any file that the model's corpus reads.

    The prediction for a text has `text`, `entities` and `sentences`, see `nerzoo.text.splitting.text_prediction`.

    # Parameters

    dataset_reader : `AnnotatedTextReader`
        Its `splitter` splits texts into sentences and words, which its `parser` annotates; the parser also splits
        sentences into words.
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
        text = json_dict.get("text") if isinstance(json_dict, dict) else None
        if not isinstance(text, str) or any(json_dict.get(name) is not None for name in ("words", "sentence")):
            return None
        split = split_text(text, self._dataset_reader.splitter)
        sentences = self._dataset_reader.parsed(text, split)
        parts = self._text_parts([text[part.start : part.end] for part in split], sentences)
        size = sum(part.size for part in parts)
        return ReadItem(json_dict, None, size, parts, partial(self._join, text, split))

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
            sentence = sentence_from_json(json_dict, "input")
            return sentence, None, json_dict.get("entities") is not None or sentence.tags is not None
        if not isinstance(json_dict, dict) or not isinstance(json_dict.get("sentence"), str):
            raise ConfigurationError(f"found the input {shortened(repr(json_dict))}, expected {self._expected}")
        text = json_dict["sentence"]
        return self._dataset_reader.parser.parse(text), text, False


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
        if "text" in outputs:
            return super().dump_line(outputs)
        return "".join(super(DocumentNerPredictor, self).dump_line(sentence) for sentence in outputs["sentences"])

    def _text_parts(self, texts: List[str], sentences: List[Sentence]) -> List[ReadItem]:
        parts = []
        pairs = zip(texts, sentences, strict=True)
        for document in constrained_batches(pairs, BATCH_TOKENS, get_len=lambda pair: len(pair[1].words), strict=False):
            document_texts = [pair[0] for pair in document]
            document_sentences = Document(None, [pair[1] for pair in document])
            instance = self._dataset_reader.text_to_instance(document_sentences, document_texts, False)
            cast(OpaqueMetadataField, instance["metadata"]).metadata["empty_sentences"] = []
            parts.append(ReadItem({}, instance, self.size(instance)))
        return parts

    def _join(self, text: str, split: List[SplitSentence], predictions: List[JsonDict]) -> JsonDict:
        return super()._join(text, split, [part for document in predictions for part in document["sentences"]])

    def _json_to_instance(self, json_dict: JsonDict) -> Optional[Instance]:  # type: ignore[override]
        is_document = isinstance(json_dict, dict) and isinstance(json_dict.get("sentences"), list)
        sentences = [self._sentence(part) for part in (json_dict["sentences"] if is_document else [json_dict])]
        present = [part for part in sentences if part[0].words]
        if not present:
            return None
        parsed, texts, tagged = zip(*present, strict=True)
        document = Document(document_id(json_dict, "doc_id", "input"), list(parsed))
        instance = self._dataset_reader.text_to_instance(document, list(texts), all(tagged))
        empty = [position for position, (sentence, _, _) in enumerate(sentences) if not sentence.words]
        cast(OpaqueMetadataField, instance["metadata"]).metadata["empty_sentences"] = empty
        return instance

    def _finish(self, json_dict: JsonDict, instance: Instance, prediction: JsonDict) -> JsonDict:
        for position in cast(OpaqueMetadataField, instance["metadata"]).metadata["empty_sentences"]:
            prediction["sentences"].insert(position, {name: [] for name in NOTHING})
        return prediction
