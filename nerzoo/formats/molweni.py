from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Dict, Iterator, List, Set, Tuple

from nerzoo.errors import format_error, shortened
from nerzoo.formats.lines import AnyPath, document_id, json_list, local_path
from nerzoo.formats.threads import START, Link, Post, Thread, ThreadCorpus, group_by_shared_posts


@ThreadCorpus.register("molweni")
class MolweniThreads(ThreadCorpus):
    """
    The format of Molweni, multi-party dialogues with discourse dependencies (Li et al., 2020): a JSON file, perhaps
    gzipped, with a list of dialogues, each with its `id`, `edus` and `relations`; or a folder with such files, whose
    names have `.json` in them.

    An utterance is a post without a title, and its id is its number, from 0. A discourse relation from x to y is a link
    of y to x, and its type is the dialogue act. Utterances to which no relation leads, mostly first ones, link to the
    head with the act `"start"`. Speakers without a name are called `"?"`.

    # Parameters

    group_shared_posts : `bool`, optional (default = `False`)
        Whether dialogues that share an utterance, as many do, are a group, which no cross-validation divides.
    """

    def __init__(self, group_shared_posts: bool = False) -> None:
        self._group_shared_posts = group_shared_posts

    def _threads(self, path: AnyPath, counts: Counter) -> Iterator[Thread]:
        local = Path(local_path(path))
        files = sorted(filter(Path.is_file, local.glob("*.json*"))) if local.is_dir() else [path]
        threads = (
            _thread(dialogue, f"{file}: dialogue {number}", counts)
            for file in files
            for number, dialogue in enumerate(json_list(file, "dialogues"), start=1)
        )
        yield from group_by_shared_posts(list(threads)) if self._group_shared_posts else threads


def _thread(dialogue: Any, location: str, counts: Counter) -> Thread:
    try:
        spoken = [(utterance["speaker"].strip(), utterance["text"]) for utterance in dialogue["edus"]]
        relations = [(relation["x"], relation["y"], relation["type"]) for relation in dialogue["relations"]]
        id = document_id(dialogue, "id", location)
    except (KeyError, TypeError, AttributeError) as error:
        expected = '"id", "edus" with "speaker" and "text", and "relations" with "x", "y" and "type"'
        raise format_error(location, f"{type(error).__name__} {error}", expected) from None
    if id is None:
        raise format_error(location, "no id", "a string or a number")
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
        if not isinstance(text, str):
            raise format_error(f"{location}: utterance {number}", f"the text {text!r}", "a string")
        is_start = number > 0 and number not in links
        counts["utterances by a speaker without a name"] += not speaker
        counts["utterances without a relation, except for first ones, read as starts"] += is_start
        posts.append(Post(str(number), speaker or "?", text, links=links.get(number, [Link(None, START)])))
    return Thread(id, posts, source=location)
