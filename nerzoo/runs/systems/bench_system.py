from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Protocol, Sequence

from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.runs.budget import CorpusFacts
from nerzoo.runs.run import RunSpecification
from nerzoo.text.annotation import Sentence

MODEL_NAME = "model"
"""The folder of a system's own files, in that of a run."""

Entities = List[Dict[str, Any]]
"""Those of a sentence, each with `start`, `end`, `label` and perhaps `probability`."""


class Training(NamedTuple):
    """What a training says of itself: how many epochs it took, which was the best, and the seconds of one."""

    epochs: int
    best_epoch: Optional[int]
    epoch_seconds: float


class TrainedSystem(Protocol):
    """A system that has been trained and loaded."""

    num_parameters: int
    """How many parameters were trained."""

    def read(self, path: Path) -> Sequence[Any]:
        """Returns what a file of JSON lines holds, as `predict` takes it."""

    def predict(self, items: Sequence[Any]) -> List[Entities]:
        """Finds the entities of each sentence."""


def read_sentences(path: Path) -> List[Sentence]:
    """Returns the sentences of a file of JSON lines."""
    return [sentence for document in JsonlCorpus().read(path) for sentence in document.sentences]


class BenchSystem:
    """
    The base class of what a bench trains.

    # Parameters

    name : `str`
    """

    is_nerzoos: bool = False
    finds_nested: bool = False
    """Whether it finds entities that are inside others; systems that do not are trained on the outermost ones."""
    has_seeds: bool = True
    """Whether a run with another seed is another run."""

    def __init__(self, name: str) -> None:
        self.name = name

    def reason_against(self, facts: CorpusFacts) -> Optional[str]:
        """Says why the system cannot be trained on such a corpus, or returns `None`."""
        return None

    @property
    def full_epochs(self) -> int:
        """How many epochs it is trained if there is time, unless it stops by itself."""
        raise NotImplementedError

    @property
    def fingerprint(self) -> Optional[str]:
        """A digest of its configuration, if it has one."""
        return None

    def train(self, specification: RunSpecification, folder: Path) -> Training:
        """Trains in the folder of a run, from where a training that was interrupted there was, if it can."""
        raise NotImplementedError

    def load(self, specification: RunSpecification, folder: Path) -> TrainedSystem:
        """Loads what was trained there."""
        raise NotImplementedError
