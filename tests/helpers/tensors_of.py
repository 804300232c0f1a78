from allennlp.data import Batch


def tensors_of(instances, vocab, *without):
    """Returns the input of a model for a batch, except for the fields `without`."""
    batch = Batch(instances)
    batch.index_instances(vocab)
    return {name: tensor for name, tensor in batch.as_tensor_dict().items() if name not in without}
