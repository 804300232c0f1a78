from dataclasses import dataclass, field
from typing import List, NamedTuple, Optional


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
