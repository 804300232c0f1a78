import logging
from collections import Counter
from os import PathLike
from typing import Iterator, Union

from allennlp.common import Registrable

from nerzoo.data.lines import format_error
from nerzoo.data.threads.thread import Thread

logger = logging.getLogger(__name__)

START = "start"
"""The dialogue act of links to the head in corpora that do not annotate one."""


class ThreadCorpus(Registrable):
    """The base class of file formats of threads: turns a file into threads. Only its subclass knows a format."""

    default_implementation = "jsonl"

    def read(self, path: Union[str, PathLike]) -> Iterator[Thread]:
        """
        Yields the threads of a file. Logs at the end the counts that the format keeps.

        # Parameters

        path : `Union[str, PathLike]`
            A local path or a URL.

        # Raises

        `ConfigurationError` where the file is not in the format, has no thread or two threads with the same id, or only
        some of its threads have links.
        """
        counts: Counter = Counter()
        ids = set()
        first = None
        for thread in self._threads(path, counts):
            if thread.id in ids:
                raise format_error(path, f"two threads with the id {thread.id!r}", "a different id for each")
            ids.add(thread.id)
            first = first or thread
            if thread.is_linked != first.is_linked:
                found, others = ("links", "without") if thread.is_linked else ("no links", "with")
                raise format_error(thread.location, found, f"threads {others} links, as those before in the file")
            yield thread
        if not ids:
            raise format_error(path, "no thread", "at least one")
        mentioned = [f"{count} {what}" for what, count in sorted(counts.items()) if count]
        if mentioned:
            logger.info("%s: %s", path, ", ".join(mentioned))

    def _threads(self, path: Union[str, PathLike], counts: Counter) -> Iterator[Thread]:
        """Yields the threads. Counts in `counts`, by their description, the things to be logged."""
        raise NotImplementedError
