from typing import Any, Dict, List, Optional

import torch
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import Vocabulary
from allennlp.models import Model, load_archive

from nerzoo import archives
from nerzoo.data.fields import EntityField
from nerzoo.errors import check_range
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.modules.span_decoders import ScoredEntity
from nerzoo.modules.span_features.span_features import FeatureInputs

_WRITES = "`allennlp cross-predict CONFIG -s FOLDER` writes"


@Model.register("fofe_ner_second_pass")
class FofeNerSecondPass(FofeNer):
    """
    The second pass of FOFE-NER (Xu's thesis, section 5.4): replaces the other entities of the sentence, which a first
    pass found, by their types, in features of type `fofe_substituted_words`. The model contains the model of the first
    pass, so that one archive runs both.

    In training, the entities of the first pass are those of the reader's field `first_pass`: predictions for the
    training data by models that were not trained on them, so that they have as many errors as predictions for other
    data. In evaluation and prediction the first pass finds the entities; the probabilities of both passes are averaged,
    then decoded. The loss is that of the second pass alone.

    The first pass is not trained: it stays in evaluation mode, and its parameters have no gradients, so that AllenNLP's
    trainer leaves them out.

    # Parameters

    vocab : `Vocabulary`
        The vocabulary of the first pass, perhaps with more namespaces.
    first_pass : `Model`
        A model of type `fofe_ner` with the `max_length` of this one.
    pretrained_file : `str`, optional
        The archive of the trained first pass. Needed in training; AllenNLP removes it from the configuration of a
        trained model, whose weights include those of the first pass.
    first_pass_weight : `float`, optional (default = `0.6`)
        The weight of the first pass in the average, from 0 to 1. The default is that of the original program.
    label_namespace, **kwargs
        As in `FofeNer`.

    # Raises

    `ConfigurationError` where the first pass is another kind of model or has another `max_length`, another vocabulary,
    other weights or no archive; and where its weight is not from 0 to 1.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        first_pass: Model,
        pretrained_file: Optional[str] = None,
        first_pass_weight: float = 0.6,
        label_namespace: str = "labels",
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, label_namespace=label_namespace, **kwargs)
        if not isinstance(first_pass, FofeNer):
            raise ConfigurationError(
                f"found a first pass of type {type(first_pass).__name__}, expected a model of type fofe_ner"
            )
        check_dimensions_match(first_pass.max_length, self.max_length, "max_length of first_pass", "the model's")
        check_range("first_pass_weight", first_pass_weight, 0, 1)
        self.first_pass = first_pass.requires_grad_(False).eval()
        self.first_pass_weight = first_pass_weight
        self._label_namespace = label_namespace
        self._has_weights = False
        if pretrained_file is not None:
            self._load_first_pass(pretrained_file)

    def train(self, mode: bool = True) -> "FofeNerSecondPass":
        super().train(mode)
        self.first_pass.eval()
        return self

    def load_state_dict(self, *args: Any, **kwargs: Any) -> Any:
        self._has_weights = True
        return super().load_state_dict(*args, **kwargs)

    def _load_first_pass(self, path: str) -> None:
        try:
            archived = load_archive(archives.find(path)).model
        except ConfigurationError as error:
            raise ConfigurationError(f"{error}, that of the first pass; {_WRITES} FOLDER/model/model.tar.gz") from error
        for namespace in archived.vocab.get_namespaces():
            found, expected = (v.get_index_to_token_vocabulary(namespace) for v in (archived.vocab, self.vocab))
            if found != expected:
                raise ConfigurationError(
                    f"{path}: found another vocabulary of {namespace} than this model's, expected the same; it is made "
                    'from the same data in the same way, or taken over by {"type": "from_files", "directory": '
                    f'"{path}"}} as vocabulary'
                )
        try:
            self.first_pass.load_state_dict(archived.state_dict())
        except ConfigurationError as error:
            raise ConfigurationError(
                f"{path}: found other weights than those of the first_pass in the configuration, expected the "
                f"configuration that the archive was trained with ({error})"
            ) from None
        self._has_weights = True

    def _classify(
        self,
        inputs: FeatureInputs,
        spans: Optional[Dict[str, torch.Tensor]],
        annotated: Optional[torch.Tensor] = None,
        first_pass: Optional[torch.Tensor] = None,
        **kwargs: Any,
    ) -> Dict[str, torch.Tensor]:
        if not self._has_weights:
            raise ConfigurationError(
                "found a first pass that is not trained, expected its archive as pretrained_file; "
                f"{_WRITES} FOLDER/model/model.tar.gz"
            )
        if self.training:
            if first_pass is None:
                raise ConfigurationError(
                    "found no entities of a first pass, expected the reader's first_pass to name the file that has "
                    f"them; {_WRITES} FOLDER/predictions.jsonl"
                )
            return super()._classify(inputs._replace(first_pass=first_pass), spans, annotated)
        first = self.first_pass(inputs.tokens, annotated=annotated)
        entities = self._as_tensor(first["entities"], inputs.mask)
        outputs = super()._classify(inputs._replace(first_pass=entities), spans, annotated)
        outputs["probabilities"] = torch.lerp(outputs["probabilities"], first["probabilities"], self.first_pass_weight)
        return outputs

    def _as_tensor(self, entities: List[List[ScoredEntity]], mask: torch.BoolTensor) -> torch.Tensor:
        """Returns the entities in the form of the reader's field, shape (B, T)."""
        length, tensors = mask.size(1), []
        for sentence_entities in entities:
            field = EntityField(sentence_entities, length, self._label_namespace)
            field.index(self.vocab)
            tensors.append(field.as_tensor({"num_tokens": length}))
        return torch.stack(tensors).to(mask.device)
