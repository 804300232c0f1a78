from allennlp.data import Instance
from allennlp.data.fields import TextField
from allennlp.data.samplers import BatchSampler
from allennlp.data.tokenizers import Token

import nerzoo.components  # noqa: F401


def test_an_instance_that_is_too_large_is_a_batch_of_its_own():
    lengths = [3, 1, 1]
    instances = [Instance({"tokens": TextField([Token("w")] * length, {})}) for length in lengths]
    sampler = BatchSampler.by_name("max_tokens_sampler")(max_tokens=2, sorting_keys=["tokens"], padding_noise=0)
    assert sorted(map(sorted, sampler.get_batch_indices(instances))) == [[0], [1, 2]]
