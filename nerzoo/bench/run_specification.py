import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Dict

from nerzoo.files import write_json

SPECIFICATION_NAME = "run.json"


@dataclass(frozen=True)
class RunSpecification:
    """All that decides what a run of a system gives: what `run.json` in its folder says."""

    system: str
    seed: int
    epochs: int
    data: str
    """The folder with `train.jsonl`, `dev.jsonl` and `test.jsonl`, seen from that of the run."""
    max_length: int
    """Of the entities that a system which looks at all spans looks for."""
    configs: str
    """The folder with the configurations of systems."""
    word_vectors: str = ""
    """The file of word vectors; empty where they are learned."""
    vector_size: int = 100
    language: str = "en"
    """For spaCy's pipelines."""
    num_threads: int = 1

    @classmethod
    def read(cls, folder: Path) -> "RunSpecification":
        """Reads the one of a folder."""
        return cls(**json.loads((folder / SPECIFICATION_NAME).read_text(encoding="utf-8")))

    def write(self, folder: Path) -> None:
        """Writes it into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / SPECIFICATION_NAME, asdict(self))

    def path(self, folder: Path, part: str) -> Path:
        """Returns the file of the `train`, `dev` or `test` part of the run in a folder."""
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
