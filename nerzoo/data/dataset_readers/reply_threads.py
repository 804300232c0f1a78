import re
from typing import Any, Dict, Iterable, List, Optional, cast

import torch
from allennlp.data import DatasetReader, Field, Instance, TokenIndexer, Tokenizer
from allennlp.data.fields import ListField, MetadataField, TensorField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.data.tokenizers import LettersDigitsTokenizer

from nerzoo.data.fields import NO_SLOT, LinkField, WordsField
from nerzoo.formats.threads import JsonlThreads, Post, Thread, ThreadCorpus

_URL = re.compile(r"(?:https?|ftp)://\S+|\bwww\.\S+", re.IGNORECASE)


@DatasetReader.register("reply_threads")
class ReplyThreadsReader(DatasetReader):
    """
    Reads one instance per thread, for models that find which post replies to which, and by which dialogue act (Liu et
    al., 2017, section 4). Its fields are `titles` and `texts` of the posts; `structure`, two features, and
    `punctuation`, three features, of each post; `is_context`, 1 for posts of the context, -1 at padding; `links` where
    they are known; and `metadata` with `thread_id`, `document_id`, the group of the thread if it has one, `post_ids`,
    the number of posts of the context, `num_context`, and, where links are known, `gold_links`: pairs of a target, the
    id of a post or `None` for the head, and an act, for each post.

    A link leads to a slot: 0 is the head, i the i-th post, `NO_SLOT` a post before the context. The links of a post are
    in the order of their targets, the most recent first: models are trained on the first link, and evaluated on all.

    # Parameters

    corpus : `ThreadCorpus`, optional (default = `JsonlThreads()`)
        The format of the files.
    tokenizer : `Tokenizer`, optional (default = `LettersDigitsTokenizer()`)
        Splits titles and texts into words.
    token_indexers : `Dict[str, TokenIndexer]`, optional (default = `{"tokens": SingleIdTokenIndexer()}`)
        Index the words of both titles and texts.
    count_words : `bool`, optional (default = `True`)
        Whether a vocabulary made from the instances has their words, or only their acts, as in `AnnotatedTextReader`.
    **kwargs
        `max_instances` and the other parameters of AllenNLP's `DatasetReader`.
    """

    def __init__(
        self,
        corpus: Optional[ThreadCorpus] = None,
        tokenizer: Optional[Tokenizer] = None,
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        count_words: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(manual_distributed_sharding=True, manual_multiprocess_sharding=True, **kwargs)
        self.corpus = corpus or JsonlThreads()
        self._tokenizer = tokenizer or LettersDigitsTokenizer()
        self._token_indexers = token_indexers or {"tokens": SingleIdTokenIndexer()}
        self._count_words = count_words

    def _read(self, file_path: str) -> Iterable[Instance]:
        for thread in self.shard_iterable(self.corpus.read(file_path)):
            yield self.text_to_instance(thread)

    def text_to_instance(self, thread: Thread) -> Instance:
        """Returns the instance of a thread."""
        posts = thread.posts
        metadata: Dict[str, Any] = {"document_id": thread.group or thread.id, "thread_id": thread.id}
        metadata["post_ids"] = [post.id for post in posts]
        metadata["num_context"] = sum(post.is_context for post in posts)
        # 1 if the author of a post wrote the first post, and the position of the post as a share of all posts.
        structure = [[post.author == posts[0].author, i / len(posts)] for i, post in enumerate(posts, start=1)]
        fields: Dict[str, Field] = {
            "titles": self._words([post.title for post in posts]),
            "texts": self._words([post.text for post in posts]),
            "structure": TensorField(torch.tensor(structure, dtype=torch.float)),
            "punctuation": TensorField(torch.tensor([_punctuation(post) for post in posts], dtype=torch.float)),
            "is_context": TensorField(torch.tensor([int(post.is_context) for post in posts]), padding_value=-1),
            "metadata": MetadataField(metadata),
        }
        if thread.is_linked:
            slots: Dict[Optional[str], int] = {None: 0, **{post.id: slot for slot, post in enumerate(posts, start=1)}}
            # The most recent first; those before the context, if any, last.
            ordered = [
                sorted(post.links or [], key=lambda link: (slots.get(link.to, NO_SLOT), link.act), reverse=True)
                for post in posts
            ]
            links = [[(slots.get(link.to, NO_SLOT), link.act) for link in post_links] for post_links in ordered]
            fields["links"] = LinkField(links, [f"{thread.location}: post {post.id}" for post in posts])
            metadata["gold_links"] = [list(map(tuple, post_links)) for post_links in ordered]
        return Instance(fields)

    def apply_token_indexers(self, instance: Instance) -> None:
        for name in ("titles", "texts"):
            for field in cast(Iterable[TextField], instance[name]):
                field.token_indexers = self._token_indexers

    def _words(self, texts: List[str]) -> ListField:
        words = map(self._tokenizer.tokenize, texts)
        return ListField([WordsField(text, first_counted=0 if self._count_words else len(text)) for text in words])


def _punctuation(post: Post) -> List[int]:
    """Returns the numbers of question marks, exclamation marks and URLs. Marks inside URLs do not count."""
    text, num_urls = _URL.subn(" ", f"{post.title} {post.text}")
    return [text.count("?"), text.count("!"), num_urls]
