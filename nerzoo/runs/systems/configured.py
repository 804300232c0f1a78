import hashlib
import json
from importlib import import_module
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence

from allennlp.common import Params
from allennlp.common.util import lazy_groups_of
from allennlp.models import Archive, load_archive

from nerzoo.configuration_check import read_configuration
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.inference.sources import corpus_items
from nerzoo.inference.tagger import Tagger
from nerzoo.runs.budget import CorpusFacts
from nerzoo.runs.run import RunSpecification
from nerzoo.runs.systems.bench_system import MODEL_NAME, BenchSystem, Entities, TrainedSystem, Training, read_sentences
from nerzoo.runs.training import train
from nerzoo.text.tag_schemes import tags_to_entities

Reason = Callable[[CorpusFacts], Optional[str]]


class Configured(BenchSystem):
    """
    A system of nerzoo, trained by a configuration `NAME.jsonnet`.

    # Parameters

    name : `str`
    configs : `Path`
        The folder of the configuration.
    reason_against : `Callable[[CorpusFacts], Optional[str]]`, optional
        As in `BenchSystem`.
    finds_nested, looks_at_spans : `bool`, optional (default = `False`)
        Whether it finds nested entities; whether it looks at all spans up to a length.
    """

    is_nerzoos = True

    def __init__(
        self,
        name: str,
        configs: Path,
        reason_against: Optional[Reason] = None,
        finds_nested: bool = False,
        looks_at_spans: bool = False,
    ) -> None:
        super().__init__(name)
        self.finds_nested = finds_nested
        self._path = configs / f"{name}.jsonnet"
        self._reason_against = reason_against
        self._looks_at_spans = looks_at_spans

    def reason_against(self, facts: CorpusFacts) -> Optional[str]:
        return None if self._reason_against is None else self._reason_against(facts)

    @property
    def full_epochs(self) -> int:
        epochs: int = self._unset()["trainer"]["num_epochs"]
        return epochs

    @property
    def fingerprint(self) -> Optional[str]:
        config = json.dumps(self._unset().as_dict(quiet=True), sort_keys=True)
        return hashlib.sha256(config.encode()).hexdigest()

    def _unset(self) -> Params:
        unset = {"SEED": "1", "EPOCHS": "", "WORD_VECTORS": "", "WORD_VECTOR_SIZE": "100"}
        return read_configuration(self._path, ext_vars=unset)

    def train(self, specification: RunSpecification, folder: Path) -> Training:
        parts = {part: str(specification.path(folder, part)) for part in ("train", "dev")}
        overrides: Dict[str, Any] = {"train_data_path": parts["train"], "validation_data_path": parts["dev"]}
        if self._looks_at_spans:
            overrides |= dict.fromkeys(("dataset_reader.max_length", "model.max_length"), specification.max_length)
        config = read_configuration(self._path, json.dumps(overrides), ext_vars=specification.environment)
        model = folder / MODEL_NAME
        train(config, model, file_friendly_logging=True)
        # They are as large as the archive, each.
        for weights in model.glob("*.th"):
            weights.unlink()
        metrics = json.loads((model / "metrics.json").read_text())
        hours, minutes, seconds = map(float, metrics["training_duration"].split(":"))
        epochs = metrics["epoch"] + 1
        return Training(epochs, metrics["best_epoch"] + 1, (3600 * hours + 60 * minutes + seconds) / epochs)

    def load(self, specification: RunSpecification, folder: Path) -> TrainedSystem:
        return _Loaded(Tagger.load(folder / MODEL_NAME / "model.tar.gz"))


class _Loaded:
    def __init__(self, tagger: Tagger) -> None:
        self._tagger = tagger
        self.num_parameters = num_trained_parameters(tagger.predictor.model)

    def read(self, path: Path) -> Sequence[Any]:
        return [item.inputs for item in corpus_items(JsonlCorpus(), self._tagger.predictor)(str(path))]

    def predict(self, items: Sequence[Any]) -> List[Entities]:
        return [
            sentence["entities"]
            for prediction in self._tagger(items)
            for sentence in prediction.get("sentences", [prediction])
        ]


def num_trained_parameters(model: Any) -> int:
    """Counts the parameters of a module that are trained."""
    return sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)


_BATCH_SIZE = 32


class CrfTagger(Configured):
    """`crf_tagger` of allennlp-models, which has no entities and no probabilities in its output, but tags."""

    is_nerzoos = False

    def train(self, specification: RunSpecification, folder: Path) -> Training:
        _register()
        return super().train(specification, folder)

    def load(self, specification: RunSpecification, folder: Path) -> TrainedSystem:
        _register()
        return _LoadedCrfTagger(load_archive(folder / MODEL_NAME / "model.tar.gz"))


class _LoadedCrfTagger:
    def __init__(self, archive: Archive) -> None:
        self._model: Any = archive.model
        self._reader: Any = archive.validation_dataset_reader
        self.num_parameters = num_trained_parameters(archive.model)

    def read(self, path: Path) -> Sequence[Any]:
        return read_sentences(path)

    def predict(self, items: Sequence[Any]) -> List[Entities]:
        found: List[Entities] = []
        for group in lazy_groups_of(items, _BATCH_SIZE):
            instances = [self._reader.text_to_instance(sentence, tagged=False) for sentence in group]
            for instance in instances:
                self._reader.apply_token_indexers(instance)
            for outputs in self._model.forward_on_instances(instances):
                found.append([dict(entity._asdict()) for entity in tags_to_entities(outputs["tags"], "BIOUL")])
        return found


def _register() -> None:
    import_module("allennlp_models.tagging")
