import itertools
from collections import Counter, defaultdict
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterator, List, Set, Tuple, Union

from nerzoo.errors import format_error, shortened
from nerzoo.formats.json_text import JsonError, document_id, parse_json
from nerzoo.formats.lines import local_path, read_lines
from nerzoo.formats.threads import START, Link, Post, Thread, ThreadCorpus, group_by_shared_posts

UNNAMED = "?"
"""The author of utterances whose speaker has no name."""


@ThreadCorpus.register("molweni")
class MolweniThreads(ThreadCorpus):
    """
    The format of Molweni, multi-party dialogues with discourse dependencies (Li et al., 2020): a JSON file, perhaps
    gzipped, with a list of dialogues, each with its `id`, `edus` and `relations`; or a folder with such files, whose
    names have `.json` in them.

    An utterance is a post without a title, and its id is its number, from 0. A discourse relation from x to y is a link
    of y to x, and its type is the dialogue act. Utterances at the end of no relation, the first utterance of each
    dialogue and few others, link to the head with the act `"start"`. Speakers without a name are called `"?"`.

    # Parameters

    group_shared_posts : `bool`, optional (default = `False`)
        Whether dialogues that share an utterance, of which there are many, are a group, which no cross-validation
        parts; see `group_by_shared_posts`.
    """

    def __init__(self, group_shared_posts: bool = False) -> None:
        self._group_shared_posts = group_shared_posts

    def _threads(self, path: Union[str, PathLike], counts: Counter) -> Iterator[Thread]:
        local = Path(local_path(path))
        files = sorted(filter(Path.is_file, local.glob("*.json*"))) if local.is_dir() else [path]
        threads = itertools.chain.from_iterable(self._file(file, counts) for file in files)
        yield from group_by_shared_posts(list(threads)) if self._group_shared_posts else threads

    def _file(self, path: Union[str, PathLike], counts: Counter) -> Iterator[Thread]:
        try:
            dialogues = parse_json("\n".join(line.text for line in read_lines(path)))
        except JsonError as error:
            raise format_error(f"{path}:{error.line}", str(error), "a JSON list of dialogues") from None
        if not isinstance(dialogues, list):
            raise format_error(path, repr(type(dialogues).__name__), "a JSON list of dialogues")
        for number, dialogue in enumerate(dialogues, start=1):
            yield _thread(dialogue, f"{path}: dialogue {number}", counts)


def _thread(dialogue: Any, location: str, counts: Counter) -> Thread:
    try:
        id, utterances, relations = dialogue["id"], dialogue["edus"], dialogue["relations"]
        spoken = [(utterance["speaker"].strip(), utterance["text"]) for utterance in utterances]
        relations = [(relation["x"], relation["y"], relation["type"]) for relation in relations]
    except (KeyError, TypeError, AttributeError) as error:
        expected = '"id", "edus" with "speaker" and "text", and "relations" with "x", "y" and "type"'
        raise format_error(location, f"{type(error).__name__} {error}", expected) from None
    id = document_id(dialogue, "id", location)
    if id is None:
        raise format_error(location, "the id null", "a string or a number")
    location = f"{location} (thread {shortened(id)})"
    if not spoken:
        raise format_error(location, "no utterance", "at least one")
    links: Dict[int, List[Link]] = defaultdict(list)
    related: Set[Tuple[int, int]] = set()
    for x, y, relation in relations:
        if not (type(x) is type(y) is int and 0 <= x < y < len(spoken)):
            expected = f"one from an utterance to a later one, 0 <= x < y < {len(spoken)}"
            raise format_error(location, f"a relation from {x!r} to {y!r}", expected)
        if not isinstance(relation, str) or not relation:
            raise format_error(location, f"a relation from {x} to {y} of type {relation!r}", "the name of a type")
        if (x, y) in related:
            raise format_error(location, f"two relations from {x} to {y}", "one")
        related.add((x, y))
        links[y].append(Link(str(x), relation))
    posts = []
    for number, (speaker, text) in enumerate(spoken):
        if not isinstance(text, str) or not text.strip():
            raise format_error(f"{location}: utterance {number}", f"the text {text!r}", "a text that is not blank")
        counts["utterances by a speaker without a name"] += not speaker
        if number not in links:
            links[number] = [Link(None, START)]
            counts["utterances but the first of a dialogue link to the head"] += number > 0
        posts.append(Post(str(number), speaker or UNNAMED, text, links=links[number]))
    return Thread(id, posts, source=location)
