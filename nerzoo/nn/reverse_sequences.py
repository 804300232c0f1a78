import torch


def reverse_sequences(inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
    """Reverses each row of inputs (B, T, D) within its length; padding stays where it is."""
    positions = torch.arange(mask.numel(), device=mask.device).view(mask.shape)
    # The first and the last word of a sentence of n change places, whose positions add up to 2 * first + n - 1.
    turned = torch.where(mask, 2 * positions[:, :1] + mask.sum(1, keepdim=True) - 1 - positions, positions)
    return inputs.flatten(0, 1).index_select(0, turned.flatten()).view_as(inputs)
