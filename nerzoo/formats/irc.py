import re
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterator, List, Set

from nerzoo.errors import check_range, format_error
from nerzoo.formats.lines import AnyPath, Line, local_path, read_lines
from nerzoo.formats.threads import START, Link, Post, Thread, ThreadCorpus

REPLY = "reply"
_ANNOTATION, _MESSAGES = ".annotation.txt", ".ascii.txt"

# Messages of a person, messages of the server, actions of a person, messages pasted from a client, and notices.
_MESSAGE = re.compile(
    r"""
      \[\d\d:\d\d\]\ <(?P<says>[^>]+)>
    | (?P<system>===)
    | \[\d\d:\d\d\]\s+\*\ ?(?P<does>\S+)
    | \[\d\d:\d\d\]\ \((?P<pasted>[^\s/]+)/\#\S+\)
    | \[\d\d:\d\d\]\ -(?P<notice>[^\s:]+):\#\S+-
    """,
    re.VERBOSE,
)


@ThreadCorpus.register("irc")
class IrcThreads(ThreadCorpus):
    """
    The format of the IRC logs with reply links of Kummerfeld et al., "A Large-Scale Corpus for Conversation
    Disentanglement" (2019): a file `X.annotation.txt` beside its log `X.ascii.txt`, or a folder with such files, which
    may be in an archive: `archive.tar.gz!data/train`.

    A log interleaves many conversations. Its annotated part, from the first to the last message that is annotated as a
    reply or as a start, is cut into threads of `max_posts` messages. Before each thread come the `context` messages of
    the log before it, annotated or not, as a context. A reply to an earlier message is a link to no post of the thread,
    which counts as missed; it is none that a model learns. Other messages outside that part are left out.

    The id of a post is the number of its line in the log, counted from 0. The id of a thread is `X.N`, N being its
    first annotated message, and its group is X. Links have the act `"reply"`, and links to the head `"start"`. Messages
    of the system have the author `"==="`. The text of a message without words is its whole line. Raises
    `ConfigurationError` where `max_posts` is below one, or `context` below zero.

    # Parameters

    max_posts : `int`, optional (default = `250`)
        The number of annotated messages of a thread.
    context : `int`, optional (default = `100`)
        The number of messages before it. Of the replies of the corpus, one of a hundred goes back further.
    """

    def __init__(self, max_posts: int = 250, context: int = 100) -> None:
        check_range("max_posts", max_posts, 1)
        check_range("context", context, 0)
        self._max_posts = max_posts
        self._context = context

    def _threads(self, path: AnyPath, counts: Counter) -> Iterator[Thread]:
        local = Path(local_path(path, extract_archive=True))
        files = sorted(filter(Path.is_file, local.rglob(f"*{_ANNOTATION}"))) if local.is_dir() else [local]
        for file in files:
            if not file.name.endswith(_ANNOTATION):
                raise format_error(path, f"the file name {file.name}", f"one that ends in {_ANNOTATION}")
            yield from self._log(file, counts)

    def _log(self, file: Path, counts: Counter) -> Iterator[Thread]:
        name = file.name.removesuffix(_ANNOTATION)
        messages = list(read_lines(file.with_name(name + _MESSAGES)))
        targets = _targets(file, len(messages))
        if not targets:
            return
        first, end = min(targets), max(targets) + 1
        used: Set[int] = set()
        for start in range(first, end, self._max_posts):
            piece = range(start, min(start + self._max_posts, end))
            context = range(max(start - self._context, 0), start)
            unannotated = sum(not targets[number] for number in piece)
            distant = sum(target < context.start for number in piece for target in targets[number])
            counts["replies to messages before the context of their thread"] += distant
            counts["messages without annotation among annotated ones, read as starts"] += unannotated
            posts = [
                replace(_post(messages[number], number, set(), counts), links=None, is_context=True)
                for number in context
            ]
            posts += [_post(messages[number], number, targets[number], counts) for number in piece]
            used.update(context, piece)
            yield Thread(f"{name}.{start}", posts, name, f"{file} (thread {name}.{start})")
        counts["messages outside of the annotated part"] += len(messages) - len(used)


def _targets(file: Path, num_messages: int) -> Dict[int, Set[int]]:
    """Returns the targets of each annotated message's replies: the message itself, if it starts a conversation."""
    targets: Dict[int, Set[int]] = defaultdict(set)
    for line in read_lines(file):
        if line.is_blank:
            continue
        match = re.match(r"\s*(\d{1,9})\s+(\d{1,9})(\s|$)", line.text)
        numbers = sorted(map(int, match.groups()[:2])) if match else []
        if not numbers or numbers[1] >= num_messages:
            raise format_error(line, repr(line.text), f"two numbers of messages, from 0 to {num_messages - 1}")
        targets[numbers[1]].add(numbers[0])
    return targets


def _post(line: Line, number: int, targets: Set[int], counts: Counter) -> Post:
    match = _MESSAGE.match(line.text)
    if match is None or match.lastgroup is None:
        raise format_error(line, repr(line.text), "a message, an action, a notice or a line of the system")
    text = line.text[match.end() :].strip()
    counts["messages without words"] += not text
    links: List[Link] = [Link(str(target), REPLY) for target in sorted(targets) if target != number]
    if number in targets or not targets:
        links.append(Link(None, START))
    return Post(str(number), match[match.lastgroup], text or line.text, links=links)
