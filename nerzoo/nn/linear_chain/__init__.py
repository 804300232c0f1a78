"""
The recursions of a linear-chain conditional random field, over the tokens of a batch of sentences.

A sequence of tags y_1 ... y_T has the score

    score(x, y) = start[y_1] + sum_t logits[t, y_t] + sum_t transitions[y_t-1, y_t] + end[y_T]

and what we want of the sum, or the maximum, over all L^T sequences comes from one recursion over T,

    alpha_1[j] = start[j] + logits[1, j],
    alpha_t[j] = (+)_i (alpha_t-1[i] + transitions[i, j]) + logits[t, j],
    result     = (+)_j (alpha_T[j] + end[j]),

which is log Z where (+) is logsumexp, and the score of the best sequence where (+) is the maximum.

All functions take logits (B, T, L), of B sentences of up to T tokens with L tags; the scores of transitions from each
tag to each tag, (L, L), from the start, (L,), and to the end, (L,); and a mask (B, T), `True` at real tokens, which
stand at the left. What they return is in the precision of the logits, but in float32 at least; for padding it is zero,
and a sentence of padding alone has one tag sequence, the empty one, of score 0. The only loops are over the tokens.
"""

from nerzoo.nn.linear_chain.entities import entity_probabilities
from nerzoo.nn.linear_chain.entropies import entropy
from nerzoo.nn.linear_chain.partition import log_partition
from nerzoo.nn.linear_chain.viterbi import best_sequence, best_sequences

__all__ = ["best_sequence", "best_sequences", "entity_probabilities", "entropy", "log_partition"]
