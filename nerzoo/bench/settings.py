from dataclasses import dataclass
from typing import List, Optional


@dataclass(frozen=True)
class Settings:
    """
    What a bench is asked for; the same of all calls that go on with it.

    # Parameters

    inputs : `List[str]`
        Three files, training, development and test data, or one, of which folds are made.
    corpus : `str`
        Their format, the name of a `Corpus` or JSON with its options.
    configs : `str`
        The folder of the configurations.
    folds : `int`, optional
    fold_seed : `int`, optional (default = `13370`)
        Decides which document is in which fold.
    systems : `List[str]`, optional
        Those to train; by default, all that the data is for.
    seeds : `int`, optional (default = `3`)
    minutes : `float`, optional (default = `60`)
        How long all trainings may take; `None`: as long as they take.
    word_vectors : `str`, optional
        A text file of word vectors; without it, they are learned.
    flat_layer : `str`, optional
        `"outermost"` or `"innermost"`: which of nested entities the data keeps.
    parser : `str`, optional
        A spaCy pipeline that finds trees.
    language : `str`, optional (default = `"en"`)
    num_threads : `int`, optional (default = `1`)
        Of each training.
    """

    inputs: List[str]
    corpus: str
    configs: str
    folds: Optional[int] = None
    fold_seed: int = 13370
    systems: Optional[List[str]] = None
    seeds: int = 3
    minutes: Optional[float] = 60.0
    word_vectors: Optional[str] = None
    flat_layer: Optional[str] = None
    parser: Optional[str] = None
    language: str = "en"
    num_threads: int = 1
