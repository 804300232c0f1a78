"""A command that is asked to end does so at once, without a traceback."""

import signal
from types import FrameType
from typing import Optional

from allennlp.common import util


def _exit_on_sigterm(number: int, frame: Optional[FrameType]) -> None:
    raise SystemExit(128 + number)


# common/util.py, _handle_sigterm: raises SigTermReceived, which ends a command with a traceback and exit code 1, after
# it has made an archive of a run that is not at its end.
if signal.getsignal(signal.SIGTERM) is util._handle_sigterm:
    signal.signal(signal.SIGTERM, _exit_on_sigterm)
util._handle_sigterm = _exit_on_sigterm
