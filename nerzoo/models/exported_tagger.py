import os
from os import PathLike
from typing import Any, Dict, List, Optional, Union

import numpy
import torch
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules.seq2seq_encoders import PassThroughEncoder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import PassThroughTokenEmbedder
from allennlp.nn.util import get_text_field_mask

from nerzoo.archives.exported import CODING_SCHEMES
from nerzoo.errors import worded
from nerzoo.models.heads.tag_head import ProjectionHead
from nerzoo.models.memory_tagger import MemoryTagger
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.models.span_model import SpanModel
from nerzoo.modules.span_decoders import NestedDecoder
from nerzoo.modules.span_features.span_features import FeatureInputs
from nerzoo.modules.tag_distributions import ConditionalRandomField
from nerzoo.nn.numerics import IMPOSSIBLE
from nerzoo.nn.spans import span_cells, span_indices, span_mask
from nerzoo.runtime.onnx_tagger import OnnxTagger
from nerzoo.runtime.word_input import TRANSITIONS, ModelFolder


class ExportedModel:
    """
    A model that `nerzoo export-onnx` has exported, for what takes an archive: `evaluate`, `predict`, `serve`, a spaCy
    pipeline. It cannot be trained. ONNX Runtime computes its scores, on the CPU.
    """

    _tagger: OnnxTagger
    extra_outputs: List[str] = []
    """Outputs of predictions that `OnnxTagger` does not have."""

    def load_tagger(self, folder: str) -> None:
        """Loads the exported tagger. Raises `ConfigurationError` as `OnnxTagger.load` raises `ValueError`."""
        with worded():
            self._tagger, self._process = OnnxTagger.load(folder), os.getpid()

    @property
    def tagger(self) -> OnnxTagger:
        """The exported tagger of this process."""
        if self._process != os.getpid():
            # A fork would wait forever for threads that only its parent has, even to delete the tagger with them.
            self._inherited = self._tagger
            self._tagger, self._process = OnnxTagger.load(self._tagger.folder, num_threads=1), os.getpid()
        return self._tagger

    @classmethod
    def _load(
        cls,
        config: Params,
        serialization_dir: Union[str, PathLike],
        weights_file: Optional[Union[str, PathLike]] = None,
        cuda_device: int = -1,
    ) -> Model:
        settings = ModelFolder(serialization_dir).settings
        vocab = Vocabulary()
        for tag in settings["tags"]:
            vocab.add_token_to_namespace(tag, "labels")
        if settings["coding_scheme"] is not None:
            vocab.add_token_to_namespace(settings["coding_scheme"], CODING_SCHEMES)
        model = Model.from_params(config["model"], vocab=vocab, folder=str(serialization_dir))
        return model.cuda(cuda_device) if cuda_device >= 0 else model


@Model.register("exported_tagger")
class ExportedTaggerModel(ExportedModel, TaggingModel):
    """
    An exported tagger: ONNX Runtime computes the scores of tags, and the head does the rest.

    # Parameters

    folder : `str`
        The folder of the exported tagger, see `ExportedModel.load_tagger`.
    extra_outputs : `List[str]`, optional
        As in `TaggingModel`, those of the head.
    """

    def __init__(self, vocab: Vocabulary, folder: str, extra_outputs: Optional[List[str]] = None) -> None:
        self.load_tagger(folder)
        size, temperature = len(self.tagger.settings["tags"]), self.tagger.settings["temperature"]
        head: Any = Lazy(ProjectionHead, constructor_extras={"temperature": temperature})
        # The embedder is a part of the graph.
        embedder = BasicTextFieldEmbedder({"tokens": PassThroughTokenEmbedder(size)})
        super().__init__(vocab=vocab, text_field_embedder=embedder, encoder=PassThroughEncoder(size), head=head)
        # Words are encoded to the scores of tags.
        self.head.tag_projection = torch.nn.Identity()
        self.head.distribution = ConditionalRandomField.from_scores(
            torch.from_numpy(numpy.load(self.tagger.folder / TRANSITIONS)), temperature
        )
        for name in extra_outputs or []:
            self.add_extra_output(name)

    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        tags: Optional[torch.Tensor] = None,
        metadata: Optional[List[Dict[str, Any]]] = None,
        **fields: torch.Tensor,
    ) -> Dict[str, Any]:
        """Tags B sentences or documents of up to T words, those of their `metadata`, as `TaggingModel.forward` does."""
        mask = get_text_field_mask(tokens)
        if "annotated" in fields and self.tagger.has_decoders:
            raise ConfigurationError("found types, expected none: decoders choose among all of them")
        with worded():
            scores, _ = self.tagger.emissions([text.get("sentences", [text]) for text in metadata or []])
        outputs = self.tag(torch.from_numpy(scores).to(mask.device), mask, tags, **fields)
        return {**outputs, "metadata": metadata}


@Model.register("exported_document_tagger")
class ExportedDocumentTagger(ExportedTaggerModel, MemoryTagger):
    """An `ExportedTaggerModel` of the sentences of documents, which are encoded as a whole."""


@Model.register("exported_span_model")
class ExportedSpanModel(ExportedModel, SpanModel):
    """
    An exported `fofe_ner`. ONNX Runtime computes the logits of the spans that a filter keeps, whose own loss is left
    out.

    # Parameters

    folder : `str`
        The folder of the exported model, see `ExportedModel.load_tagger`.
    """

    def __init__(self, vocab: Vocabulary, folder: str) -> None:
        self.load_tagger(folder)
        settings = self.tagger.settings
        spans = settings["spans"]
        super().__init__(
            vocab,
            max_length=spans["max_length"],
            decoder=NestedDecoder.from_params(Params({"levels": spans["levels"]})),
            temperature=settings["temperature"],
            none_bias=spans["none_bias"],
            min_probability=spans["min_probability"],
        )
        # allennlp/predictors/predictor.py, Predictor.__init__, asks the first parameter for the device of the model.
        self.placeholder = torch.nn.Parameter(torch.zeros(()))

    def _classify(
        self,
        inputs: FeatureInputs,
        spans: Optional[Dict[str, torch.Tensor]],
        annotated: Optional[torch.Tensor] = None,
        metadata: Optional[List[Dict[str, Any]]] = None,
        **kwargs: Any,
    ) -> Dict[str, torch.Tensor]:
        with worded():
            scores, _ = self.tagger.emissions([[sentence] for sentence in metadata or []])
        grid = torch.from_numpy(scores).to(inputs.mask.device)
        kept = span_mask(inputs.mask, self.max_length) & (grid[..., 1] > IMPOSSIBLE)
        chosen = span_indices(kept)
        return self._outputs(inputs.mask, chosen, grid[span_cells(chosen)], spans, annotated)
