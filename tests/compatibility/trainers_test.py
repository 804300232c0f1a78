import torch
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.training import GradientDescentTrainer

from nerzoo.compatibility.trainers import (
    accumulates_gradients,
    current_epoch,
    epochs_done,
    num_epochs,
    uses_mixed_precision,
)


def test_what_a_trainer_is_told_and_where_it_is():
    model = torch.nn.Linear(1, 1)
    trainer = GradientDescentTrainer(
        model,
        torch.optim.SGD(model.parameters(), lr=0.1),
        SimpleDataLoader([], 1),
        num_epochs=7,
        cuda_device=-1,
        num_gradient_accumulation_steps=2,
    )
    assert num_epochs(trainer) == 7
    assert current_epoch(trainer) == epochs_done(trainer) == 0
    assert accumulates_gradients(trainer)
    assert not uses_mixed_precision(trainer)
