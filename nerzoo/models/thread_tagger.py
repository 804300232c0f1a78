from typing import Any, Dict, List, Optional, cast

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError, check_dimensions_match
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import Seq2VecEncoder, TextFieldEmbedder, TimeDistributed
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask

from nerzoo.errors import check_range
from nerzoo.modules.fitting_weights import FittingWeights
from nerzoo.modules.seq2seq_encoders.memory import MemoryEncoder
from nerzoo.modules.tag_distributions import TagDistribution
from nerzoo.nn.numerics import at_least_float32
from nerzoo.training.metrics.thread_scores import ThreadScores

NUM_STRUCTURE, NUM_PUNCTUATION = 2, 3
_NUM_DISTANCES = 12


@Model.register("thread_tagger")
class ThreadTagger(FittingWeights, Model):
    """
    Finds the earlier post that each post of a thread replies to, and its dialogue act (Liu et al., 2017, section 4).

    A post is the concatenation of its encoded title, its encoded text, and linear projections of two features of
    structure and three of punctuation. A memory of the posts, with a null memory for the virtual head, encodes the
    thread; its output u^{K+1} gives the acts, and its attention p gives the links. With the most recent link of each
    post as gold, l_t being its target, the loss is

        alpha L_DA + (1 - alpha) L_LNK,    L_LNK = mean of -log p_t,l_t    (equations 11 and 12)

    where L_DA is the negative log-likelihood of the acts. Both are averaged over the posts of the batch. The attention
    is that of the last hop, which is closest to the output. Posts of a context are in the memory, but get no act and no
    link.

    As in the paper, p has a share for the post itself, to which it cannot link: its link is the slot before it with the
    most attention, and the probability of the link is the share of that slot among the slots before the post. With
    `exclude_self`, L_LNK takes this probability in place of p.

    # Parameters

    text_field_embedder : `TextFieldEmbedder`
        Embeds the words of both titles and texts.
    title_encoder, text_encoder : `Seq2VecEncoder`
    memory : `MemoryEncoder`
        Causal, with a null memory and at least one hop; the paper's is shared.
    structure_size, punctuation_size : `int`, optional (default = `50`, `100`)
        The sizes to which the features of structure and of punctuation are projected.
    distribution : `Lazy[TagDistribution]`, optional (default = `crf`)
        The distribution over the acts of a thread: in a `crf` acts depend on their neighbours, in a `softmax` (equation
        13) they do not.
    alpha : `float`, optional (default = `0.5`)
    exclude_self : `bool`, optional (default = `False`)
        Whether the loss leaves out the attention of posts to themselves, as decoding does.
    distance_bias : `bool`, optional (default = `False`)
        Whether link scores have a learned addend for the head, and one for each power of two of the distance between
        two posts. The paper has none.
    metrics_by_depth : `bool`, optional (default = `False`)
        Whether to report the scores of posts by their depth; see `ThreadScores`.
    extra_outputs : `List[str]`, optional
        `"attention"`: predictions hold, for each post, the weights of the head and of all posts up to itself.
    label_namespace : `str`, optional (default = `"labels"`)
    initializer : `InitializerApplicator`, optional

    # Raises

    `ConfigurationError` where sizes do not fit, alpha is outside [0, 1], the memory lacks one of these properties or a
    name is unknown.
    """

    default_predictor = "threads"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        title_encoder: Seq2VecEncoder,
        text_encoder: Seq2VecEncoder,
        memory: MemoryEncoder,
        structure_size: int = 50,
        punctuation_size: int = 100,
        distribution: Lazy[TagDistribution] = Lazy(TagDistribution),
        alpha: float = 0.5,
        exclude_self: bool = False,
        distance_bias: bool = False,
        metrics_by_depth: bool = False,
        extra_outputs: Optional[List[str]] = None,
        label_namespace: str = "labels",
        initializer: Optional[InitializerApplicator] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, **kwargs)
        self._extra_outputs = extra_outputs or []
        if not set(self._extra_outputs) <= {"attention"}:
            raise ConfigurationError(f"extra_outputs may be ['attention'], found {extra_outputs!r}")
        check_range("alpha", alpha, 0, 1)
        if not (memory.null_memory and memory.causal and memory.num_hops):
            raise ConfigurationError(
                "memory must be a memory_hop with null_memory: true, causal: true and at least one hop: links are its "
                "attention to the null memory and to earlier posts"
            )
        if memory.context:
            raise ConfigurationError(
                f"found a memory that reads {', '.join(memory.context)}, expected current_input: memory, since posts "
                "have none"
            )
        size = text_field_embedder.get_output_dim()
        for encoder, name in ((title_encoder, "title_encoder"), (text_encoder, "text_encoder")):
            check_dimensions_match(size, encoder.get_input_dim(), "size of the embedded words", f"input of {name}")
        size = title_encoder.get_output_dim() + text_encoder.get_output_dim() + structure_size + punctuation_size
        check_dimensions_match(size, memory.get_input_dim(), "size of the encoded posts", "input of memory")
        self.text_field_embedder = text_field_embedder
        self.title_encoder = title_encoder
        self.text_encoder = text_encoder
        self.structure_projection = torch.nn.Linear(NUM_STRUCTURE, structure_size)
        self.punctuation_projection = torch.nn.Linear(NUM_PUNCTUATION, punctuation_size)
        self.memory = memory
        self._acts = vocab.get_index_to_token_vocabulary(label_namespace)
        self.act_projection = torch.nn.Linear(memory.get_output_dim(), len(self._acts))
        self.distribution = distribution.construct(num_tags=len(self._acts))
        self.metric = ThreadScores(metrics_by_depth)
        self._alpha = alpha
        self._exclude_self = exclude_self
        self.distance_bias = torch.nn.Parameter(torch.zeros(_NUM_DISTANCES)) if distance_bias else None
        if initializer is not None:
            initializer(self)

    def forward(
        self,
        titles: TextFieldTensors,
        texts: TextFieldTensors,
        structure: torch.Tensor,
        punctuation: torch.Tensor,
        is_context: torch.Tensor,
        links: Optional[Dict[str, torch.Tensor]] = None,
        metadata: Optional[List[Dict[str, Any]]] = None,
    ) -> Dict[str, Any]:
        """
        Encodes B threads of up to T posts, given the words of `titles` and of `texts`, which may be empty; the features
        `structure` (B, T, 2) and `punctuation` (B, T, 3); `is_context` (B, T), 1 for posts of the context, which come
        first, and -1 at padding; and the gold `links`, `slots` and `acts` (B, T, G), as in `LinkField`, the first of
        which is trained on. The metadata of a thread are `thread_id`, `post_ids`, `num_context` and, if known,
        `gold_links`.

        Returns `attention` (B, T, T + 1), slot 0 the head and slot i the i-th post; `link_log_probabilities` of the
        same shape, negative infinity from the post itself on; `logits` of acts (B, T, L), of the posts after the
        context first, and the `mask` of these; in evaluation, the best `slots` and `acts`, (B, T), `acts` of the posts
        after the context first; the number of posts of the context, `num_context` (B,); `loss`, if links are given;
        `metadata`.
        """
        # shape: (B, T) each
        mask = cast(torch.BoolTensor, is_context >= 0)
        num_context = (is_context == 1).sum(1)
        is_tagged = cast(torch.BoolTensor, is_context == 0)
        tagged_mask = cast(torch.BoolTensor, _rolled(is_tagged, num_context))
        encoded = [self._encode(titles, self.title_encoder), self._encode(texts, self.text_encoder)]
        projected = [
            self.structure_projection(structure.type_as(encoded[0])),
            self.punctuation_projection(punctuation.type_as(encoded[0])),
        ]
        read = self.memory.read(torch.cat([*encoded, *projected], -1), mask)
        # shape: (B, T, T + 1)
        scores = at_least_float32(read.scores[-1])
        if self.distance_bias is not None:
            scores = scores + self.distance_bias[_distances(scores)]
        # The t-th post can link to the slots 0 to t - 1.
        is_earlier = torch.ones_like(scores, dtype=torch.bool).tril()
        log_probabilities = scores.masked_fill(~is_earlier, -torch.inf).log_softmax(2)
        # A sequence of acts begins after the context.
        logits = _rolled(self.act_projection(read.output), num_context)
        outputs: Dict[str, Any] = {
            "attention": read.attention[-1],
            "link_log_probabilities": log_probabilities,
            "logits": logits,
            "mask": tagged_mask,
            "num_context": num_context,
            "metadata": metadata,
        }
        if links is not None:
            slots = links["slots"][..., 0]
            # Padding is -1, which is no index, and an act that the vocabulary lacks has an index above all others.
            acts = _rolled(links["acts"][..., 0].clamp(0, len(self._acts) - 1), num_context)
            act_loss = -self.distribution.log_likelihood(logits, acts, tagged_mask).sum()
            gold = _at(log_probabilities if self._exclude_self else scores.log_softmax(2), slots.clamp(min=0))
            # A slot that the thread lacks or that a window of the memory hides cannot be learned.
            link_loss = -gold.masked_fill(gold.isneginf() | (slots < 0) | ~is_tagged, 0).sum()
            outputs["loss"] = (self._alpha * act_loss + (1 - self._alpha) * link_loss) / is_tagged.sum()
        if not self.training:
            outputs["slots"] = log_probabilities.argmax(2) * is_tagged
            outputs["acts"] = self.distribution.viterbi(logits, tagged_mask)[0].squeeze(1)
            if links is not None:
                found_acts = _rolled(outputs["acts"], -num_context)
                self.metric(outputs["slots"], found_acts, links["slots"], links["acts"], is_tagged)
        return outputs

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """Returns the scores of `ThreadScores`; nothing in training."""
        return {} if self.training else self.metric.get_metric(reset)

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """
        Describes each thread by its `id` and `posts`: each post by its `id`; its `act` and `act_probability`; its
        `link`, the id of a post or `None` for the head, and `link_probability`; `gold_links`, if known, a list of
        objects with `to` and `act`; and `attention`, if asked for. A post of the context has its `id` and `context`.
        """
        slots, acts, attention, before = (output_dict[name] for name in ("slots", "acts", "attention", "num_context"))
        # shape: (B, T)
        link_probabilities = _at(output_dict["link_log_probabilities"], slots).exp()
        act_probabilities = _at(self.distribution.marginals(output_dict["logits"], output_dict["mask"]), acts)
        columns = (slots, link_probabilities, _rolled(acts, -before), _rolled(act_probabilities, -before), attention)
        threads: List[List[Dict[str, Any]]] = []
        for thread, *rows in zip(output_dict["metadata"], *(column.tolist() for column in columns), strict=True):
            targets = [None, *thread["post_ids"]]
            threads.append([])
            # The rows end with padding.
            for number, (id, slot, link_probability, act, act_probability, weights) in enumerate(
                zip(thread["post_ids"], *rows, strict=False)
            ):
                if number < thread["num_context"]:
                    threads[-1].append({"id": id, "context": True})
                    continue
                post = {
                    "id": id,
                    "act": self._acts[act],
                    "act_probability": act_probability,
                    "link": targets[slot],
                    "link_probability": link_probability,
                }
                if "gold_links" in thread:
                    post["gold_links"] = [{"to": target, "act": gold} for target, gold in thread["gold_links"][number]]
                if "attention" in self._extra_outputs:
                    post["attention"] = weights[: number + 2]
                threads[-1].append(post)
        return {"id": [thread["thread_id"] for thread in output_dict["metadata"]], "posts": threads}

    def _encode(self, texts: TextFieldTensors, encoder: Seq2VecEncoder) -> torch.Tensor:
        """Encodes texts of (B, T, N) words as vectors, (B, T, H)."""
        mask = get_text_field_mask(texts, num_wrapping_dims=1)
        embedded = self.text_field_embedder(texts, num_wrapping_dims=1)
        return TimeDistributed(encoder)(embedded, mask)


def _distances(scores: torch.Tensor) -> torch.Tensor:
    """
    Returns the kind of distance (T, T + 1) from each post to each slot of scores (B, T, T + 1): 0 to the post itself,
    n for a distance from 2^(n - 1) to 2^n - 1, the last but one for all greater ones, and the last for the head.
    """
    posts, slots = (torch.arange(size, device=scores.device) for size in scores.shape[1:])
    distances = (posts.unsqueeze(1) + 1 - slots).clamp(min=0)
    kinds = torch.frexp(distances.double()).exponent.long().clamp(max=_NUM_DISTANCES - 2)
    kinds[:, 0] = _NUM_DISTANCES - 1
    return kinds


def _rolled(values: torch.Tensor, shifts: torch.Tensor) -> torch.Tensor:
    """Rolls each row of values (B, T) or (B, T, D) to the left by its shift (B,)."""
    length = values.size(1)
    places = (torch.arange(length, device=values.device) + shifts.unsqueeze(1)) % length
    return values[torch.arange(len(values), device=values.device).unsqueeze(1), places]


def _at(values: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    """Picks the values (B, T, N) at the index (B, T)."""
    return values.gather(2, index.unsqueeze(2)).squeeze(2)
