from nerzoo.data.threads.groups import group_by_shared_posts
from nerzoo.data.threads.irc import IrcThreads
from nerzoo.data.threads.jsonl import JsonlThreads, thread_from_json, thread_to_json
from nerzoo.data.threads.molweni import MolweniThreads
from nerzoo.data.threads.thread import Link, Post, Thread
from nerzoo.data.threads.thread_corpus import START, ThreadCorpus

__all__ = [
    "IrcThreads",
    "JsonlThreads",
    "Link",
    "MolweniThreads",
    "Post",
    "START",
    "Thread",
    "ThreadCorpus",
    "group_by_shared_posts",
    "thread_from_json",
    "thread_to_json",
]
