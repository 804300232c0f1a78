import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.training import TrainerCallback
from helpers.interrupted_training import assert_resumes_to_the_same_numbers
from helpers.short_training import ShortTraining
from torch.testing import assert_close

SGD = {"backward_loss": {"type": "sgd", "lr": 0.25}, "loss": {"type": "sgd", "lr": 0.5}}
TRAIN = ShortTraining(
    "seq2biseq/small/slots",
    {
        "train_data_path": "fixtures/slot_filling/dev",
        "trainer.num_epochs": 3,
        "data_loader.batch_sampler.batch_size": 10,
    },
)
WITHOUT_DROPOUT = {
    "model.dropout": 0.0,
    "model.head.dropout": 0.0,
    "model.text_field_embedder.token_embedders.token_characters.encoder.dropout": 0.0,
}


class FirstBatch(TrainerCallback):
    """Keeps the first batch, and the parameters before and after it."""

    def __init__(self, trainer):
        super().__init__(None)
        self.parameters, self.batch, self.norm = [_copy(trainer.model)], None, None

    def on_batch(self, trainer, batch_inputs, *args, batch_grad_norm=None, **kwargs):
        if self.batch is None:
            (self.batch,) = batch_inputs
            self.parameters.append(_copy(trainer.model))
            self.norm = batch_grad_norm


def _copy(model):
    return {name: parameter.detach().clone() for name, parameter in model.named_parameters()}


@pytest.mark.parametrize("max_norm", [None, 0.01])
def test_a_step_adds_up_those_of_both_losses(tmp_path, max_norm):
    rescaled = {} if max_norm is None else {"trainer.grad_norm": max_norm}
    optimizers = {"type": "per_loss", "optimizers": SGD}
    training = TRAIN.build(
        tmp_path, **WITHOUT_DROPOUT, **rescaled, **{"trainer.optimizer": optimizers, "trainer.num_epochs": 1}
    )
    seen = FirstBatch(training.trainer)
    training.trainer._callbacks.append(seen)
    training.trainer.train()

    model, (before, after) = training.model.train(), seen.parameters
    model.load_state_dict(before, strict=False)
    expected = dict(before)
    for name, options in SGD.items():
        model.zero_grad()
        model(**seen.batch)[name].backward()
        gradients = {part: x.grad for part, x in model.named_parameters() if x.grad is not None}
        norm = torch.stack([gradient.norm() for gradient in gradients.values()]).norm()
        assert max_norm is None or norm > max_norm
        factor = 1 if max_norm is None else max_norm / norm
        expected |= {part: expected[part] - options["lr"] * factor * x for part, x in gradients.items()}
        of_forward_decoder = [x for part, x in gradients.items() if "head.forward_decoder.gru" in part]
        assert any(gradient.any() for gradient in of_forward_decoder) == (name == "loss")
    assert_close(after, expected)
    if max_norm is not None:
        assert seen.norm == pytest.approx(norm.item())


def test_one_step_after_the_other(tmp_path):
    training = TRAIN.build(
        tmp_path,
        **WITHOUT_DROPOUT,
        **{
            "trainer.optimizer": {"type": "per_loss", "optimizers": SGD},
            "trainer.callbacks": ["reproducible", {"type": "per_loss", "one_after_another": True}],
            "trainer.grad_norm": 0.01,
            "trainer.num_epochs": 1,
        },
    )
    seen = FirstBatch(training.trainer)
    training.trainer._callbacks.append(seen)
    training.trainer.train()

    model, (expected, after) = training.model.train(), seen.parameters
    for name, options in SGD.items():
        model.load_state_dict(expected, strict=False)
        model.zero_grad()
        model(**seen.batch)[name].backward()
        gradients = {part: x.grad for part, x in model.named_parameters() if x.grad is not None}
        factor = 0.01 / torch.stack([gradient.norm() for gradient in gradients.values()]).norm()
        expected |= {part: expected[part] - options["lr"] * factor * x for part, x in gradients.items()}
    assert_close(after, expected)


def test_an_interrupted_run_resumes_to_the_same_numbers(tmp_path, monkeypatch):
    assert_resumes_to_the_same_numbers(TRAIN, tmp_path, monkeypatch, killed_in=1)


def test_learning_rates_of_both_fall(tmp_path):
    training = TRAIN.build(tmp_path)
    training.trainer.train()
    for optimizer in training.trainer.optimizer.optimizers.values():
        assert [group["lr"] for group in optimizer.param_groups] == [pytest.approx(0, abs=1e-12)]


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"trainer.optimizer": "adam"}, "callback per_loss: found the optimizer AdamOptimizer, expected per_loss"),
        ({"trainer.num_gradient_accumulation_steps": 2}, "found num_gradient_accumulation_steps, expected training wi"),
        ({"trainer.callbacks": ["reproducible"]}, "found no gradients of backward_loss, expected per_loss among"),
        ({"model.head.forward_only": True}, "found no backward_loss in the output of Seq2Biseq, expected one"),
    ],
)
def test_what_is_wrong_with_a_configuration(overrides, message, tmp_path):
    training = TRAIN.build(tmp_path, **overrides)
    with pytest.raises(ConfigurationError, match=message):
        training.trainer.train()


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_a_run_on_a_gpu_resumes_to_the_same_numbers(tmp_path, monkeypatch):
    overrides = {"trainer.cuda_device": 0, "trainer.grad_norm": 5.0}

    def train(folder, *args):
        return TRAIN(folder, *args, **overrides)

    assert_resumes_to_the_same_numbers(train, tmp_path, monkeypatch, 1)
