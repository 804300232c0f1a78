from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

from nerzoo.files import read_run_file, write_json
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.runs.bench_data import CorpusFacts
from nerzoo.text.annotation import Sentence

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
