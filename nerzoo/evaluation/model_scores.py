import os
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import numpy
import torch
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models.archival import Archive
from allennlp.nn.util import get_text_field_mask, move_to_device

from nerzoo import archives
from nerzoo.evaluation.calibration import reliability
from nerzoo.files import check_is_new
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.models.heads.projection import ProjectionHead
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.nn.numerics import with_temperature
from nerzoo.nn.spans import span_mask
from nerzoo.text.annotation import Entity
from nerzoo.text.tag_schemes import tags_to_entities


def load_to_rewrite(archive_file: str, output_file: str, cuda_device: int = -1) -> Archive:
    """
    Loads an archive of which another one is to be made.

    # Raises

    `ConfigurationError` where the output exists, or the archive is a folder, whose file cannot be copied.
    """
    check_is_new(output_file)
    if os.path.isdir(archive_file) or archives.find(archive_file).is_dir():
        raise ConfigurationError(f"found the folder {archive_file}, expected an archive: its model.tar.gz")
    return archives.load(archive_file, cuda_device)


def run_model(archive: Archive, file: str, batch_size: int) -> Iterator[Tuple[Dict[str, Any], Dict[str, Any]]]:
    """Yields the tensors of each batch of a file, read as for validation, and what the model gives for it."""
    model = archive.model.eval()
    loader = SimpleDataLoader.from_dataset_reader(archive.validation_dataset_reader, file, batch_size)
    loader.index_with(model.vocab)
    device = next(model.parameters()).device
    with torch.inference_mode():
        for batch in Tqdm.tqdm(loader, desc="running the model"):
            batch = move_to_device(batch, device)
            yield batch, model(**batch)


class Decisions(NamedTuple):
    """Predicted entities, or tags, with what is known of each: arrays of shape (E,)."""

    sentences: numpy.ndarray
    """The number of its sentence."""
    probabilities: numpy.ndarray
    correct: numpy.ndarray


class ModelScores:
    """
    What a model gives for the sentences of a file, from which their probabilities at any temperature are computed
    without running it again. Subclasses are for kinds of models.
    """

    num_sentences: int
    """N."""
    num_gold: int
    """How many gold entities there are; where tags stand for themselves, how many tags."""

    def negative_log_likelihood(self, temperature: float) -> numpy.ndarray:
        """Returns minus the log probability of the gold annotation of each of N sentences, shape (N,), in nats."""
        raise NotImplementedError

    def decisions(self, temperature: float) -> Decisions:
        """Returns what the model predicts, all of it, whatever its probability."""
        raise NotImplementedError

    def measures(self, temperature: float) -> Dict[str, Optional[float]]:
        """Returns the numbers by which a temperature is judged."""
        decisions = self.decisions(temperature)
        result = reliability(decisions.probabilities, decisions.correct)
        num_correct = int(decisions.correct.sum())
        return {
            "temperature": temperature,
            "negative_log_likelihood": float(self.negative_log_likelihood(temperature).mean()),
            "expected_calibration_error": result.expected_calibration_error,
            "brier_score": result.brier_score,
            "precision": num_correct / max(len(decisions.correct), 1),
            "recall": num_correct / max(self.num_gold, 1),
        }

    def options(self, config: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the part of a configuration of the model that has the temperature, to be changed in place."""
        raise NotImplementedError


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
