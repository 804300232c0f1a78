from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

import numpy
from allennlp.common import Registrable

from nerzoo.errors import format_error, shortened
from nerzoo.formats.corpus import log_counts
from nerzoo.formats.lines import AnyPath, check_keys, json_objects, read_lines

START = "start"
"""The dialogue act of links to the head in corpora that do not annotate one."""

_KEYS = ("id", "group", "posts")
_POST_KEYS = ("id", "author", "title", "text", "links", "context")


class Link(NamedTuple):
    """A link of a post to the earlier post that it replies to, or to the virtual head, `None`, with a dialogue act."""

    to: Optional[str]
    act: str


@dataclass
class Post:
    """
    A post. Its `id` is unique in the thread. `links`, if known, are at least one, all to different posts. A post of the
    context is read but not tagged, and has no links.
    """

    id: str
    author: str
    text: str
    title: str = ""
    links: Optional[List[Link]] = None
    is_context: bool = False


@dataclass
class Thread:
    """
    Posts in order of time: those of the context, if any, then at least one other. The links of all others are known, or
    of none. After a context, a link may lead to a post before it, which the thread does not have. `group` is the name
    of a group of threads that overlap, which a cross-validation keeps in one fold; `source` has file, line and id.
    """

    id: str
    posts: List[Post]
    group: Optional[str] = None
    source: Optional[str] = field(default=None, compare=False, repr=False)

    @property
    def location(self) -> str:
        """The thread's name in error messages: its `source`, or its id."""
        return self.source or f"thread {self.id}"

    @property
    def is_linked(self) -> bool:
        """`True` if the links are known."""
        return all(post.links is not None for post in self.posts if not post.is_context)

    def without_links(self) -> "Thread":
        """Returns a copy whose links are not known."""
        return replace(self, posts=[replace(post, links=None) for post in self.posts])


