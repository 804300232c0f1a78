from allennlp.data import Batch


def tensors_of(instances, vocab, *without):
    """What a model is given of a batch, but for the fields `without`."""
    batch = Batch(instances)
    batch.index_instances(vocab)
    return {name: tensor for name, tensor in batch.as_tensor_dict().items() if name not in without}
