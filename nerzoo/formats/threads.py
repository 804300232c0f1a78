import logging
from collections import Counter
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

import numpy
from allennlp.common import Registrable

from nerzoo.errors import format_error


class Link(NamedTuple):
    """A reply of a post to an earlier post."""

    to: Optional[str]
    """The id of the earlier post, or `None` for the virtual head, to which a post that starts a conversation links."""
    act: str
    """The dialogue act."""


@dataclass
class Post:
    """
    A post of a thread.

    # Parameters

    id : `str`
        Unique in its thread.
    author : `str`
    text : `str`
    title : `str`, optional (default = `""`)
    links : `List[Link]`, optional
        At least one link, all to different posts; `None` where links are not known.
    """

    id: str
    author: str
    text: str
    title: str = ""
    links: Optional[List[Link]] = None


@dataclass
class Thread:
    """
    A thread: posts in order of time.

    # Parameters

    id : `str`
    posts : `List[Post]`
        At least one post. The links of all posts are known, or of none.
    group : `str`, optional
        The name of a group of threads that overlap; a cross-validation keeps them in one fold.
    source : `str`, optional
        File, line and id.
    """

    id: str
    posts: List[Post]
    group: Optional[str] = None
    source: Optional[str] = field(default=None, compare=False, repr=False)

    @property
    def location(self) -> str:
        """The thread's `source`, or its id: its name in error messages."""
        return self.source or f"thread {self.id}"

    @property
    def is_linked(self) -> bool:
        """Whether the links are known."""
        return all(post.links is not None for post in self.posts)


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


def group_by_shared_posts(threads: List[Thread]) -> List[Thread]:
    """
    Groups threads that share a post, the same text by the same author, directly or by way of other threads. Returns the
    threads with the id of the first thread of their group as `group`.
    """
    # Imported here, since it takes long and only the conversion of threads groups them.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    posts: Dict[Tuple[str, str], int] = {}
    columns = [
        posts.setdefault((post.author, post.text), len(threads) + len(posts))
        for thread in threads
        for post in thread.posts
    ]
    rows = numpy.repeat(numpy.arange(len(threads)), [len(thread.posts) for thread in threads])
    size = len(threads) + len(posts)
    # A graph of threads and posts, with an edge from each thread to each of its posts.
    edges = coo_array((numpy.ones(len(rows), dtype=int), (rows, columns)), shape=(size, size))
    _, components = connected_components(edges, directed=False)
    first: Dict[int, str] = {}
    return [
        replace(thread, group=first.setdefault(component, thread.id))
        for thread, component in zip(threads, components[: len(threads)].tolist(), strict=True)
    ]
