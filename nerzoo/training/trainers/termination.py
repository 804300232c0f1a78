import signal
import threading
from contextlib import contextmanager
from types import FrameType
from typing import Any, Iterator, Optional

from allennlp.training import TrainerCallback

EXIT_CODE = 128 + signal.SIGTERM


class Terminated(Exception):
    """Raised between two batches of a training that was told to end."""


class Termination(TrainerCallback):
    """
    Ends a training after the batch that a SIGTERM finds it in, as schedulers of jobs send it some time before a
    SIGKILL. Before the first batch, there being nothing to save, the process ends at once.
    """

    def __init__(self, serialization_dir: str) -> None:
        super().__init__(serialization_dir)
        self._trains = self._is_told = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Within the block SIGTERM is listened for, where Python lets this thread do so."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGTERM, self._note)
        try:
            yield
            # The last batch is through, and all is saved.
            if self._is_told:
                raise SystemExit(EXIT_CODE)
        finally:
            signal.signal(signal.SIGTERM, before)

    def before_batch(self) -> None:
        """From here on there is something to save."""
        self._trains = True

    def on_batch(self, *args: Any, **kwargs: Any) -> None:
        """Raises `Terminated` where the process was told to end."""
        if self._is_told:
            raise Terminated

    def _note(self, number: int, frame: Optional[FrameType]) -> None:
        if not self._trains:
            raise SystemExit(EXIT_CODE)
        self._is_told = True
