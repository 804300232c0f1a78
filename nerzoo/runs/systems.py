"""The systems that a bench trains side by side: their base class, and those that configurations describe."""

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from allennlp.common.util import lazy_groups_of
from allennlp.models import Model, load_archive

from nerzoo.configuration.check import read_configuration
from nerzoo.files import read_run_file, write_json
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.inference.sources import corpus_items
from nerzoo.inference.tagger import Tagger
from nerzoo.runs.bench_data import CorpusFacts
from nerzoo.runs.runner import train
from nerzoo.text.annotation import Sentence, tags_to_entities

SPECIFICATION_NAME = "run.json"
MODEL_NAME = "model"
"""The folder of a system's own files, in that of a run."""

Entities = List[Dict[str, Any]]
"""The entities of a sentence, each with `start`, `end`, `label` and perhaps `probability`."""


@dataclass(frozen=True)
class RunSpecification:
    """The parameters of a run: the content of `run.json` in its folder."""

    system: str
    seed: int
    epochs: int
    data: str
    """The folder with `train.jsonl`, `dev.jsonl` and `test.jsonl`, relative to the folder of the run."""
    max_length: int
    """The longest entities that a system which scores all spans looks for."""
    configs: str
    """The folder with the configurations of systems."""
    word_vectors: str = ""
    """The file of word vectors; empty where they are learned."""
    vector_size: int = 100
    language: str = "en"
    """The language of spaCy's pipelines."""
    num_threads: int = 1

    @classmethod
    def read(cls, folder: Path) -> "RunSpecification":
        return cls(**read_run_file(folder / SPECIFICATION_NAME, dict))

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / SPECIFICATION_NAME, asdict(self))

    def path(self, folder: Path, part: str) -> Path:
        """Returns the file of the `train`, `dev` or `test` part for the run in a folder."""
        return (folder / self.data / f"{part}.jsonl").resolve()

    @property
    def environment(self) -> Dict[str, str]:
        """The environment variables that configurations read, and the number of threads."""
        return {
            "SEED": str(self.seed),
            "EPOCHS": str(self.epochs),
            "WORD_VECTORS": self.word_vectors,
            "WORD_VECTOR_SIZE": str(self.vector_size),
            "OMP_NUM_THREADS": str(self.num_threads),
        }


def read_sentences(path: Path) -> List[Sentence]:
    """Returns the sentences of a file of JSON lines."""
    return [sentence for document in JsonlCorpus().read(path) for sentence in document.sentences]


class Training(NamedTuple):
    """Facts about a training: its number of epochs, the best of them, and the seconds of one."""

    epochs: int
    best_epoch: Optional[int]
    epoch_seconds: float


class TrainedSystem(NamedTuple):
    """A system that has been trained and loaded."""

    num_parameters: int
    """The number of trained parameters."""
    predict: Callable[[Sequence[Any]], List[Entities]]
    """Finds the entities of each sentence of what `read` returns."""
    read: Callable[[Path], Sequence[Any]] = read_sentences
    """Reads a file of JSON lines."""


