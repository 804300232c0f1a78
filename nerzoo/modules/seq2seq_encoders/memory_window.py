from dataclasses import dataclass

from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError


@dataclass(frozen=True)
class MemoryWindow(FromParams):
    """
    A bound on the tokens of a document that a memory holds.

    # Parameters

    size : `int`
        N, the number of tokens.
    kept : `str`, optional (default = `"recent"`)
        `"recent"`: for each token, itself and the N - 1 tokens before it. `"first"`: the first N of the document.

    # Raises

    `ConfigurationError` where `size` is below one or `kept` unknown.
    """

    size: int
    kept: str = "recent"

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ConfigurationError(f"found a memory of size {self.size}, expected one token at least")
        if self.kept not in ("recent", "first"):
            raise ConfigurationError(f"found a memory that keeps {self.kept!r}, expected recent or first")
