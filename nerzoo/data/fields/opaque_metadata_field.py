from typing import Dict

from allennlp.data.fields import MetadataField


class OpaqueMetadataField(MetadataField):
    """
    A `MetadataField` that stands in a batch itself, where it is read like the dictionary that it holds.

    AllenNLP's `move_to_device` looks for tensors at every word of a dictionary, which takes a small tagger a tenth of
    its time; into a field it does not look.
    """

    __slots__ = []

    def as_tensor(self, padding_lengths: Dict[str, int]) -> "OpaqueMetadataField":
        return self
