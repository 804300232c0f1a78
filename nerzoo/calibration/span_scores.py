from typing import Any, Dict, List, Tuple

import numpy
import torch
from allennlp.models.archival import Archive
from allennlp.nn.util import get_text_field_mask

from nerzoo.calibration.archive_run import run_model
from nerzoo.calibration.model_scores import Decisions, ModelScores
from nerzoo.data.annotation import Entity
from nerzoo.models import FofeNer
from nerzoo.nn.spans import span_mask
from nerzoo.nn.temperature import with_temperature


class SpanScores(ModelScores):
    """
    Of a `FofeNer`: the probability of the gold annotation of a sentence is the product of those of all its spans, each
    an entity or none. Entities are decoded anew at each temperature, since thresholds are of probabilities.
    """

    def __init__(self, archive: Archive, model: FofeNer, file: str, batch_size: int) -> None:
        self._model = model
        model.temperature, model.min_probability = 1.0, 0.0
        # Of each batch the probabilities (B, T, n, 1 + L), the gold labels (B, T, n) and the mask (B, T).
        self._batches: List[Tuple[torch.Tensor, torch.Tensor, torch.BoolTensor]] = []
        self._gold: List[List[Entity]] = []
        for batch, outputs in run_model(archive, file, batch_size):
            mask = get_text_field_mask(batch["tokens"])
            self._batches.append((outputs["probabilities"], batch["spans"]["labels"], mask))
            self._gold.extend(sentence["gold_entities"] for sentence in outputs["metadata"])
        self.num_sentences = len(self._gold)
        self.num_gold = sum(map(len, self._gold))

    def negative_log_likelihood(self, temperature: float) -> numpy.ndarray:
        found = []
        for probabilities, labels, mask in self._batches:
            of_spans = with_temperature(probabilities.double(), temperature)
            is_span = span_mask(mask, labels.size(2))
            gold = of_spans.gather(3, labels.masked_fill(~is_span, 0).unsqueeze(3)).squeeze(3)
            # What is impossible in single precision is as improbable as it can say.
            log_likelihood = gold.clamp(min=torch.finfo(torch.float32).tiny).log().masked_fill(~is_span, 0.0)
            found.append(-log_likelihood.sum((1, 2)))
        return torch.cat(found).cpu().numpy()

    def decisions(self, temperature: float) -> Decisions:
        entities = [
            entities
            for probabilities, _, mask in self._batches
            for entities in self._model.decode(with_temperature(probabilities, temperature), mask)
        ]
        rows = [
            (sentence, entity.score, Entity(*entity[:3]) in gold)
            for sentence, (of_sentence, gold) in enumerate(zip(entities, map(set, self._gold), strict=True))
            for entity in of_sentence
        ]
        sentences, probabilities, correct = zip(*rows, strict=True) if rows else ((), (), ())
        return Decisions(numpy.array(sentences, int), numpy.array(probabilities, float), numpy.array(correct, bool))

    def options(self, config: Dict[str, Any]) -> Dict[str, Any]:
        return config
