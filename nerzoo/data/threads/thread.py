from dataclasses import dataclass, field
from typing import List, NamedTuple, Optional


class Link(NamedTuple):
    """What a post replies to, and in what way."""

    to: Optional[str]
    """The id of an earlier post, or `None` for the virtual head, to which a post links that starts a conversation."""
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
        One at least, to different posts; `None` where they are not known.
    """

    id: str
    author: str
    text: str
    title: str = ""
    links: Optional[List[Link]] = None


@dataclass
class Thread:
    """
    Posts in the order of time.

    # Parameters

    id : `str`
    posts : `List[Post]`
        One at least. The links of all are known, or of none.
    group : `str`, optional
        What it shares with threads that overlap with it, so that they should not be parted in a cross-validation.
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
