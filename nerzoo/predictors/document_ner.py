from typing import Optional

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import Instance
from allennlp.predictors import Predictor

from nerzoo.data.annotation import Document
from nerzoo.predictors.ner import NerPredictor


@Predictor.register("document_ner")
class DocumentNerPredictor(NerPredictor):
    """
    Predicts the tags and entities of documents: of `{"sentences": [...]}`, perhaps with a `doc_id`, each sentence in a
    form that `NerPredictor` takes; of a single sentence; or, with `--use-dataset-reader`, of any file of documents that
    the model's corpus reads. It writes sentences, in the order of the document.

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
        if not any(sentence.words for sentence, _, _ in sentences):
            return None
        if not all(sentence.words for sentence, _, _ in sentences):
            raise ConfigurationError(f"found a sentence without words in {json_dict!r}, expected words in all or none")
        parsed, texts, tagged = zip(*sentences, strict=True)
        document = Document(json_dict.get("doc_id"), list(parsed))
        return self._dataset_reader.text_to_instance(document, list(texts), all(tagged))
