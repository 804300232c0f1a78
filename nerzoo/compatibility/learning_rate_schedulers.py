"""
The bases of learning rate schedulers; training/learning_rate_schedulers/learning_rate_scheduler.py,
LearningRateScheduler: the only ones that hand a scheduler of torch to the trainer. They use `self.lr_scheduler` alone.
"""

from allennlp.training.learning_rate_schedulers.learning_rate_scheduler import _PyTorchLearningRateSchedulerWrapper
from allennlp.training.learning_rate_schedulers.pytorch_lr_schedulers import (
    _PyTorchLearningRateSchedulerWithMetricsWrapper,
)

TorchLearningRateScheduler = _PyTorchLearningRateSchedulerWrapper
TorchLearningRateSchedulerWithMetrics = _PyTorchLearningRateSchedulerWithMetricsWrapper
