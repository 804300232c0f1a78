"""Batches that AllenNLP 2.10.1 makes: importing this module leaves out those that are empty."""

import functools
from typing import Any, Iterator

from allennlp.data.samplers import MaxTokensBatchSampler

_lazy_groups = MaxTokensBatchSampler._lazy_groups_of_max_size


@functools.wraps(_lazy_groups)
def _lazy_groups_of_some(self: MaxTokensBatchSampler, *args: Any, **kwargs: Any) -> Iterator[list]:
    return filter(None, _lazy_groups(self, *args, **kwargs))


# data/samplers/max_tokens_batch_sampler.py, _lazy_groups_of_max_size: `yield group`, an empty one before an
# instance that is larger than `max_tokens`, which ends the training.
MaxTokensBatchSampler._lazy_groups_of_max_size = _lazy_groups_of_some  # type: ignore[method-assign]
