import torch
from allennlp.training import TrainerCallback
from helpers.short_training import ShortTraining

TRAIN = ShortTraining(
    "thread_structure",
    {
        "train_data_path": "fixtures/threads/dev.jsonl",
        "trainer.num_epochs": 1,
        "trainer.callbacks": ["reproducible", "bfloat16"],
    },
)


class Precisions(TrainerCallback):
    """Keeps the types of the scores and of the loss of each batch."""

    def __init__(self):
        super().__init__(None)
        self.seen = set()

    def on_batch(self, trainer, batch_inputs, batch_outputs, *args, **kwargs):
        self.seen |= {(outputs["logits"].dtype, outputs["loss"].dtype) for outputs in batch_outputs}


def test_a_model_is_in_half_precision_while_it_is_trained(tmp_path):
    training = TRAIN.build(tmp_path)
    precisions = Precisions()
    training.trainer._callbacks.append(precisions)
    training.trainer.train()
    assert precisions.seen == {(torch.bfloat16, torch.float32)}
    assert {parameter.dtype for parameter in training.model.parameters()} == {torch.float32}
    assert "forward" not in vars(training.model)
