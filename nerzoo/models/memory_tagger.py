from itertools import islice
from typing import Any, Dict, List, Optional

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask

from nerzoo.models.auxiliary_losses import AuxiliaryLosses
from nerzoo.models.heads.tag_head import TagHead
from nerzoo.nn.sentences import sentence_mask, split_documents


@Model.register("memory_tagger")
class MemoryTagger(Model):
    """
    Tags the sentences of a document with the whole document in view: the memory-enhanced CRF of Liu, Baldwin and Cohn
    (2017), section 5. The document is encoded once; the decoder runs on each of its sentences. The loss is averaged
    over tokens. In training, the losses of all parts that are an `AuxiliaryLoss` are added, and reported as
    `auxiliary_loss`.

    # Parameters

    vocab : `Vocabulary`
    text_field_embedder : `TextFieldEmbedder`
    encoder : `Seq2SeqEncoder`
        Reads documents: a `MemoryEncoder`, or any other for comparison.
    head : `Lazy[TagHead]`, optional (default = a `projection`)
        Its `input_size` is not to be given. A distribution `softmax` makes the paper's MEMNET, equation 13.
    extra_outputs : `List[str]`, optional
        What predictions hold besides words, tags and entities: `"attention"`, the slots of the memory that each word
        gives most weight in the last hop (the paper's Table 3).
    num_attended : `int`, optional (default = `5`)
        How many slots of each word predictions hold, if they hold `attention`.
    initializer : `InitializerApplicator`, optional

    # Raises

    `ConfigurationError` where sizes do not fit, a name is none of those above, or the encoder lacks what is asked for.
    """

    default_predictor = "document_ner"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        encoder: Seq2SeqEncoder,
        head: Lazy[TagHead] = Lazy(TagHead),
        extra_outputs: Optional[List[str]] = None,
        num_attended: int = 5,
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
        self._attention = bool(extra_outputs)
        if extra_outputs and extra_outputs != ["attention"]:
            raise ConfigurationError(f"extra_outputs can be attention alone, found {extra_outputs}")
        if extra_outputs and not getattr(encoder, "num_hops", 0):
            raise ConfigurationError("extra_outputs names attention, expected an encoder with one memory hop at least")
        if num_attended < 1:
            raise ConfigurationError(f"found num_attended {num_attended}, expected one at least")
        self._num_attended = num_attended
        self.text_field_embedder = text_field_embedder
        self.encoder = encoder
        self.head = head.construct(vocab=vocab, input_size=encoder.get_output_dim())
        self._auxiliary_losses = AuxiliaryLosses(self)
        if initializer is not None:
            initializer(self)

    def forward(
        self,
        tokens: TextFieldTensors,
        sentences: torch.LongTensor,
        tags: Optional[torch.LongTensor] = None,
        metadata: Optional[List[Dict[str, Any]]] = None,
    ) -> Dict[str, Any]:
        """
        # Parameters

        tokens : `TextFieldTensors`
            B documents of up to T words.
        sentences : `torch.LongTensor`
            Shape (B, N, L). The positions in the document of the words of each of its up to N sentences, -1 at padding.
        tags : `torch.LongTensor`, optional
            The gold tags, shape (B, T).
        metadata : `List[Dict[str, Any]]`, optional
            What `make_output_human_readable` needs of each document.

        # Returns

        What the head returns for B * N sentences, some of which may be nothing but padding, `metadata`, and, in
        evaluation, the `attention` weights (B, T, M) if asked for.
        """
        mask = get_text_field_mask(tokens)
        is_word = sentence_mask(sentences)
        inputs = [self.text_field_embedder(tokens), mask]
        if "sentences" in getattr(self.encoder, "context", ()):
            inputs.append(sentences)
        outputs: Dict[str, Any] = self.head(
            split_documents(self.encoder(*inputs), sentences),
            is_word,
            None if tags is None else split_documents(tags, sentences),
            decode=not self.training,
        )
        auxiliary_loss = self._auxiliary_losses(is_word)
        if "loss" in outputs and auxiliary_loss is not None:
            outputs["loss"] = outputs["loss"] + auxiliary_loss
        outputs["metadata"] = metadata
        if self._attention and not self.training:
            outputs["attention"] = self.encoder.attention(*inputs)
        return outputs

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """The scores of the head; in training the mean over batches of `auxiliary_loss`, if there is one."""
        return (self._auxiliary_losses if self.training else self.head).get_metrics(reset)

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """
        Of each document `doc_id` and `sentences`: what the head describes of each sentence, and, if asked for,
        `attention`, for each word a list of dictionaries of `position` and `word` in the document, both `None` for the
        null memory, and `weight`.
        """
        metadata = output_dict["metadata"]
        described = [sentence for document in metadata for sentence in document["sentences"]]
        is_sentence = output_dict["mask"].any(1)
        of_sentences = {name: output_dict[name][is_sentence] for name in ("logits", "mask", "tags")}
        columns = self.head.make_output_human_readable(of_sentences, described)
        if "attention" in output_dict:
            columns["attention"] = self._attended(output_dict["attention"], metadata)
        rows = iter([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])
        return {
            "doc_id": [document["document_id"] for document in metadata],
            "sentences": [[next(rows) for _ in document["sentences"]] for document in metadata],
        }

    def _attended(self, attention: torch.Tensor, metadata: List[Dict[str, Any]]) -> List[List[List[Dict[str, Any]]]]:
        """Of each word of each sentence of all documents, the slots with the most weight."""
        positions = self.encoder.slot_positions(attention.shape[1])
        weights, slots = attention.topk(min(self._num_attended, len(positions)))
        described = []
        for document, *rows in zip(metadata, slots.tolist(), weights.tolist(), strict=True):
            words = [word for sentence in document["sentences"] for word in sentence["words"]]
            of_words = iter([_described(words, positions, *row) for row in zip(*rows, strict=True)])
            described += [list(islice(of_words, len(sentence["words"]))) for sentence in document["sentences"]]
        return described


def _described(
    words: List[str], positions: List[Optional[int]], slots: List[int], weights: List[float]
) -> List[Dict[str, Any]]:
    """The slots that have any weight."""
    described = []
    for slot, weight in zip(slots, weights, strict=True):
        if weight > 0:
            position = positions[slot]
            word = None if position is None else words[position]
            described.append({"position": position, "word": word, "weight": weight})
    return described
