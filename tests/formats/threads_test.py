import gzip
import json
import re
from dataclasses import replace

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.paths import FIXTURES

from nerzoo.formats.threads import (
    JsonlThreads,
    Link,
    Post,
    Thread,
    ThreadCorpus,
    group_by_shared_posts,
    thread_from_json,
    thread_to_json,
)

THREADS = FIXTURES / "threads"
THREAD = Thread(
    "t1",
    [
        Post("p1", "ann", "Why?", "No sound", [Link(None, "question")]),
        Post("p2", "bob", "No driver.", links=[Link("p1", "answer")]),
        Post("p3", "ann", "Fine now.", links=[Link("p2", "thanks"), Link("p1", "solved"), Link(None, "other")]),
    ],
)


def write(tmp_path, *lines):
    path = tmp_path / "threads.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def post(id="a", **values):
    return {"id": id, "author": "ann", "text": "Hello", **values}


def link(to, act="x"):
    return [{"to": to, "act": act}]


def test_reads_what_the_docstring_shows(tmp_path):
    example = JsonlThreads.__doc__.partition("example:\n")[2].partition("The file")[0]
    (thread,) = JsonlThreads().read(write(tmp_path, example.replace("\n", " ")))
    assert thread == Thread(
        "t1",
        [
            Post("1", "ann", "Why?", "No sound", [Link(None, "question")]),
            Post("2", "bob", "No driver.", links=[Link("1", "answer")]),
        ],
    )


def test_is_the_default_format():
    assert isinstance(ThreadCorpus.by_name(ThreadCorpus.default_implementation)(), JsonlThreads)


def test_writes_what_it_reads():
    for thread in (THREAD, replace(THREAD, group="g")):
        assert thread_from_json(json.loads(json.dumps(thread_to_json(thread))), "input") == thread


def test_a_thread_without_links_or_id():
    thread = thread_from_json({"posts": [post(title=None), post("b", links=None)]}, "input")
    assert thread == Thread("input", [Post("a", "ann", "Hello"), Post("b", "ann", "Hello")])
    assert not thread.is_linked
    assert thread_from_json(thread_to_json(thread), "input") == thread


def test_a_thread_of_one_post():
    thread = thread_from_json({"id": "t", "posts": [post(links=link(None))]}, "input")
    assert thread == Thread("t", [Post("a", "ann", "Hello", links=[Link(None, "x")])])
    assert thread.is_linked


@pytest.mark.parametrize(
    ("posts", "place", "found", "expected"),
    [
        (None, "", "the posts None", "a list of at least one post"),
        ([], "", "the posts []", "a list of at least one post"),
        (["a"], ": post 1", "'a'", "an object"),
        ([post(id=None)], ": post 1", "the id None", "a string"),
        ([post(id=1)], ": post 1", "the id 1", "a string"),
        ([post(), post()], ": post 2 (a)", "the id of an earlier post", "an id of its own"),
        ([{"id": "a", "author": "ann"}], ": post 1 (a)", "no text", "a string"),
        ([post(text=3)], ": post 1 (a)", "the text 3", "a string"),
        ([post(context=1)], ": post 1 (a)", "the context 1", "true without links, or false"),
        (
            [post(context=True, links=[{"to": None, "act": "question"}])],
            ": post 1 (a)",
            "links of a post of the context",
            "true without links, or false",
        ),
        ([post(context=True)], "", "nothing but a context", "a post to tag after it"),
        ([post(), post(id="b", context=True)], ": post b", "a post of the context after others", "the context first"),
        ([{"id": "a", "text": "x"}], ": post 1 (a)", "no author", "a string that is not blank"),
        ([post(author="")], ": post 1 (a)", "the author ''", "a string that is not blank"),
        ([post(title=3)], ": post 1 (a)", "the title 3", "a string"),
        ([post(links=[])], ": post 1 (a)", "the links []", 'a list of at least one link, {"to": null'),
        ([post(links={})], ": post 1 (a)", "the links {}", "a list"),
        ([post(links=["a"])], ": post 1 (a)", "the link 'a'", '{"to": ..., "act": ...}'),
        ([post(links=[{"act": "x"}])], ": post 1 (a)", "the link {'act': 'x'}", '{"to": ..., "act": ...}'),
        ([post(links=[{"to": None}])], ": post 1 (a)", "no act", "a string"),
        ([post(links=link(None, 3))], ": post 1 (a)", "the act 3", "a string"),
        ([post(links=link("a"))], ": post 1 (a)", "a link of the post to itself", "the id of an earlier post"),
        ([post(links=link("b")), post("b")], ": post 1 (a)", "a link to the later post 'b'", "the id of an earlier"),
        (
            [post(links=link("b")), post("b", links=link("a"))],
            ": post 1 (a)",
            "a link to the later post 'b'",
            "the id of an earlier post, or null for the head",
        ),
        ([post(links=link("c"))], ": post 1 (a)", "a link to 'c', which is no post of the thread", "the id of an"),
        ([post(links=link(0))], ": post 1 (a)", "a link to 0, which is no post of the thread", "the id of an"),
        ([post(links=2 * link(None))], ": post 1 (a)", "two links to None", "one"),
        ([post(links=link(None)), post("b")], ": post b", "no links", "links of every post or of none"),
        ([post(), post("b", links=link("a"))], ": post a", "no links", "links of every post or of none"),
    ],
)
def test_what_is_wrong_with_a_post(tmp_path, posts, place, found, expected):
    path = write(tmp_path, json.dumps({"id": "good", "posts": [post()]}), "", json.dumps({"id": "t", "posts": posts}))
    message = re.escape(f"{path}:3 (thread t){place}: found {found}") + ".*, expected " + re.escape(expected)
    with pytest.raises(ConfigurationError, match=message):
        list(JsonlThreads().read(path))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1", ":1: found Expecting .* in column 3, expected a JSON object"),
        ("3", ":1: found 3, expected a JSON object"),
        (
            '{"id": "t", "group": "", "posts": [{"id": "a", "author": "b", "text": "c"}]}',
            r"\(thread t\): found the group",
        ),
        ('{"id": 7, "posts": []}', ":1: found the id 7, expected a string"),
    ],
)
def test_what_is_wrong_with_a_line(tmp_path, line, message):
    with pytest.raises(ConfigurationError, match=message):
        list(JsonlThreads().read(write(tmp_path, line)))


