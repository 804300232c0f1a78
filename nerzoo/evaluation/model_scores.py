"""Outputs of a model for a whole file, from which archives are calibrated and tuned."""

import os
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple

import numpy
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models.archival import Archive
from allennlp.nn.util import get_text_field_mask, move_to_device

from nerzoo import archives
from nerzoo.evaluation.reliability import reliability
from nerzoo.files import check_is_new
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.models.heads.tag_head import ProjectionHead
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.nn.numerics import with_temperature
from nerzoo.nn.spans import span_mask
from nerzoo.text.annotation import Entity, tags_to_entities
from nerzoo.text.matching import precision_recall_f
from nerzoo.training.progress import progress_bar


def load_to_rewrite(archive_file: str, output_file: str, cuda_device: int = -1) -> Archive:
    """
    Loads an archive of which a changed copy is to be written. Raises `ConfigurationError` where the output exists, or
    the archive is a folder, which cannot be copied as a file.
    """
    check_is_new(output_file)
    if os.path.isdir(archive_file) or archives.find(archive_file).is_dir():
        raise ConfigurationError(f"found the folder {archive_file}, expected an archive: its model.tar.gz")
    return archives.load(archive_file, cuda_device)


def run_model(archive: Archive, file: str, batch_size: int) -> Iterator[Tuple[Dict[str, Any], Dict[str, Any]]]:
    """Yields the tensors of each batch of a file, read as for validation, and the outputs of the model for it."""
    model = archive.model.eval()
    loader = SimpleDataLoader.from_dataset_reader(archive.validation_dataset_reader, file, batch_size)
    loader.index_with(model.vocab)
    device = next(model.parameters()).device
    with torch.inference_mode():
        for batch in progress_bar(loader, desc="running the model", unit=" batches"):
            batch = move_to_device(batch, device)
            yield batch, model(**batch)


class Decisions(NamedTuple):
    """Predicted entities or tags: arrays of shape (E,)."""

    sentences: numpy.ndarray
    """The number of the sentence of each."""
    probabilities: numpy.ndarray
    correct: numpy.ndarray


