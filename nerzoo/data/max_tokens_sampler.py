from typing import Any, Iterator

from allennlp.data.samplers import BatchSampler, MaxTokensBatchSampler


# AllenNLP's own (data/samplers/max_tokens_batch_sampler.py, _lazy_groups_of_max_size) yields an empty group before an
# instance that is larger than `max_tokens`, which ends the training.
@BatchSampler.register("max_tokens_sampler", exist_ok=True)
class MaxTokensSampler(MaxTokensBatchSampler):
    """AllenNLP's sampler, with the same parameters, without empty batches."""

    def _lazy_groups_of_max_size(self, *args: Any, **kwargs: Any) -> Iterator[list]:
        return filter(None, super()._lazy_groups_of_max_size(*args, **kwargs))