class BenchSystem:
    """The base class of the systems that a bench trains."""

    is_nerzoos: bool = False
    finds_nested: bool = False
    """True for systems that find entities inside others; the rest are trained on the outermost ones."""
    has_seeds: bool = True
    """False for systems to which a seed makes no difference."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def full_epochs(self) -> int:
        """The number of epochs if there is time for all, unless training stops early."""
        raise NotImplementedError

    @property
    def fingerprint(self) -> Optional[str]:
        """A digest of its configuration, if it has one."""
        return None

    def reason_against(self, facts: CorpusFacts) -> Optional[str]:
        """Returns why the system cannot be trained on such a corpus, if it cannot."""
        return None

    def train(self, specification: RunSpecification, folder: Path) -> Training:
        """Trains in the folder of a run; continues an interrupted training there if it can."""
        raise NotImplementedError

    def load(self, folder: Path) -> TrainedSystem:
        """Loads the system that was trained in the folder of a run."""
        raise NotImplementedError


_BATCH_SIZE = 32


class Configured(BenchSystem):
    """
    A system of nerzoo, trained by a configuration `NAME.jsonnet` in the folder `configs`. `needs` are a condition on
    the corpus, and the reason why the system cannot be trained where it does not hold. With `scores_spans`, it scores
    all spans up to a length.
    """

    is_nerzoos = True

    def __init__(
        self,
        name: str,
        configs: Path,
        needs: Optional[Tuple[Callable[[CorpusFacts], bool], str]] = None,
        finds_nested: bool = False,
        scores_spans: bool = False,
    ) -> None:
        super().__init__(name)
        self.finds_nested = finds_nested
        self._path = configs / f"{name}.jsonnet"
        self._needs = needs
        self._scores_spans = scores_spans

    def reason_against(self, facts: CorpusFacts) -> Optional[str]:
        return None if self._needs is None or self._needs[0](facts) else self._needs[1]

    @cached_property
    def full_epochs(self) -> int:
        return self._default_config["trainer"]["num_epochs"]

    @cached_property
    def fingerprint(self) -> Optional[str]:
        return hashlib.sha256(json.dumps(self._default_config, sort_keys=True).encode()).hexdigest()

    @cached_property
    def _default_config(self) -> Dict[str, Any]:
        defaults = {"SEED": "1", "EPOCHS": "", "WORD_VECTORS": "", "WORD_VECTOR_SIZE": "100"}
        return read_configuration(self._path, ext_vars=defaults).as_dict(quiet=True)

    def train(self, specification: RunSpecification, folder: Path) -> Training:
        overrides: Dict[str, Any] = {
            "train_data_path": str(specification.path(folder, "train")),
            "validation_data_path": str(specification.path(folder, "dev")),
        }
        if self._scores_spans:
            overrides |= dict.fromkeys(("dataset_reader.max_length", "model.max_length"), specification.max_length)
        config = read_configuration(self._path, json.dumps(overrides), ext_vars=specification.environment)
        model = folder / MODEL_NAME
        train(config, model, file_friendly_logging=True)
        # Each is as large as the archive.
        for weights in model.glob("*.th"):
            weights.unlink()
        metrics = read_run_file(model / "metrics.json", dict)
        hours, minutes, seconds = map(float, metrics["training_duration"].split(":"))
        epochs = metrics["epoch"] + 1
        return Training(epochs, metrics["best_epoch"] + 1, (3600 * hours + 60 * minutes + seconds) / epochs)

    def load(self, folder: Path) -> TrainedSystem:
        tagger = Tagger.load(folder / MODEL_NAME / "model.tar.gz")

        def read(path: Path) -> Sequence[Any]:
            return [item.inputs for item in corpus_items(JsonlCorpus(), tagger.predictor)(str(path))]

        def predict(items: Sequence[Any]) -> List[Entities]:
            sentences = (sentence for found in tagger(items) for sentence in found.get("sentences", [found]))
            return [sentence["entities"] for sentence in sentences]

        return TrainedSystem(num_trained_parameters(tagger.predictor.model), predict, read)


class CrfTagger(Configured):
    """The `crf_tagger` of allennlp-models, whose output has tags, but neither entities nor probabilities."""

    is_nerzoos = False

    def train(self, specification: RunSpecification, folder: Path) -> Training:
        import_module("allennlp_models.tagging")
        return super().train(specification, folder)

    def load(self, folder: Path) -> TrainedSystem:
        import_module("allennlp_models.tagging")
        archive = load_archive(folder / MODEL_NAME / "model.tar.gz")
        model: Any = archive.model
        reader: Any = archive.validation_dataset_reader

        def predict(sentences: Sequence[Any]) -> List[Entities]:
            found: List[Entities] = []
            for group in lazy_groups_of(sentences, _BATCH_SIZE):
                instances = [reader.text_to_instance(sentence, tagged=False) for sentence in group]
                for instance in instances:
                    reader.apply_token_indexers(instance)
                for outputs in model.forward_on_instances(instances):
                    found.append([entity._asdict() for entity in tags_to_entities(outputs["tags"], "BIOUL")])
            return found

        return TrainedSystem(num_trained_parameters(model), predict)


def num_trained_parameters(model: Model) -> int:
    """Counts the parameters of a model that are trained."""
    return sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)
