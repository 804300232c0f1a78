from typing import Any, Dict, List, NamedTuple, Tuple

import numpy
import torch
from allennlp.models.archival import Archive

from nerzoo.calibration.archive_run import run_model
from nerzoo.calibration.model_scores import Decisions, ModelScores
from nerzoo.data.tag_schemes import tags_to_entities
from nerzoo.models import TaggingModel
from nerzoo.models.heads import ProjectionHead


class TagScores(ModelScores):
    """
    Of a `TaggingModel`: the probability of the gold annotation is that of the tag sequence, among those that can be
    decoded. With the head `seq2biseq`, which has no distribution over sequences, it is the product of those of the
    tags, each after the tags as decoded, as in its predictions.
    """

    def __init__(self, archive: Archive, model: TaggingModel, file: str, batch_size: int) -> None:
        self.head = model.head
        self.head.min_probability = 0.0
        self._batches: List[_Batch] = []
        for _, outputs in run_model(archive, file, batch_size):
            # Of a document, its sentences; of these some may be nothing but padding.
            metadata = [part for item in outputs["metadata"] for part in item.get("sentences", [item])]
            is_sentence = outputs["mask"].any(1)
            tensors = {name: outputs[name][is_sentence] for name in ("logits", "mask", "tags")}
            self._batches.append(_Batch(tensors, self.head.gold_tags(tensors, metadata), metadata))
        self.num_sentences = sum(len(batch.metadata) for batch in self._batches)
        self.num_gold = sum(len(self._gold(sentence)) for batch in self._batches for sentence in batch.metadata)

    def negative_log_likelihood(self, temperature: float) -> numpy.ndarray:
        self.head.distribution.temperature = temperature
        found = [
            -self.head.distribution.decodable_log_likelihood(batch.outputs["logits"], batch.gold, batch.outputs["mask"])
            for batch in self._batches
        ]
        return torch.cat(found).cpu().numpy()

    def decisions(self, temperature: float) -> Decisions:
        self.head.distribution.temperature = temperature
        sentences, probabilities, correct = [], [], []
        number = 0
        for batch in self._batches:
            readable = self.head.make_output_human_readable(batch.outputs, batch.metadata)
            of_tags = None if "entities" in readable else self._of_tags(batch)
            for row, sentence in enumerate(batch.metadata):
                gold = set(self._gold(sentence))
                found: List[Tuple[Tuple, float]]
                if of_tags is None:
                    found = [
                        ((entity["start"], entity["end"], entity["label"]), entity["probability"])
                        for entity in readable["entities"][row]
                    ]
                else:
                    found = list(zip(enumerate(readable["tags"][row]), of_tags[row], strict=False))
                sentences += [number] * len(found)
                probabilities += [probability for _, probability in found]
                correct += [decision in gold for decision, _ in found]
                number += 1
        return Decisions(numpy.array(sentences, int), numpy.array(probabilities, float), numpy.array(correct, bool))

    def masses(self, temperature: float) -> "Masses":
        """Returns what the sets of tag sequences of N sentences are measured by. The model has `n_best` sequences."""
        assert isinstance(self.head, ProjectionHead)
        self.head.distribution.temperature = temperature
        before, before_gold = [], []
        for batch in self._batches:
            best = self.head.best_sequences(batch.outputs)
            is_gold = ((best.tags == batch.gold.unsqueeze(1)) | ~batch.outputs["mask"].unsqueeze(1)).all(2)
            before.append(best.before)
            # A sentence with fewer sequences has others behind them, of which `before` is infinite.
            before_gold.append(best.before.masked_fill(~is_gold, float("inf")).amin(1))
        return Masses(torch.cat(before).cpu().numpy(), torch.cat(before_gold).cpu().numpy())

    def options(self, config: Dict[str, Any]) -> Dict[str, Any]:
        head = config.get("head") or {}
        config["head"] = {"type": head} if isinstance(head, str) else head
        return config["head"]

    def _gold(self, sentence: Dict[str, Any]) -> List[Tuple]:
        """Returns the gold entities of a sentence or, where tags stand for themselves, its tags with their places."""
        if self.head.coding_scheme is None:
            return list(enumerate(sentence["gold_tags"]))
        return [*tags_to_entities(sentence["gold_tags"], self.head.coding_scheme)]

    def _of_tags(self, batch: "_Batch") -> List[List[float]]:
        marginals = self.head.distribution.marginals(batch.outputs["logits"].clone(), batch.outputs["mask"])
        return marginals.gather(2, batch.outputs["tags"].unsqueeze(2)).squeeze(2).clamp(max=1.0).tolist()


class Masses(NamedTuple):
    """Of each of N sentences, the sums of the probabilities of tag sequences."""

    before: numpy.ndarray
    """Of those that are better than each of the `n_best` ones, shape (N, `n_best`)."""
    before_gold: numpy.ndarray
    """Of those that are better than the gold one, shape (N,); infinite where that is not among the `n_best` ones."""


class _Batch(NamedTuple):
    outputs: Dict[str, Any]
    """`logits` (B, T, L), `mask` (B, T), and the decoded `tags` (B, T) of B sentences."""
    gold: torch.Tensor
    """Shape (B, T)."""
    metadata: List[Dict[str, Any]]
