from itertools import islice
from typing import Any, Dict, List, Optional

import torch
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import FeedForward, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask

from nerzoo.models.auxiliary_losses import AuxiliaryLosses
from nerzoo.models.heads.projection import ProjectionHead
from nerzoo.modules.seq2seq_encoders import MemoryEncoder
from nerzoo.modules.seq2seq_encoders.memory_window import MemoryWindow

NUM_ATTENDED = 5


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
    decoder : `str`, optional (default = `"crf"`)
        `"crf"`, or `"softmax"` for the paper's MEMNET, equation 13; see `ProjectionHead`.
    label_encoding : `str`, optional
        `"BIO"` or `"BIOUL"`, the reader's `coding_scheme`, if tags stand for entities; see `ProjectionHead`.
    feedforward : `FeedForward`, optional
        Hidden layers between the encoder and the decoder.
    current_input : `str`, optional (default = `"memory"`)
        Where a `MemoryEncoder` has its current input u_t from. `"memory"`: the input memory, u_t = m_t, as in the
        paper. `"sentence"`: the GRU of the input memory over the sentence alone and a tanh layer of its own, as in the
        program that the authors published.
    metrics_per_type : `bool`, optional (default = `False`)
        Whether to report precision, recall and F1 of each type of entity.
    extra_outputs : `List[str]`, optional
        What predictions hold besides words, tags and entities: `"attention"`, the five slots of the memory that each
        word gives most weight in the last hop (the paper's Table 3).
    label_namespace : `str`, optional (default = `"labels"`)
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
        decoder: str = "crf",
        label_encoding: Optional[str] = None,
        feedforward: Optional[FeedForward] = None,
        current_input: str = "memory",
        metrics_per_type: bool = False,
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
        if current_input not in ("memory", "sentence"):
            raise ConfigurationError(f"current_input must be memory or sentence, found {current_input!r}")
        if current_input == "sentence" and not isinstance(encoder, MemoryEncoder):
            found = f"current_input is sentence, but {type(encoder).__name__} has no current input"
            raise ConfigurationError(f"{found}, expected a memory_hop")
        self._attention = bool(extra_outputs)
        if extra_outputs and extra_outputs != ["attention"]:
            raise ConfigurationError(f"extra_outputs can be attention alone, found {extra_outputs}")
        if extra_outputs and not (isinstance(encoder, MemoryEncoder) and encoder.num_hops):
            raise ConfigurationError("extra_outputs names attention, expected an encoder with one memory hop at least")
        self.text_field_embedder = text_field_embedder
        self.encoder = encoder
        self.current_projection = None
        if current_input == "sentence":
            self.current_projection = torch.nn.Linear(2 * encoder.hidden_size, encoder.hidden_size)
        self.head = ProjectionHead(
            vocab, encoder.get_output_dim(), decoder, label_encoding, metrics_per_type, label_namespace, feedforward
        )
        self._auxiliary_losses = AuxiliaryLosses(self)
        if initializer is not None:
            initializer(self)

    def forward(
        self,
        tokens: TextFieldTensors,
        sentences: torch.LongTensor,
        memory: Optional[MemoryWindow] = None,
        tags: Optional[torch.LongTensor] = None,
        metadata: Optional[List[Dict[str, Any]]] = None,
    ) -> Dict[str, Any]:
        """
        # Parameters

        tokens : `TextFieldTensors`
            B documents of up to T words.
        sentences : `torch.LongTensor`
            Shape (B, N, L). The positions in the document of the words of each of its up to N sentences, -1 at padding.
        memory : `MemoryWindow`, optional
            Which words the memory holds; by default, all.
        tags : `torch.LongTensor`, optional
            The gold tags, shape (B, T).
        metadata : `List[Dict[str, Any]]`, optional
            What `make_output_human_readable` needs of each document.

        # Returns

        What `ProjectionHead` returns for B * N sentences, some of which may be nothing but padding, `metadata`, and, in
        evaluation, the `attention` weights (B, T, M) if asked for.
        """
        mask = get_text_field_mask(tokens)
        batch_size, length = mask.shape
        # shape: (B * N, L), of places in the documents one after the other, and of real words
        first_places = torch.arange(batch_size, device=mask.device).view(-1, 1, 1) * length
        places = (first_places + sentences.clamp_min(0)).flatten(0, 1)
        is_word = (sentences >= 0).flatten(0, 1)

        inputs = self.text_field_embedder(tokens)
        attention = None
        if isinstance(self.encoder, MemoryEncoder):
            current = self._current_input(inputs, places, is_word)
            if self._attention and not self.training:
                encoded, attention = self.encoder.read(inputs, mask, memory, current)
            else:
                encoded = self.encoder(inputs, mask, memory, current)
        elif memory is None:
            encoded = self.encoder(inputs, mask)
        else:
            raise ConfigurationError(f"found {memory} in the reader, but {type(self.encoder).__name__} has no memory")

        outputs: Dict[str, Any] = self.head(
            encoded.flatten(0, 1)[places],
            is_word,
            None if tags is None else tags.flatten()[places],
            decode=not self.training,
        )
        auxiliary_loss = self._auxiliary_losses(is_word)
        if "loss" in outputs and auxiliary_loss is not None:
            outputs["loss"] = outputs["loss"] + auxiliary_loss
        outputs["metadata"] = metadata
        if attention is not None:
            outputs["attention"] = attention[-1]
        return outputs

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """The scores of `ProjectionHead`; in training the mean over batches of `auxiliary_loss`, if there is one."""
        return (self._auxiliary_losses if self.training else self.head).get_metrics(reset)

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """
        Of each document `doc_id` and `sentences`: what `ProjectionHead` describes of each sentence, and, if asked for,
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
        readable = {
            "doc_id": [document["document_id"] for document in metadata],
            "sentences": [[next(rows) for _ in document["sentences"]] for document in metadata],
        }
        if "loss" in output_dict:
            readable["loss"] = output_dict["loss"]
        return readable

    def _current_input(
        self, inputs: torch.Tensor, places: torch.LongTensor, is_word: torch.BoolTensor
    ) -> Optional[torch.Tensor]:
        """u^1 from each sentence alone, (B, T, H), if it is not the input memory."""
        if self.current_projection is None:
            return None
        states = self.encoder.input_memory.states(inputs.flatten(0, 1)[places], is_word)
        current = self.current_projection(states).tanh()
        batch_size, length, _ = inputs.shape
        # One place more takes the padding.
        targets = places.masked_fill(~is_word, batch_size * length).flatten()
        document = current.new_zeros(batch_size * length + 1, current.shape[-1])
        document = document.index_copy(0, targets, current.flatten(0, 1))
        return document[:-1].view(batch_size, length, -1)

    def _attended(self, attention: torch.Tensor, metadata: List[Dict[str, Any]]) -> List[List[List[Dict[str, Any]]]]:
        """Of each word of each sentence of all documents, the slots with the most weight."""
        weights, slots = attention.topk(min(NUM_ATTENDED, attention.shape[-1]))
        # Slots count from the null memory, if there is one, positions from the first word.
        positions = slots - int(self.encoder.null_memory)
        described = []
        for document, *rows in zip(metadata, positions.tolist(), weights.tolist(), strict=True):
            words = [word for sentence in document["sentences"] for word in sentence["words"]]
            of_words = iter([_slots(words, *row) for row in zip(*rows, strict=True)])
            described += [list(islice(of_words, len(sentence["words"]))) for sentence in document["sentences"]]
        return described


def _slots(words: List[str], positions: List[int], weights: List[float]) -> List[Dict[str, Any]]:
    return [
        {"position": position, "word": words[position], "weight": weight}
        if position >= 0
        else {"position": None, "word": None, "weight": weight}
        for position, weight in zip(positions, weights, strict=True)
        if weight > 0
    ]
