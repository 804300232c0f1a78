from typing import Any, Dict, List, Optional

import torch
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask

from nerzoo.models.auxiliary_losses import AuxiliaryLosses
from nerzoo.models.heads.seq2biseq import Seq2BiseqHead


@Model.register("seq2biseq")
class Seq2Biseq(Model):
    """
    Tags the words of a sentence by two decoders over their labels, from right to left and then from left to right, in
    place of a CRF: Seq2Biseq (Dinarelli and Grobol, 2019); see `Seq2BiseqHead`. The loss is averaged over tokens.
    In training, the losses of all parts that are an `AuxiliaryLoss` are added, and reported as `auxiliary_loss`.

    The paper trains it best with two optimisers, one of them on `backward_loss`: the optimiser and the callback
    `per_loss`.

    # Parameters

    vocab : `Vocabulary`
    text_field_embedder : `TextFieldEmbedder`
    encoder : `Seq2SeqEncoder`
        In the paper, a bidirectional GRU.
    label_embedding_dim : `int`
    hidden_size : `int`
        The size of the states of each decoder.
    lexical_information : `bool`, optional (default = `True`)
        Whether the GRUs of the decoders read words beside labels, the paper's Seq2Biseq_le, or not.
    forward_only : `bool`, optional (default = `False`)
        Whether there is no decoder from right to left, the paper's fw-Seq2Biseq.
    shared_label_embeddings : `bool`, optional (default = `True`)
        Whether both decoders have one matrix of label embeddings.
    beam_size : `int`, optional (default = `1`)
        The hypotheses that each decoder keeps; 1: it takes the best tag of each word, as in the paper.
    label_encoding : `str`, optional
        `"BIO"` or `"BIOUL"`, the reader's `coding_scheme`, if tags stand for entities.
    dropout : `float`, optional (default = `0.0`)
        On embedded words and labels, encoded words, and states of decoders where they are output.
    metrics_per_type : `bool`, optional (default = `False`)
        Whether to report precision, recall and F1 of each type of entity.
    concept_error_rate : `bool`, optional (default = `False`)
        Where tags stand for entities, whether to report their error rate, too.
    extra_outputs : `List[str]`, optional
        What predictions hold besides words, tags and entities: `"probabilities"`, of each word those of all tags, the
        tags before it being as decoded; `"backward_tags"`, what the right-to-left decoder finds.
    label_namespace : `str`, optional (default = `"labels"`)
    initializer : `InitializerApplicator`, optional

    # Raises

    `ConfigurationError` where sizes do not fit, there are too few tags, or a name is none of those above.
    """

    default_predictor = "ner"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        encoder: Seq2SeqEncoder,
        label_embedding_dim: int,
        hidden_size: int,
        lexical_information: bool = True,
        forward_only: bool = False,
        shared_label_embeddings: bool = True,
        beam_size: int = 1,
        label_encoding: Optional[str] = None,
        dropout: float = 0.0,
        metrics_per_type: bool = False,
        concept_error_rate: bool = False,
        extra_outputs: Optional[List[str]] = None,
        label_namespace: str = "labels",
        initializer: Optional[InitializerApplicator] = None,
        **kwargs,
    ) -> None:
        super().__init__(vocab, **kwargs)
        check_dimensions_match(
            text_field_embedder.get_output_dim(),
            encoder.get_input_dim(),
            "size of the embedded words",
            "input of encoder",
        )
        self._extra_outputs = extra_outputs or []
        for name in self._extra_outputs:
            if name not in ("probabilities", "backward_tags"):
                raise ConfigurationError(f"extra_outputs must be among probabilities and backward_tags, found {name!r}")
        if forward_only and "backward_tags" in self._extra_outputs:
            raise ConfigurationError("extra_outputs names backward_tags, but forward_only leaves out their decoder")
        self.text_field_embedder = text_field_embedder
        self.encoder = encoder
        self.dropout = torch.nn.Dropout(dropout)
        self.head = Seq2BiseqHead(
            vocab,
            encoder.get_output_dim(),
            label_embedding_dim,
            hidden_size,
            lexical_information,
            forward_only,
            shared_label_embeddings,
            beam_size,
            dropout,
            label_encoding,
            metrics_per_type,
            label_namespace,
            concept_error_rate,
        )
        self._labels = vocab.get_index_to_token_vocabulary(label_namespace)
        self._auxiliary_losses = AuxiliaryLosses(self)
        if initializer is not None:
            initializer(self)

    def forward(
        self,
        tokens: TextFieldTensors,
        heads: Optional[torch.LongTensor] = None,
        tags: Optional[torch.LongTensor] = None,
        metadata: Optional[List[Dict[str, Any]]] = None,
    ) -> Dict[str, Any]:
        """
        # Parameters

        tokens : `TextFieldTensors`
            B sentences of up to T words.
        heads : `torch.LongTensor`, optional
            Not used; readers give them for sentences that have trees.
        tags : `torch.LongTensor`, optional
            The gold tags, shape (B, T).
        metadata : `List[Dict[str, Any]]`, optional
            What `make_output_human_readable` needs of each sentence.

        # Returns

        What `Seq2BiseqHead` returns, which decodes in evaluation, and `metadata`.
        """
        mask = get_text_field_mask(tokens)
        embedded = self.dropout(self.text_field_embedder(tokens))
        encoded = self.dropout(self.encoder(embedded, mask))
        outputs: Dict[str, Any] = self.head(encoded, mask, tags, decode=not self.training)
        auxiliary_loss = self._auxiliary_losses(mask)
        if "loss" in outputs and auxiliary_loss is not None:
            outputs["loss"] = outputs["loss"] + auxiliary_loss
        outputs["metadata"] = metadata
        return outputs

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """The scores of `Seq2BiseqHead`; in training the mean over batches of `auxiliary_loss`, if there is one."""
        return (self._auxiliary_losses if self.training else self.head).get_metrics(reset)

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """
        What `Seq2BiseqHead` describes, the id of the document and the gold tags where they are known, and the
        outputs asked for: `probabilities`, a dictionary for each word, and `backward_tags`.
        """
        metadata = output_dict["metadata"]
        readable: Dict[str, Any] = self.head.make_output_human_readable(output_dict, metadata)
        if "loss" in output_dict:
            readable["loss"] = output_dict["loss"]
        lengths = [len(sentence["words"]) for sentence in metadata]
        if "probabilities" in self._extra_outputs:
            probabilities = output_dict["logits"].softmax(-1).tolist()
            readable["probabilities"] = [
                [{self._labels[label]: p for label, p in enumerate(word)} for word in row[:n]]
                for row, n in zip(probabilities, lengths, strict=True)
            ]
        if "backward_tags" in self._extra_outputs:
            readable["backward_tags"] = [
                [self._labels[label] for label in row[:n]]
                for row, n in zip(output_dict["backward_tags"].tolist(), lengths, strict=True)
            ]
        return readable
