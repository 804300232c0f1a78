from typing import List, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from torch.nn.functional import pad

from nerzoo.allennlp_private import padding_token, unknown_token
from nerzoo.data.tag_schemes import SCHEMES


class SpanFinder:
    """
    Finds spans as conlleval does, in ill-formed sequences too.

    Conlleval's rules for where spans start and end, with U read as S and L as E, come to this: between two
    neighbouring tags, or a tag and the edge of the sentence, which counts as O, there is a boundary if

    - the left one closes a span (E or S), or
    - the right one opens a span (B or S), or
    - their types differ, O being a type of its own.

    A span is a run of tokens between two successive boundaries that is not O.

    # Parameters

    vocabulary : `Vocabulary`
    coding_scheme : `str`
        "BIO", "IOB1", "BIOUL" or "BIOES": the coding scheme of the tags in the vocabulary.
    tag_namespace : `str`, optional (default = `"labels"`)

    # Raises

    `ConfigurationError` where the scheme is unknown, or the vocabulary has a tag that the scheme does not have.
    """

    def __init__(self, vocabulary: Vocabulary, coding_scheme: str, tag_namespace: str = "labels") -> None:
        if coding_scheme not in SCHEMES:
            raise ConfigurationError(f"Unknown coding scheme '{coding_scheme}', expected one of {sorted(SCHEMES)}.")
        tags = vocabulary.get_index_to_token_vocabulary(tag_namespace)
        no_tags = {padding_token(vocabulary), unknown_token(vocabulary)}
        split = [("O", "", "") if tags[i] in no_tags else tags[i].partition("-") for i in range(len(tags))]
        for prefix, _, _ in split:
            if prefix not in {"O", *SCHEMES[coding_scheme]}:
                raise ConfigurationError(f"A tag in '{tag_namespace}' starts with '{prefix}': not {coding_scheme}.")

        self.types: List[str] = sorted({type_ for prefix, _, type_ in split if prefix != "O"})
        # Type 0 is O; for every tag id its type, whether it opens a span and whether it closes one.
        # shape: (3, L)
        self._table = torch.tensor(
            [
                [0 if prefix == "O" else 1 + self.types.index(type_) for prefix, _, type_ in split],
                [prefix in "BSU" for prefix, _, _ in split],
                [prefix in "ESLU" for prefix, _, _ in split],
            ],
            dtype=torch.long,
        )

    def __call__(self, tags: torch.Tensor, mask: torch.BoolTensor) -> Tuple[torch.Tensor, ...]:
        """
        # Parameters

        tags : `torch.LongTensor`, (..., T)
            The indices of tags.
        mask : `torch.BoolTensor`, (..., T), or a shape that expands to it

        # Returns

        types : `torch.LongTensor`, (..., T)
            The type of the span that each token is in, counted from 1; 0 outside all spans, and at padding.
        starts : `torch.BoolTensor`, (..., T)
            Whether a span starts at the token.
        ends : `torch.LongTensor`, (..., T)
            For each token of a span, the position of the span's last token.
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