def test_two_threads_with_one_id_and_none_at_all(tmp_path):
    line = json.dumps({"id": "t", "posts": [post()]})
    with pytest.raises(ConfigurationError, match="found two threads with the id 't', expected a different id for each"):
        list(JsonlThreads().read(write(tmp_path, line, line)))
    with pytest.raises(ConfigurationError, match="found no thread, expected at least one"):
        list(JsonlThreads().read(write(tmp_path, "")))


@pytest.mark.parametrize("is_linked", [True, False])
def test_threads_with_and_without_links_in_one_file(tmp_path, is_linked):
    threads = [{"id": "t", "posts": [post()]}, {"id": "u", "posts": [post(links=link(None))]}]
    path = write(tmp_path, *map(json.dumps, threads if is_linked else threads[::-1]))
    message = "(thread u): found links, expected threads without links"
    if not is_linked:
        message = "(thread t): found no links, expected threads with links"
    with pytest.raises(ConfigurationError, match=re.escape(f"{path}:2 {message}")):
        list(JsonlThreads().read(path))


@pytest.mark.parametrize(("part", "threads", "posts"), [("train", 28, 155), ("dev", 6, 28), ("test", 6, 33)])
def test_the_fixture(part, threads, posts, tmp_path):
    path = THREADS / f"{part}.jsonl"
    read = list(JsonlThreads().read(path))
    assert (len(read), sum(len(thread.posts) for thread in read)) == (threads, posts)
    assert all(1 <= len(thread.posts) <= 8 for thread in read)
    (tmp_path / "copy.jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert list(JsonlThreads().read(tmp_path / "copy.jsonl.gz")) == read


def thread_by(id, *texts, author="ann"):
    return Thread(id, [Post(str(number), author, text) for number, text in enumerate(texts)])


def test_threads_that_share_a_post_and_those_between_are_a_group():
    threads = [
        thread_by("a", "one", "two"),
        thread_by("b", "three", "one"),
        thread_by("c", "five"),
        thread_by("d", "four", "three"),
        thread_by("e", "one", author="bob"),
        thread_by("f", "five", "five"),
    ]
    grouped = group_by_shared_posts(threads)
    assert [(thread.id, thread.group) for thread in grouped] == [
        ("a", "a"),
        ("b", "a"),
        ("c", "c"),
        ("d", "a"),
        ("e", "e"),
        ("f", "c"),
    ]
    assert [thread.posts for thread in grouped] == [thread.posts for thread in threads]
    assert all(thread.group is None for thread in threads)
