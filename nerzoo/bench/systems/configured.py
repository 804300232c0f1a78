import hashlib
import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence

from allennlp.common import Params

from nerzoo.bench.corpus_facts import CorpusFacts
from nerzoo.bench.run_specification import RunSpecification
from nerzoo.bench.systems.bench_system import MODEL_NAME, BenchSystem, Entities, TrainedSystem, Training
from nerzoo.configuration_check import read_configuration
from nerzoo.cross_validation.training_run import train
from nerzoo.data.corpora import JsonlCorpus
from nerzoo.tagging.sources import corpus_items
from nerzoo.tagging.tagger import Tagger

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
