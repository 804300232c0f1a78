from typing import Tuple

import torch
from torch.nn.functional import pad

from nerzoo.modules.tag_distributions.tag_distribution import TagDistribution
from nerzoo.nn.numerics import IMPOSSIBLE, at_least_float32


@TagDistribution.register("softmax")
class SoftmaxDistribution(TagDistribution):
    """
    Tags that are independent of each other given the logits: p(y | x) is the product of a softmax at every token. There
    are no transitions that could be constrained: decoded sequences may be ill-formed. Parameters as in
    `TagDistribution`; `constraints` are not used.
    """

    def log_partition(self, logits: torch.Tensor, mask: torch.BoolTensor, decodable: bool = False) -> torch.Tensor:
        # shape: (B, T); filled, not multiplied, because log Z of an impossible token is -inf
        at_tokens = torch.logsumexp(self.scaled(logits), dim=2).masked_fill(~mask, 0.0)
        return at_tokens.sum(1)

    def transition_scores(self) -> torch.Tensor:
        return torch.zeros(self.num_tags + 2, self.num_tags + 2)

    @torch.no_grad()
    def viterbi(
        self, logits: torch.Tensor, mask: torch.BoolTensor, top_k: int = 1
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        """Returns sequences and scores as in `TagDistribution`; of equal tags the first is the best."""
        if top_k == 1:
            tags = logits.argmax(2) * mask
            return tags.unsqueeze(1), self.path_score(logits, tags, mask).unsqueeze(1)
        # A sequence among the k best has at each token one of its k best tags, after one of the k best beginnings.
        # shape: (B, T, C) both, C = min(k, L)
        candidates, tags = at_least_float32(logits).topk(min(top_k, self.num_tags))
        # shape: (B, k), the score of the one beginning without tokens
        scores = pad(candidates.new_zeros(len(logits), 1), (0, top_k - 1), value=float("-inf"))
        stay = torch.arange(top_k, device=logits.device)
        origins, ranks = [], []
        for candidate, is_word in zip(candidates.unbind(1), mask.unsqueeze(2).unbind(1), strict=True):
            # shape: (B, k) both, and state = beginning * C + rank of the tag
            longer, state = (scores.unsqueeze(2) + candidate.unsqueeze(1)).flatten(1).topk(top_k)
            scores = torch.where(is_word, longer, scores)
            origins.append(torch.where(is_word, state // candidate.size(1), stay))
            ranks.append(state % candidate.size(1))

        best, beginning = [], stay.expand_as(scores)
        for origin, rank, ranked_tags in zip(origins[::-1], ranks[::-1], tags.unbind(1)[::-1], strict=True):
            best.append(ranked_tags.gather(1, rank.gather(1, beginning)))
            beginning = origin.gather(1, beginning)
        # shape: (B, k, T)
        sequences = torch.stack(best[::-1], dim=2)
        return sequences * (mask.unsqueeze(1) & (scores > float("-inf")).unsqueeze(2)), self.scaled(scores)

    @torch.no_grad()
    def entropy(self, logits: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Returns the sum of the entropies of the tags, (B,)."""
        at_tokens = torch.special.entr(self.scaled(logits).double().softmax(2)).sum(2).masked_fill(~mask, 0.0)
        return at_tokens.sum(1).to(at_least_float32(logits).dtype)

    @torch.no_grad()
    def entity_probabilities(
        self,
        logits: torch.Tensor,
        mask: torch.BoolTensor,
        tags: torch.Tensor,
        spans: torch.Tensor,
        continuation: torch.Tensor,
    ) -> torch.Tensor:
        rows, starts, ends = spans.unbind(1)
        log_probabilities = self.scaled(logits).double().log_softmax(2)
        # shape: (B, T + 1), the sum over the tokens before
        on_path = pad(log_probabilities.gather(2, tags.unsqueeze(2)).squeeze(2).clamp(min=IMPOSSIBLE).cumsum(1), (1, 0))
        probabilities = (on_path[rows, ends] - on_path[rows, starts]).exp()
        # shape: (B, T + 1, L), the probabilities of following tags, zero after the last token
        following = pad(log_probabilities.exp() * mask.unsqueeze(2), (0, 0, 0, 1))
        prolonged = following[rows, ends, continuation.clamp(min=0)] * (continuation >= 0)
        return (probabilities * (1 - prolonged)).to(at_least_float32(logits).dtype)
