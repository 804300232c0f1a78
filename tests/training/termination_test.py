import os
import signal
import threading

import pytest

from nerzoo.training.resuming import EXIT_CODE, Terminated, Termination


def terminate():
    os.kill(os.getpid(), signal.SIGTERM)


def test_before_the_first_batch_it_ends_at_once():
    with pytest.raises(SystemExit) as end, Termination("").listening():
        terminate()
        pytest.fail("not reached")
    assert end.value.code == EXIT_CODE == 143


def test_within_a_batch_it_ends_after_it():
    before, reached = signal.getsignal(signal.SIGTERM), []
    termination = Termination("")
    with pytest.raises(Terminated), termination.listening():
        termination.before_batch()
        termination.on_batch()
        terminate()
        reached.append("the rest of the batch")
        termination.on_batch()
        pytest.fail("not reached")
    assert reached and signal.getsignal(signal.SIGTERM) is before


def test_after_the_last_batch_it_ends_when_all_is_saved():
    termination, reached = Termination(""), []
    with pytest.raises(SystemExit) as end, termination.listening():
        termination.before_batch()
        terminate()
        reached.append("saved")
    assert reached and end.value.code == EXIT_CODE


def test_other_threads_cannot_listen():
    reached = []

    def train():
        with Termination("").listening():
            reached.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=train)
    thread.start()
    thread.join()
    assert reached == [signal.getsignal(signal.SIGTERM)]
