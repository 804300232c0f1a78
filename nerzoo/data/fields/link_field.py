from typing import Dict, List, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.data.fields import Field
from allennlp.nn.util import batch_tensor_dicts


class LinkField(Field[Dict[str, torch.Tensor]]):
    """
    What each post of a thread links to, and by which dialogue act.

    As tensors: `slots` and `acts`, both of shape (T, G), T posts with up to G links, the rest filled with -1.

    # Parameters

    links : `List[List[Tuple[int, str]]]`
        Of each post the slot, 0 for the head and i for the i-th post, and the act of every link.
    post_names : `List[str]`
        What the error message calls the posts.
    label_namespace : `str`, optional (default = `"labels"`)
    """

    __slots__ = ["links", "_label_namespace", "_post_names", "_act_ids"]

    def __init__(
        self, links: List[List[Tuple[int, str]]], post_names: List[str], label_namespace: str = "labels"
    ) -> None:
        self.links = links
        self._post_names = post_names
        self._label_namespace = label_namespace
        self._act_ids: List[List[int]] = []

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for links in self.links:
            for _, act in links:
                counter[self._label_namespace][act] += 1

    def index(self, vocab: Vocabulary) -> None:
        """Raises `ConfigurationError` where an act is not in the vocabulary."""
        known = vocab.get_token_to_index_vocabulary(self._label_namespace)
        for name, links in zip(self._post_names, self.links, strict=True):
            for _, act in links:
                if act not in known:
                    raise ConfigurationError(
                        f"{name}: found the dialogue act '{act}', which the model was not trained on; "
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
