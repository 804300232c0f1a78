from typing import Any, Dict, List, Sequence

import torch
from allennlp.data.fields import Field

from nerzoo.nn.trees import tree_levels


class LevelsField(Field[Any]):
    """
    A field of the levels of the dependency tree of a sentence. A batch of them is the `TreeLevels` of all its trees,
    which are found here, on the CPU, by the process that loads the data: an encoder that found them out from the heads
    would have to wait for a GPU to give those back.

    # Parameters

    heads : `Sequence[int]`
        The position of each token's head, counted from 1; 0 is the root.

    # Raises

    `ValueError` where a head lies outside the sentence.
    """

    __slots__ = ["heads"]

    def __init__(self, heads: Sequence[int]) -> None:
        if heads and not 0 <= min(heads) <= max(heads) <= len(heads):
            raise ValueError("A head lies outside its sentence.")
        self.heads = heads

    def get_padding_lengths(self) -> Dict[str, int]:
        return {"num_tokens": len(self.heads)}

    def as_tensor(self, padding_lengths: Dict[str, int]) -> torch.Tensor:
        """The heads, shape (T,), -1 at padding."""
        padding = padding_lengths["num_tokens"] - len(self.heads)
        return torch.tensor([*self.heads, *[-1] * padding])

    def batch_tensors(self, tensor_list: List[torch.Tensor]) -> Any:
        """Raises `ValueError` where the heads of a sentence form a cycle."""
        heads = torch.stack(tensor_list)
        return tree_levels(heads, heads >= 0)

    def __len__(self) -> int:
        return len(self.heads)