class ModelScores:
    """
    The outputs of a model for the N sentences of a file, from which probabilities at any temperature are computed
    without running the model again. Subclasses are for kinds of models.
    """

    documents: List[Optional[str]]
    """The id of the document of each sentence, if known."""
    _gold: List[Set[Tuple]]
    """The gold entities of each sentence or, where tags do not stand for entities, its tags with their positions."""

    def negative_log_likelihood(self, temperature: float) -> numpy.ndarray:
        """Returns minus the log probability of the gold annotation of each sentence, shape (N,), in nats."""
        raise NotImplementedError

    def options(self, config: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the part of a model's configuration that holds the temperature, to be changed in place."""
        raise NotImplementedError

    def _predictions(self, temperature: float) -> Iterator[Iterable[Tuple[Tuple, float]]]:
        """Yields the predictions for each sentence, of the form of its gold annotation, with their probabilities."""
        raise NotImplementedError

    def decisions(self, temperature: float) -> Decisions:
        """Returns all predictions of the model, without a threshold of their probability."""
        rows = [
            (number, probability, prediction in gold)
            for number, (found, gold) in enumerate(zip(self._predictions(temperature), self._gold, strict=True))
            for prediction, probability in found
        ]
        sentences, probabilities, correct = zip(*rows, strict=True) if rows else ((), (), ())
        return Decisions(numpy.array(sentences, int), numpy.array(probabilities, float), numpy.array(correct, bool))

    def measures(self, temperature: float, rows: numpy.ndarray) -> Dict[str, Optional[float]]:
        """Returns the scores of some sentences, given by a mask (N,), by which a temperature is judged."""
        decisions = self.decisions(temperature)
        chosen = rows[decisions.sentences]
        correct = decisions.correct[chosen]
        result = reliability(decisions.probabilities[chosen], correct)
        num_gold = sum(len(gold) for gold, is_chosen in zip(self._gold, rows, strict=True) if is_chosen)
        scores = precision_recall_f(int(correct.sum()), len(correct), num_gold)
        return {
            "temperature": temperature,
            "negative_log_likelihood": float(self.negative_log_likelihood(temperature)[rows].mean()),
            "expected_calibration_error": result.expected_calibration_error,
            "brier_score": result.brier_score,
            "precision": scores["precision"],
            "recall": scores["recall"],
        }


class SpanScores(ModelScores):
    """
    `ModelScores` of a `FofeNer`. The probability of the gold annotation of a sentence is the product over all its
    spans. Entities are decoded anew at each temperature, since decoders have thresholds of probabilities.
    """

    def __init__(self, archive: Archive, model: FofeNer, file: str, batch_size: int) -> None:
        self._model = model
        model.temperature, model.min_probability = 1.0, 0.0
        # For each batch the probabilities (B, T, n, 1 + L), the gold labels (B, T, n) and the mask (B, T).
        self._batches: List[Tuple[torch.Tensor, torch.Tensor, torch.BoolTensor]] = []
        self._gold, self.documents = [], []
        for batch, outputs in run_model(archive, file, batch_size):
            mask = get_text_field_mask(batch["tokens"])
            self._batches.append((outputs["probabilities"], batch["spans"]["labels"], mask))
            self._gold.extend(set(sentence["gold_entities"]) for sentence in outputs["metadata"])
            self.documents.extend(sentence["document_id"] for sentence in outputs["metadata"])

    def negative_log_likelihood(self, temperature: float) -> numpy.ndarray:
        found = []
        for probabilities, labels, mask in self._batches:
            is_span = span_mask(mask, labels.size(2))
            gold = with_temperature(probabilities.double(), temperature)
            gold = gold.gather(3, labels.masked_fill(~is_span, 0).unsqueeze(3)).squeeze(3)
            # Zero in single precision stands for the smallest probability that it can express.
            log_likelihood = gold.clamp(min=torch.finfo(torch.float32).tiny).log().masked_fill(~is_span, 0.0)
            found.append(-log_likelihood.sum((1, 2)))
        return torch.cat(found).cpu().numpy()

    def _predictions(self, temperature: float) -> Iterator[Iterable[Tuple[Tuple, float]]]:
        for probabilities, _, mask in self._batches:
            for entities in self._model.decode(with_temperature(probabilities, temperature), mask):
                yield ((Entity(*entity[:3]), entity.score) for entity in entities)

    def options(self, config: Dict[str, Any]) -> Dict[str, Any]:
        return config


class TaggerScores(ModelScores):
    """
    `ModelScores` of a `TaggingModel`. The probability of the gold annotation is that of the tag sequence among all
    sequences that can be decoded. The head `seq2biseq` has no distribution over sequences: there it is the product of
    the probabilities of the tags, each after the tags as decoded, as in its predictions.
    """

    def __init__(self, archive: Archive, model: TaggingModel, file: str, batch_size: int) -> None:
        self.head = model.head
        self.head.min_probability = 0.0
        self._batches: List[_Batch] = []
        self._gold, self.documents = [], []
        for _, outputs in run_model(archive, file, batch_size):
            # A document has several sentences, of which some may be padding alone.
            parts = [(item, part) for item in outputs["metadata"] for part in item.get("sentences", [item])]
            metadata = [part for _, part in parts]
            self.documents.extend(item["document_id"] for item, _ in parts)
            is_sentence = outputs["mask"].any(1)
            tensors = {name: outputs[name][is_sentence] for name in ("logits", "mask", "tags")}
            self._batches.append(_Batch(tensors, self.head.gold_tags(tensors, metadata), metadata))
            scheme = self.head.coding_scheme
            for sentence in metadata:
                tags = sentence["gold_tags"]
                self._gold.append(set(enumerate(tags) if scheme is None else tags_to_entities(tags, scheme)))

    def negative_log_likelihood(self, temperature: float) -> numpy.ndarray:
        self.head.distribution.temperature = temperature
        likelihood = self.head.distribution.decodable_log_likelihood
        found = [-likelihood(each.outputs["logits"], each.gold, each.outputs["mask"]) for each in self._batches]
        return torch.cat(found).cpu().numpy()

    def _predictions(self, temperature: float) -> Iterator[Iterable[Tuple[Tuple, float]]]:
        self.head.distribution.temperature = temperature
        for batch in self._batches:
            readable = self.head.make_output_human_readable(batch.outputs, batch.metadata)
            if "entities" in readable:
                for entities in readable["entities"]:
                    yield (((each["start"], each["end"], each["label"]), each["probability"]) for each in entities)
                continue
            marginals = self.head.distribution.marginals(batch.outputs["logits"].clone(), batch.outputs["mask"])
            probabilities = marginals.gather(2, batch.outputs["tags"].unsqueeze(2)).squeeze(2).clamp(max=1.0).tolist()
            for tags, row in zip(readable["tags"], probabilities, strict=True):
                yield zip(enumerate(tags), row, strict=False)

    def masses(self, temperature: float) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """
        Returns for each of the `n_best` tag sequences of each sentence, shape (N, `n_best`), and for the gold sequence,
        shape (N,), the sum of the probabilities of the better sequences; infinite where the gold sequence is not among
        the `n_best` ones.
        """
        assert isinstance(self.head, ProjectionHead)
        self.head.distribution.temperature = temperature
        before, before_gold = [], []
        for batch in self._batches:
            best = self.head.best_sequences(batch.outputs)
            is_gold = ((best.tags == batch.gold.unsqueeze(1)) | ~batch.outputs["mask"].unsqueeze(1)).all(2)
            before.append(best.before)
            # A sentence with fewer sequences has others behind them, whose `before` is infinite.
            before_gold.append(best.before.masked_fill(~is_gold, float("inf")).amin(1))
        return torch.cat(before).cpu().numpy(), torch.cat(before_gold).cpu().numpy()

    def options(self, config: Dict[str, Any]) -> Dict[str, Any]:
        head = config.get("head") or {}
        config["head"] = {"type": head} if isinstance(head, str) else head
        return config["head"]


class _Batch(NamedTuple):
    outputs: Dict[str, Any]
    """`logits` (B, T, L), `mask` (B, T), and the decoded `tags` (B, T) of B sentences."""
    gold: torch.Tensor
    """Shape (B, T)."""
    metadata: List[Dict[str, Any]]
