from typing import Dict, List, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.data.fields import Field
from allennlp.nn.util import batch_tensor_dicts


class LinkField(Field[Dict[str, torch.Tensor]]):
    """
    A field of the links of the T posts of a thread.

    It has two tensors of shape (T, G), G being the largest number of links of a post: `slots`, the slot that each link
    leads to, and `acts`, the index of its dialogue act; -1 where a post has fewer links.

    # Parameters

    links : `List[List[Tuple[int, str]]]`
        For each post the slot, 0 for the head and i for the i-th post, and the dialogue act of each of its links.
    locations : `List[str]`
        The location of each post, for error messages.
    label_namespace : `str`, optional (default = `"labels"`)
        The namespace of dialogue acts.
    """

    __slots__ = ["links", "_label_namespace", "_locations", "_act_ids"]

    def __init__(
        self, links: List[List[Tuple[int, str]]], locations: List[str], label_namespace: str = "labels"
    ) -> None:
        self.links = links
        self._locations = locations
        self._label_namespace = label_namespace
        self._act_ids: List[List[int]] = []

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for links in self.links:
            for _, act in links:
                counter[self._label_namespace][act] += 1

    def index(self, vocab: Vocabulary) -> None:
        """Raises `ConfigurationError` where an act is not in the vocabulary."""
        known = vocab.get_token_to_index_vocabulary(self._label_namespace)
        for location, links in zip(self._locations, self.links, strict=True):
            for _, act in links:
                if act not in known:
                    raise ConfigurationError(
                        f"{location}: found the dialogue act '{act}', which the model was not trained on; "
                        f"expected one of {', '.join(known)}"
                    )
        self._act_ids = [[known[act] for _, act in links] for links in self.links]

    def get_padding_lengths(self) -> Dict[str, int]:
        return {"num_posts": len(self.links), "num_links": max(map(len, self.links))}

    def as_tensor(self, padding_lengths: Dict[str, int]) -> Dict[str, torch.Tensor]:
        shape = padding_lengths["num_posts"], padding_lengths["num_links"]
        slots = [[slot for slot, _ in links] for links in self.links]
        return {"slots": _padded(slots, shape), "acts": _padded(self._act_ids, shape)}

    def batch_tensors(self, tensor_list: List[Dict[str, torch.Tensor]]) -> Dict[str, torch.Tensor]:
        return batch_tensor_dicts(tensor_list)

    def __len__(self) -> int:
        return len(self.links)


def _padded(rows: List[List[int]], shape: Tuple[int, int]) -> torch.Tensor:
    num_rows, length = shape
    padded = [row + [-1] * (length - len(row)) for row in rows]
    return torch.tensor(padded + [[-1] * length] * (num_rows - len(rows)))
