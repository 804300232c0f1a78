from typing import Optional, cast

from allennlp.common.util import JsonDict
from allennlp.data import Instance
from allennlp.predictors import Predictor

from nerzoo.data.annotation import Document
from nerzoo.data.fields import OpaqueMetadataField
from nerzoo.data.json_objects import document_id
from nerzoo.predictors.ner import NOTHING, NerPredictor


@Predictor.register("document_ner")
class DocumentNerPredictor(NerPredictor):
    """
    Predicts the tags and entities of documents: of `{"sentences": [...]}`, perhaps with a `doc_id`, each sentence in a
    form that `NerPredictor` takes; of a single sentence; or, with `--use-dataset-reader`, of any file of documents that
    the model's corpus reads. It writes sentences, in the order of the document; those without words have no tags and
    entities.

    Parameters as in `NerPredictor`.
    """

    _expected = 'a JSON object: {"sentences": [...]}, of {"sentence": "..."} or {"words": [...]}, or one of these alone'
    _empty: JsonDict = {"sentences": []}

    def dump_line(self, outputs: JsonDict) -> str:
        """Returns the predictions for the sentences of a document in the output format."""
        return "".join(super(DocumentNerPredictor, self).dump_line(sentence) for sentence in outputs["sentences"])

    # Against allennlp/predictors/predictor.py, _json_to_instance, as in `NerPredictor`.
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
