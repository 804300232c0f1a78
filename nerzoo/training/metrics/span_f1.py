from typing import Dict, List, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.training.metrics import Metric
from torch.nn.functional import pad

from nerzoo.allennlp_private import padding_token, unknown_token
from nerzoo.text.annotation import SCHEMES, check_coding_scheme
from nerzoo.text.matching import precision_recall_f
from nerzoo.training.metrics.counting_metric import UNKNOWN_TYPES, TagMetric


class SpanFinder:
    """
    Finds spans as conlleval does, in ill-formed sequences too. The coding scheme is "BIO", "IOB1", "BIOUL" or "BIOES".
    Raises `ConfigurationError` for another one, and where the vocabulary has a tag that the scheme does not have.

    Conlleval's rules, with U read as S and L as E, are equivalent to these: between two neighbouring tags, or a tag and
    the edge of the sentence, which counts as O, there is a boundary if the left one closes a span (E or S), the right
    one opens a span (B or S), or their types differ, O being a type of its own. A span is a run of tokens between two
    successive boundaries that is not O.
    """

    def __init__(self, vocabulary: Vocabulary, coding_scheme: str, tag_namespace: str = "labels") -> None:
        check_coding_scheme(coding_scheme)
        tags = vocabulary.get_index_to_token_vocabulary(tag_namespace)
        no_tags = {padding_token(vocabulary), unknown_token(vocabulary)}
        split = [("O", "", "") if tags[i] in no_tags else tags[i].partition("-") for i in range(len(tags))]
        for prefix, _, _ in split:
            if prefix not in {"O", *SCHEMES[coding_scheme]}:
                raise ConfigurationError(
                    f"{tag_namespace}: found a tag that starts with {prefix!r}, expected tags of {coding_scheme}"
                )

        self.types: List[str] = sorted({type_ for prefix, _, type_ in split if prefix != "O"})
        # Type 0 is O; for every tag id its type, whether it opens a span and whether it closes one. Last are the two
        # indices of tags that the vocabulary lacks, of which the first opens spans: see `TagField`.
        # shape: (3, L + 2)
        self._table = torch.tensor(
            [
                [0 if prefix == "O" else 1 + self.types.index(type_) for prefix, _, type_ in split]
                + 2 * [1 + len(self.types)],
                [*(prefix in "BSU" for prefix, _, _ in split), True, False],
                [*(prefix in "ESLU" for prefix, _, _ in split), False, False],
            ],
            dtype=torch.long,
        )

    def __call__(self, tags: torch.Tensor, mask: torch.BoolTensor) -> Tuple[torch.Tensor, ...]:
        """
        Finds the spans of tags (..., T), with a mask that expands to this shape. Returns three tensors (..., T): the
        type of the span that each token is in, counted from 1, 0 outside all spans and at padding, and one more than
        there are types for tags that the vocabulary lacks; if a span starts at the token; and for each token of a span
        the position of the span's last token.
        """
        self._table = self._table.to(tags.device)
        # shape: (..., T) each; the padding is O
        types, opens, closes = self._table[:, tags] * mask

        # shape: (..., T + 2), an O at either edge
        edged = pad(types, (1, 1))
        # shape: (..., T + 1), between one tag and the next
        boundaries = pad(closes, (1, 0)).bool() | pad(opens, (0, 1)).bool() | (edged[..., :-1] != edged[..., 1:])
        # shape: (..., T)
        starts = boundaries[..., :-1] & (types > 0)
        length = types.size(-1)
        ends = torch.arange(length, device=tags.device).where(boundaries[..., 1:], length)
        # The end of the span a token is in is the nearest one from there to the right.
        ends = ends.flip(-1).cummin(-1).values.flip(-1)
        return types, starts, ends


@Metric.register("conlleval")
@TagMetric.register("conlleval")
class SpanF1(TagMetric):
    """
    Computes precision, recall and F1 of spans, and the accuracy of tags, as conlleval does: on ill-formed sequences
    too, where AllenNLP's `SpanBasedF1Measure` differs from it. `SpanFinder` defines spans. A span is correct if a gold
    span has the same start, end and type.

    # Parameters

    vocabulary, coding_scheme, tag_namespace
        As in `SpanFinder`, with the errors that it raises.
    per_type : `bool`, optional (default = `False`)
        Whether to report each type X of the vocabulary as well: "precision-X", "recall-X" and "f1-X".
    """

    def __init__(
        self, vocabulary: Vocabulary, coding_scheme: str, tag_namespace: str = "labels", per_type: bool = False
    ) -> None:
        self._find_spans = SpanFinder(vocabulary, coding_scheme, tag_namespace)
        self._types = self._find_spans.types
        self._per_type = per_type
        # Correct, predicted and gold spans of each type, the last an unknown one; of type 0, tags.
        super().__init__(3, 2 + len(self._types))

    def count(self, predictions: torch.Tensor, gold_labels: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        # shape: (2, B, T), predictions first
        tags = torch.stack([predictions, gold_labels])
        # shape: (2, B, T) each
        types, starts, ends = self._find_spans(tags, mask)
        # shape: (B, T)
        correct = starts[0] & starts[1] & (types[0] == types[1]) & (ends[0] == ends[1])
        # shape: (3, B * T): correct, predicted and gold spans at the token where they start
        spans = torch.stack([correct, *starts]).flatten(1).long()
        span_types = torch.stack([types[1], *types]).flatten(1)
        # shape: (3, 2 + number of types)
        counts = spans.new_zeros(3, 2 + len(self._types)).scatter_add(1, span_types, spans)
        # No span is of type 0, so its column is free for the tags: correct, predicted and gold ones.
        counts[:, 0] = torch.stack([((tags[0] == tags[1]) & mask).sum(), mask.sum(), mask.sum()])
        return counts

    def by_type(self, counts: torch.Tensor) -> Dict[str, List[int]]:
        return dict(zip([*self._types, UNKNOWN_TYPES], counts[:, 1:].t().tolist(), strict=True))

    def scores(self, counts: torch.Tensor) -> Dict[str, float]:
        """Returns "precision", "recall", "f1" and "accuracy", and the scores of types if asked for."""
        metrics = precision_recall_f(*counts[:, 1:].sum(1).tolist())
        num_correct, num_tags, _ = counts[:, 0].tolist()
        metrics["accuracy"] = num_correct / max(num_tags, 1)
        if self._per_type:
            by_type = self.by_type(counts)
            for type_ in self._types:
                metrics |= precision_recall_f(*by_type[type_], suffix=f"-{type_}")
        return metrics