class ThreadCorpus(Registrable):
    """The base class of file formats of threads: turns a file into threads. Subclasses implement `_threads`."""

    default_implementation = "jsonl"

    def read(self, path: AnyPath) -> Iterator[Thread]:
        """
        Yields the threads of a file: a local path or a URL. Logs at the end what was left out. Raises
        `ConfigurationError` where the file does not have the format, has no thread or an id twice, or only some of its
        threads have links.
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
        if first is None:
            raise format_error(path, "no thread", "at least one")
        log_counts(path, counts)

    def _threads(self, path: AnyPath, counts: Counter) -> Iterator[Thread]:
        """Yields the threads. Counts, by its description, what it leaves out or adapts."""
        raise NotImplementedError


@ThreadCorpus.register("jsonl")
class JsonlThreads(ThreadCorpus):
    """
    JSON lines: one thread per line, a JSON object that `thread_from_json` reads. An example:

        {"id": "t1", "posts": [
          {"id": "1", "author": "ann", "title": "No sound", "text": "Why?", "links": [{"to": null, "act": "question"}]},
          {"id": "2", "author": "bob", "text": "No driver.", "links": [{"to": "1", "act": "answer"}]}
        ]}

    The file may be gzipped. The object has `posts` in order of time, each with a unique `id`, an `author`, a `text`,
    which may be empty, and perhaps a `title`. The `links` of a post lead to the earlier posts that it replies to, each
    with a dialogue act; a post that replies to none, such as the first one, links to the virtual head, `null`. For
    predictions, no post of the file need have `links`. First posts with `"context": true` are read but not tagged, and
    have no links; then a link may also lead to a post before them. A thread may have an `id` and a `group`, common to
    threads that overlap, see `Thread`. Other keys are ignored, except for misspellings of these keys.
    """

    def _threads(self, path: AnyPath, counts: Counter) -> Iterator[Thread]:
        for line, obj in json_objects(read_lines(path)):
            yield thread_from_json(obj, line)


def thread_from_json(obj: Any, location: object) -> Thread:
    """Returns the thread in an object, see `JsonlThreads`. Errors name the location, which is also its default id."""
    if not isinstance(obj, dict):
        raise format_error(location, repr(obj), 'an object with an "id" and "posts"')
    id = str(location)
    if obj.get("id") is not None:
        id = _string(obj, "id", location)
        location = f"{location} (thread {shortened(id)})"
    check_keys(obj, _KEYS, location)
    values = obj.get("posts")
    if not isinstance(values, list) or not values:
        raise format_error(location, f"the posts {values!r}", "a list of at least one post")
    posts: List[Post] = []
    all_ids = {value["id"] for value in values if isinstance(value, dict) and isinstance(value.get("id"), str)}
    seen: Set[str] = set()
    for number, value in enumerate(values, start=1):
        post = _post(value, f"{location}: post {number}", seen, all_ids, bool(posts) and posts[0].is_context)
        place = f"{location}: post {post.id}"
        if post.is_context and posts and not posts[-1].is_context:
            raise format_error(place, "a post of the context after others", "the context first")
        first = next((earlier for earlier in posts if not earlier.is_context), post)
        if not post.is_context and (post.links is None) != (first.links is None):
            unlinked = post if post.links is None else first
            raise format_error(f"{location}: post {unlinked.id}", "no links", "links of every post or of none")
        posts.append(post)
        seen.add(post.id)
    if posts[-1].is_context:
        raise format_error(location, "nothing but a context", "a post to tag after it")
    group = None if obj.get("group") is None else _string(obj, "group", location)
    return Thread(id, posts, group, str(location))


def _post(value: Any, location: str, earlier: Set[str], all_ids: Set[str], has_context: bool) -> Post:
    if not isinstance(value, dict):
        raise format_error(location, repr(value), 'an object with an "id", an "author" and a "text"')
    id = _string(value, "id", location)
    location = f"{location} ({id})"
    if id in earlier:
        raise format_error(location, "the id of an earlier post", "an id of its own")
    check_keys(value, _POST_KEYS, location)
    title = "" if value.get("title") is None else value["title"]
    if not isinstance(title, str):
        raise format_error(location, f"the title {title!r}", "a string")
    if not isinstance(value.get("text"), str):
        raise format_error(location, f"the text {value['text']!r}" if "text" in value else "no text", "a string")
    is_context = value.get("context", False)
    if not isinstance(is_context, bool) or is_context and value.get("links") is not None:
        found = f"the context {is_context!r}" if not isinstance(is_context, bool) else "links of a post of the context"
        raise format_error(location, found, "true without links, or false")
    links = None
    if value.get("links") is not None:
        links = _links(value["links"], location, id, earlier, all_ids, has_context)
    return Post(id, _string(value, "author", location), value["text"], title, links, is_context)


def _links(values: Any, location: str, id: str, earlier: Set[str], all_ids: Set[str], has_context: bool) -> List[Link]:
    if not isinstance(values, list) or not values:
        expected = 'a list of at least one link, {"to": null, "act": ...} for a post that starts a conversation'
        raise format_error(location, f"the links {values!r}", expected)
    links: Dict[Optional[str], Link] = {}
    for value in values:
        if not isinstance(value, dict) or "to" not in value:
            raise format_error(location, f"the link {value!r}", '{"to": ..., "act": ...}')
        link = Link(value["to"], _string(value, "act", location))
        is_before_context = has_context and isinstance(link.to, str) and link.to not in all_ids
        if link.to is not None and not is_before_context and (not isinstance(link.to, str) or link.to not in earlier):
            if link.to == id:
                found = "a link of the post to itself"
            elif isinstance(link.to, str) and link.to in all_ids:
                found = f"a link to the later post {link.to!r}"
            else:
                found = f"a link to {link.to!r}, which is no post of the thread"
            raise format_error(location, found, "the id of an earlier post, or null for the head")
        if link.to in links:
            raise format_error(location, f"two links to {link.to!r}", "one")
        links[link.to] = link
    return list(links.values())


def _string(obj: Dict[str, Any], key: str, location: object) -> str:
    value = obj.get(key)
    if not isinstance(value, str) or not value.strip():
        found = f"the {key} {value!r}" if key in obj else f"no {key}"
        raise format_error(location, found, "a string that is not blank")
    return value


def thread_to_json(thread: Thread) -> Dict[str, Any]:
    """Turns a thread into an object that `thread_from_json` reads."""
    posts: List[Dict[str, Any]] = []
    for post in thread.posts:
        posts.append({"id": post.id, "author": post.author, "title": post.title, "text": post.text})
        if post.is_context:
            posts[-1]["context"] = True
        if post.links is not None:
            posts[-1]["links"] = [link._asdict() for link in post.links]
    group = {} if thread.group is None else {"group": thread.group}
    return {"id": thread.id, **group, "posts": posts}


def group_by_shared_posts(threads: List[Thread]) -> List[Thread]:
    """Gives threads that share a post, perhaps through others, the id of the first of them as `group`."""
    # A late import, since it takes long and few formats need it.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    # A graph of threads and posts, with an edge from each thread to each of its posts.
    nodes: Dict[Tuple[str, str], int] = {}
    rows, columns = [], []
    for row, thread in enumerate(threads):
        for post in thread.posts:
            rows.append(row)
            columns.append(nodes.setdefault((post.author, post.text), len(threads) + len(nodes)))
    size = len(threads) + len(nodes)
    edges = coo_array((numpy.ones(len(rows), dtype=int), (rows, columns)), shape=(size, size))
    _, components = connected_components(edges, directed=False)
    first: Dict[int, str] = {}
    return [
        replace(thread, group=first.setdefault(component, thread.id))
        for thread, component in zip(threads, components[: len(threads)].tolist(), strict=True)
    ]
