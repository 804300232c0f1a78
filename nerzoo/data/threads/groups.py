from dataclasses import replace
from typing import Dict, List, Tuple

import numpy

from nerzoo.data.threads.thread import Thread


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
