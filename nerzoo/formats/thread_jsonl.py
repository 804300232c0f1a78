from collections import Counter
from os import PathLike
from typing import Any, Dict, Iterator, List, Optional, Set, Union

from nerzoo.errors import format_error, shortened
from nerzoo.formats.json_text import JsonError, check_keys, parse_json
from nerzoo.formats.lines import Line, read_lines
from nerzoo.formats.threads import Link, Post, Thread, ThreadCorpus

_KEYS = ("id", "group", "posts")
_POST_KEYS = ("id", "author", "title", "text", "links")
_OBJECT = 'an object with an "id" and "posts"'
_TARGET = "the id of an earlier post, or null for the head"


@ThreadCorpus.register("jsonl")
class JsonlThreads(ThreadCorpus):
    """
    JSON lines: one thread per line, a JSON object that `thread_from_json` reads. An example:

        {"id": "t1", "posts": [
          {"id": "1", "author": "ann", "title": "No sound", "text": "Why?", "links": [{"to": null, "act": "question"}]},
          {"id": "2", "author": "bob", "text": "No driver.", "links": [{"to": "1", "act": "answer"}]}
        ]}

    The file may be gzipped. The object, which must be on one line, has these keys:

    - `posts`, in order of time, each with a unique `id`, an `author`, a `text` and, if it has one, a `title`;
    - `links` of each post, to the earlier posts that it replies to, each with a dialogue act. A post that replies to no
      post, such as the first post of a thread, links to the virtual head, `null`, also with an act. For predictions,
      links need not be known: then no post of the file has `links`;
    - `group`, optionally, beside the thread's `id`, common to threads that overlap: a cross-validation keeps them in
      one fold.

    Other keys are ignored, but for those that look like one of these misspelled.
    """

    def _threads(self, path: Union[str, PathLike], counts: Counter) -> Iterator[Thread]:
        for line in read_lines(path):
            if not line.is_blank:
                yield thread_from_json(_parse(line), line)


def thread_from_json(obj: Any, location: object) -> Thread:
    """
    Turns a JSON object into a thread.

    # Parameters

    obj : `Any`
        An object in the form that `JsonlThreads` describes.
    location : `object`
        The location of the object, for error messages; also the id of a thread without an id.

    # Raises

    `ConfigurationError` where a value has the wrong type, an id occurs twice, a post has no author or text, a link
    leads neither to an earlier post nor to the head, or only some of the posts have links.
    """
    if not isinstance(obj, dict):
        raise format_error(location, repr(obj), _OBJECT)
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
        posts.append(_post(value, f"{location}: post {number}", seen, all_ids))
        seen.add(posts[-1].id)
        if (posts[-1].links is None) != (posts[0].links is None):
            unlinked = posts[-1] if posts[-1].links is None else posts[0]
            raise format_error(f"{location}: post {unlinked.id}", "no links", "links of every post or of none")
    group = None if obj.get("group") is None else _string(obj, "group", location)
    return Thread(id, posts, group, str(location))


def thread_to_json(thread: Thread) -> Dict[str, Any]:
    """Turns a thread into an object that `thread_from_json` reads."""
    posts: List[Dict[str, Any]] = []
    for post in thread.posts:
        posts.append({"id": post.id, "author": post.author, "title": post.title, "text": post.text})
        if post.links is not None:
            posts[-1]["links"] = [link._asdict() for link in post.links]
    group = {} if thread.group is None else {"group": thread.group}
    return {"id": thread.id, **group, "posts": posts}


def _post(value: Any, location: str, earlier: Set[str], all_ids: Set[str]) -> Post:
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
    links = value.get("links")
    if links is not None:
        links = _links(links, location, id, earlier, all_ids)
    return Post(id, _string(value, "author", location), _string(value, "text", location), title, links)


def _links(values: Any, location: str, id: str, earlier: Set[str], all_ids: Set[str]) -> List[Link]:
    if not isinstance(values, list) or not values:
        expected = 'a list of at least one link, {"to": null, "act": ...} for a post that starts a conversation'
        raise format_error(location, f"the links {values!r}", expected)
    links: List[Link] = []
    linked: Set[Optional[str]] = set()
    for value in values:
        if not isinstance(value, dict) or "to" not in value:
            raise format_error(location, f"the link {value!r}", '{"to": ..., "act": ...}')
        link = Link(value["to"], _string(value, "act", location))
        if link.to is not None and (not isinstance(link.to, str) or link.to not in earlier):
            if link.to == id:
                found = "a link of the post to itself"
            elif isinstance(link.to, str) and link.to in all_ids:
                found = f"a link to the later post {link.to!r}"
            else:
                found = f"a link to {link.to!r}, which is no post of the thread"
            raise format_error(location, found, _TARGET)
        if link.to in linked:
            raise format_error(location, f"two links to {link.to!r}", "one")
        linked.add(link.to)
        links.append(link)
    return links


def _string(obj: Dict[str, Any], key: str, location: object) -> str:
    value = obj.get(key)
    if not isinstance(value, str) or not value.strip():
        raise format_error(
            location, f"the {key} {value!r}" if key in obj else f"no {key}", "a string that is not blank"
        )
    return value


def _parse(line: Line) -> Any:
    try:
        return parse_json(line.text)
    except JsonError as error:
        raise format_error(line, str(error), "a JSON object") from None
