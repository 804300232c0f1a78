import logging
import re
import tarfile
from collections import Counter

import pytest
from allennlp.common import file_utils
from allennlp.common.checks import ConfigurationError
from helpers.paths import REAL_DATA

from nerzoo.formats.irc import IrcThreads
from nerzoo.formats.threads import START, Link, Post, Thread, thread_from_json, thread_to_json

DATA = REAL_DATA / "irc_disentanglement/ubuntu-ascii-annotation.tar.gz"
LOG = [
    "[10:00] <ann> before all",
    "[10:00] <bob> what is this?",
    "=== cy [cy@example.org] has joined #chat",
    "[10:01] <ann> a test",
    "[10:01]  * bob nods",
    "[10:02] (cy/#chat) pasted",
    "[10:02] -dee:#chat- a notice",
    "[10:03] <bob>",
    "[10:03] <ann> after all",
]
ANNOTATION = ["2 2 -", "1 3 -", "4 3 -", "4 1 -", "5 5 -", "2 5 -", "", "7 4 -"]
HEAD, REPLY = Link(None, START), "reply"
POSTS = {
    1: Post("1", "bob", "what is this?", links=[HEAD]),
    2: Post("2", "===", "cy [cy@example.org] has joined #chat", links=[HEAD]),
    3: Post("3", "ann", "a test", links=[Link("1", REPLY)]),
    4: Post("4", "bob", "nods", links=[Link("1", REPLY), Link("3", REPLY)]),
    5: Post("5", "cy", "pasted", links=[Link("2", REPLY), HEAD]),
    6: Post("6", "dee", "a notice", links=[HEAD]),
    7: Post("7", "bob", "[10:03] <bob>", links=[Link("4", REPLY)]),
}


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, LOG, ANNOTATION)
    return tmp_path


def write(folder, log, annotation, name="day"):
    (folder / f"{name}.ascii.txt").write_text("".join(f"{line}\n" for line in log))
    (folder / f"{name}.annotation.txt").write_text("".join(f"{line}\n" for line in annotation))


BEFORE_ALL = Post("0", "ann", "before all", is_context=True)


def as_context(number):
    return Post(POSTS[number].id, POSTS[number].author, POSTS[number].text, is_context=True)


def test_the_thread_is_the_annotated_part_after_a_context(folder, caplog):
    with caplog.at_level(logging.INFO):
        (thread,) = IrcThreads().read(folder / "day.annotation.txt")
    assert thread == Thread("day.2", [BEFORE_ALL, as_context(1), *[POSTS[number] for number in range(2, 8)]], "day")
    (message,) = (message for message in caplog.messages if "day" in message)
    for expected in (
        "1 messages outside of the annotated part",
        "1 messages without words",
        "1 messages without annotation among annotated ones, read as starts",
    ):
        assert expected in message


def test_long_logs_are_cut_without_losing_a_link(folder, caplog):
    """The context is as long whatever the gold links are; links to messages before it stay."""
    with caplog.at_level(logging.INFO):
        threads = list(IrcThreads(max_posts=3, context=1).read(folder))
    assert threads == [
        Thread("day.2", [as_context(1), POSTS[2], POSTS[3], POSTS[4]], "day"),
        Thread("day.5", [as_context(4), POSTS[5], POSTS[6], POSTS[7]], "day"),
    ]
    assert "1 replies to messages before the context of their thread" in caplog.text
    assert [thread_from_json(thread_to_json(thread), "line") for thread in threads] == threads
    (alone, _) = IrcThreads(max_posts=3, context=0).read(folder)
    assert alone.posts == [POSTS[2], POSTS[3], POSTS[4]]


def test_reads_all_logs_of_a_folder_or_an_archive(folder, monkeypatch):
    (folder / "more").mkdir()
    write(folder / "more", LOG, ANNOTATION, "next")
    write(folder, LOG, [], "without")
    expected = list(IrcThreads().read(folder))
    assert [thread.id for thread in expected] == ["day.2", "next.2"]
    with tarfile.open(folder / "logs.tar.gz", "w:gz") as archive:
        archive.add(folder / "more", "data/more")
    monkeypatch.setattr(file_utils, "CACHE_DIRECTORY", folder / "cache")
    assert list(IrcThreads().read(f"{folder}/logs.tar.gz!data/more")) == expected[1:]


@pytest.mark.parametrize(
    ("log", "annotation", "message"),
    [
        (LOG, ["2 2 -", "3 -"], "day.annotation.txt:2: found '3 -', expected two numbers of messages, from 0 to 8"),
        (LOG, ["2 9 -"], "day.annotation.txt:1: found '2 9 -', expected two numbers of messages, from 0 to 8"),
        (["hello"], ["0 0 -"], "day.ascii.txt:1: found 'hello', expected a message, an action"),
        (LOG, [], ": found no thread, expected at least one"),
    ],
)
def test_what_is_wrong_with_a_file(tmp_path, log, annotation, message):
    write(tmp_path, log, annotation)
    with pytest.raises(ConfigurationError, match=re.escape(message)):
        list(IrcThreads().read(tmp_path))


def test_the_wrong_file_and_the_wrong_length(folder):
    with pytest.raises(ConfigurationError, match="found the file name day.ascii.txt, expected one that ends in .annot"):
        list(IrcThreads().read(folder / "day.ascii.txt"))
    with pytest.raises(ConfigurationError, match="found the max_posts 0, expected at least 1"):
        IrcThreads(max_posts=0)


@pytest.mark.skipif(not DATA.exists(), reason="needs the data in ../shared/data/irc_disentanglement")
def test_the_real_files(tmp_path_factory, monkeypatch):
    monkeypatch.setattr(file_utils, "CACHE_DIRECTORY", tmp_path_factory.mktemp("cache"))
    threads = {part: list(IrcThreads().read(f"{DATA}!data/{part}")) for part in ("train", "dev", "test")}
    # 10 logs of 250 annotated messages and 10 of 500.
    assert [len(threads[part]) for part in ("train", "dev", "test")] == [299, 10, 20]
    links = Counter(link.act for thread in threads["dev"] for post in thread.posts for link in post.links or [])
    assert links == {"reply": 2145, "start": 462}
    # The annotated part of each log begins at message 1,000.
    assert sum(len(thread.posts) for thread in threads["dev"]) == 2500 + 10 * 100
    for thread in threads["train"]:
        assert thread_from_json(thread_to_json(thread), "input") == thread
