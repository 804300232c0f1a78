from typing import Dict

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric
from torch.nn.functional import pad

from nerzoo.data.tag_schemes import SCHEMES


@Metric.register("conlleval")
class SpanF1(Metric):
    """
    Precision, recall and F1 of chunks, and the accuracy of tags, as conlleval computes them: on ill-formed sequences
    too, where AllenNLP's `SpanBasedF1Measure` differs from it.

    Conlleval's rules for where chunks start and end, with U read as S and L as E, come to this: between two
    neighbouring tags, or a tag and the edge of the sentence, which counts as O, there is a boundary if

    - the left one closes a chunk (E or S), or
    - the right one opens a chunk (B or S), or
    - their types differ, O being a type of its own.

    Chunks are what lies between two boundaries and is not O. A chunk is correct if a gold chunk has the same start,
    end and type.

    In distributed training the counts of each batch are summed over the workers.

    # Parameters

    vocabulary : `Vocabulary`
    label_encoding : `str`
        "BIO", "IOB1", "BIOUL" or "BIOES": the encoding of the tags in the vocabulary.
    tag_namespace : `str`, optional (default = `"labels"`)
    per_type : `bool`, optional (default = `False`)
        Whether to report each type as well.

    # Raises

    `ConfigurationError`
        If the encoding is unknown, or the vocabulary has a tag that is not of the encoding.
    """

    supports_distributed = True

    def __init__(
        self, vocabulary: Vocabulary, label_encoding: str, tag_namespace: str = "labels", per_type: bool = False
    ) -> None:
        if label_encoding not in SCHEMES:
            raise ConfigurationError(f"Unknown label encoding '{label_encoding}', expected one of {sorted(SCHEMES)}.")
        tags = vocabulary.get_index_to_token_vocabulary(tag_namespace)
        no_tags = {vocabulary._padding_token, vocabulary._oov_token}
        split = [("O", "", "") if tags[i] in no_tags else tags[i].partition("-") for i in range(len(tags))]
        for prefix, _, _ in split:
            if prefix not in {"O", *SCHEMES[label_encoding]}:
                raise ConfigurationError(f"A tag in '{tag_namespace}' starts with '{prefix}': not {label_encoding}.")

        self._types = sorted({type_ for prefix, _, type_ in split if prefix != "O"})
        self._per_type = per_type
        # Type 0 is O; for every tag id its type, whether it opens a chunk and whether it closes one.
        # shape: (3, L)
        self._table = torch.tensor(
            [
                [0 if prefix == "O" else 1 + self._types.index(type_) for prefix, _, type_ in split],
                [prefix in "BSU" for prefix, _, _ in split],
                [prefix in "ESLU" for prefix, _, _ in split],
            ],
            dtype=torch.long,
        )
        self.reset()

    def __call__(self, predictions: torch.Tensor, gold_labels: torch.Tensor, mask: torch.BoolTensor) -> None:
        """
        # Parameters

        predictions : `torch.LongTensor`, (B, T)
            Tag ids.
        gold_labels : `torch.LongTensor`, (B, T)
            Tag ids.
        mask : `torch.BoolTensor`, (B, T)
        """
        # shape: (2, B, T), predictions first
        tags = torch.stack(list(self.detach_tensors(predictions, gold_labels)))
        self._table = self._table.to(tags.device)
        # shape: (2, B, T) each; the padding is O
        types, opens, closes = self._table[:, tags] * mask

        # shape: (2, B, T + 2), an O at either edge
        edged = pad(types, (1, 1))
        # shape: (2, B, T + 1), between one tag and the next
        boundaries = pad(closes, (1, 0)).bool() | pad(opens, (0, 1)).bool() | (edged[..., :-1] != edged[..., 1:])
        # shape: (2, B, T)
        starts = boundaries[..., :-1] & (types > 0)
        length = types.size(2)
        ends = torch.arange(length, device=tags.device).where(boundaries[..., 1:], length)
        # The end of the chunk a token is in is the nearest one from there to the right.
        ends = ends.flip(2).cummin(2).values.flip(2)

        # shape: (B, T)
        correct = starts[0] & starts[1] & (types[0] == types[1]) & (ends[0] == ends[1])
        # shape: (3, B * T): correct, predicted and gold chunks at the token where they start
        chunks = torch.stack([correct, *starts]).flatten(1).long()
        chunk_types = torch.stack([types[1], *types]).flatten(1)
        # shape: (3, 1 + number of types)
        counts = chunks.new_zeros(3, 1 + len(self._types)).scatter_add(1, chunk_types, chunks)
        # No chunk is of type 0, so its column is free for the tags: correct, predicted and gold ones.
        counts[:, 0] = torch.stack([((tags[0] == tags[1]) & mask).sum(), mask.sum(), mask.sum()])

        # Summed here and not in `get_metric`, which a single worker may call.
        counts = dist_reduce_sum(counts)
        self._counts = self._counts.to(counts.device) + counts

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        """
        # Returns

        `Dict[str, float]`
            "precision", "recall", "f1" and "accuracy", and with `per_type` "precision-X", "recall-X" and "f1-X" for
            every type X of the vocabulary. 0 / 0 is 0.
        """
        counts = self._counts.cpu()
        metrics = _scores("", *counts[:, 1:].sum(1).tolist())
        metrics["accuracy"] = _ratio(*counts[:2, 0].tolist())
        if self._per_type:
            for type_, type_counts in zip(self._types, counts[:, 1:].t().tolist(), strict=True):
                metrics.update(_scores(f"-{type_}", *type_counts))
        if reset:
            self.reset()
        return metrics

    def reset(self) -> None:
        # shape: (3, 1 + number of types)
        self._counts = torch.zeros(3, 1 + len(self._types), dtype=torch.long)


def _scores(suffix: str, correct: int, predicted: int, gold: int) -> Dict[str, float]:
    precision, recall = _ratio(correct, predicted), _ratio(correct, gold)
    f1 = _ratio(2 * precision * recall, precision + recall)
    return {f"precision{suffix}": precision, f"recall{suffix}": recall, f"f1{suffix}": f1}


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else 0.0
