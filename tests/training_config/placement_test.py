"""
All tensors of a main job are on the device of its model, and a GPU is not waited for, in a step of training and in a
prediction: tried on a pretended GPU, on machines that have none.
"""

import functools

import pytest
import torch
from allennlp.training.gradient_descent_trainer import clip_grad_norm_
from allennlp.training.optimizers import Optimizer
from helpers.configurations import render
from helpers.main_jobs import MAIN_JOBS, OVER_TRANSFORMER, first_batch
from helpers.paths import ROOT
from helpers.pretended_gpu import PretendedGpu

from nerzoo.nn import linear_chain
from nerzoo.nn.trees import TreeLevels
from nerzoo.training.trainer import copied_batch

# What is read of the GPU in a step of training: the number of spans drawn, and of words that are predicted; and the
# auxiliary loss, for the progress bar. AllenNLP's trainer itself reads the loss twice, to see whether it is a number
# and to sum it up.
TRAINING = {
    "ner": [],
    "deptree_ner": [],
    "memory_ner": [],
    "thread_structure": [],
    "fofe_ner": ["nonzero"],
    "fofe_lm": ["nonzero"],
    "char_attention": ["item"],
    "seq2biseq": [],
    OVER_TRANSFORMER: [],
}
# And of a batch that is predicted, which ends on the host: tags, then the probabilities of the entities among them,
# whose places go back; spans, labels and scores of the candidates of FOFE-NER; links, acts and their probabilities. A
# transformer reads the lengths of windows before, and puts their places in its batches on the GPU.
OF_TAGS = ["tolist", "copy", "copy", "tolist"]
PREDICTION = {
    "ner": OF_TAGS,
    "deptree_ner": OF_TAGS,
    "memory_ner": ["copy", *OF_TAGS],
    "thread_structure": ["tolist"] * 5,
    "fofe_ner": ["nonzero", "nonzero", "tolist", "tolist", "tolist", "copy"],
    "fofe_lm": ["nonzero", "copy"],
    "char_attention": OF_TAGS,
    "seq2biseq": ["tolist"],
    OVER_TRANSFORMER: ["tolist", "copy", *OF_TAGS],
}


def few_items(job, folder):
    """The path of a file with the first sentences, lines or threads that a main job trains on."""
    source = ROOT / render("ner" if job == OVER_TRANSFORMER else job)["train_data_path"]
    text = source.read_text()
    separator = "\n\n" if "\n\n" in text else "\n"
    path = folder / source.name
    path.write_text(separator.join([*text.split(separator)[:4], ""]))
    return str(path)


@pytest.fixture(scope="module")
def on_gpu(tmp_path_factory):
    """Maps a main job to the pretended GPU that it is on, its model, a batch and its optimizer."""

    @functools.cache
    def put(job):
        gpu, folder = PretendedGpu(), tmp_path_factory.mktemp(job)
        # A step of a recurrent layer takes milliseconds here, and batches of the main jobs are long.
        path = few_items(job, folder)
        model, batch, optimizer = first_batch(job, folder / "run", train_data_path=path, validation_data_path=path)
        batch = gpu.put(batch)
        gpu.put_model(model)
        with gpu.running():
            return gpu, model, batch, Optimizer.from_params(optimizer, model_parameters=list(model.named_parameters()))

    return put


@pytest.mark.parametrize("job", [*MAIN_JOBS, OVER_TRANSFORMER])
def test_training_waits_for_the_gpu_once_a_step_at_most(job, on_gpu):
    gpu, model, batch, optimizer = on_gpu(job)
    model.train()
    with gpu.running():
        gpu.reads.clear()
        model(**batch)["loss"].backward()
        clip_grad_norm_([parameter for parameter in model.parameters() if parameter.grad is not None], 5.0)
        optimizer.step()
        model.get_metrics()
    assert gpu.reads == TRAINING[job]
    assert len(gpu.reads) <= 1
    trained = [parameter for parameter in model.parameters() if parameter.grad is not None]
    assert trained and all(parameter.grad.device.type == "cuda" for parameter in trained)


@pytest.mark.parametrize("job", [*MAIN_JOBS, OVER_TRANSFORMER])
def test_a_prediction_reads_what_it_describes(job, on_gpu):
    gpu, model, batch, _ = on_gpu(job)
    model.eval()
    with gpu.running(), torch.no_grad():
        for _ in range(2):
            # Metrics move their tables in the first batch.
            gpu.reads.clear()
            model.make_output_human_readable(model(**batch))
        assert gpu.reads == PREDICTION[job]
        # A whole epoch's counts, at once for each metric.
        gpu.reads.clear()
        model.get_metrics()
        assert set(gpu.reads) <= {"copy"}


def test_without_its_kernels_a_crf_is_on_the_gpu_too(on_gpu, monkeypatch):
    monkeypatch.setattr(linear_chain, "can_fuse", lambda logits: False)
    test_training_waits_for_the_gpu_once_a_step_at_most("ner", on_gpu)
    test_a_prediction_reads_what_it_describes("ner", on_gpu)


def test_a_batch_is_copied_without_waiting(monkeypatch):
    gpu = PretendedGpu()
    monkeypatch.setattr(torch.Tensor, "pin_memory", lambda tensor: tensor)
    with gpu.running():
        ones = torch.ones(2, device="cpu")
        tensors = {"tokens": {"words": ones}, "levels": TreeLevels(ones, ones, ones, [1, 1]), "metadata": "x"}
        batch = copied_batch(tensors, torch.device("cuda:0"))
    assert batch["tokens"]["words"].device.type == "cuda" and batch["metadata"] == "x"
    assert batch["levels"].order.device.type == "cuda" and batch["levels"].sizes == [1, 1]
    assert gpu.reads == []


class _OnTheCpu(torch.nn.Module):
    def forward(self, inputs, mask):
        return inputs + torch.arange(inputs.shape[1]).unsqueeze(1)


class _Waiting(torch.nn.Module):
    def forward(self, inputs, mask):
        return inputs * mask[:, : int(mask.sum(1).max())].unsqueeze(2)


def test_a_module_that_makes_tensors_on_the_wrong_device_fails(on_gpu, monkeypatch):
    gpu, model, batch, _ = on_gpu("ner")
    encode = model.encoder.forward
    monkeypatch.setattr(model.encoder, "forward", lambda inputs, mask: encode(_OnTheCpu()(inputs, mask), mask))
    with gpu.running(), pytest.raises(Exception, match="two different devices cuda:0, cpu"):
        model(**batch)


def test_a_module_that_waits_is_found_out():
    gpu = PretendedGpu()
    inputs, mask = gpu.put((torch.randn(2, 1, 3), torch.ones(2, 1, dtype=torch.bool)))
    with gpu.running():
        _Waiting()(inputs, mask)
    assert gpu.reads == ["item"]


@pytest.mark.parametrize(
    "read, expected",
    [
        (lambda x: float(x.sum()), ["item"]),
        (lambda x: bool((x > 0).any()), ["item"]),
        (lambda x: x.tolist(), ["tolist"]),
        (lambda x: x.cpu().tolist(), ["copy"]),
        (lambda x: (x > 0).nonzero(), ["nonzero"]),
        (lambda x: x[x > 0], ["mask"]),
        (lambda x: x.new_tensor([1.0, 2.0]), ["copy"]),
        (lambda x: torch.arange(2.0).to("cuda", non_blocking=True), []),
        (lambda x: x.masked_fill_(x > 0, 0), []),
        (lambda x: torch.where(x > 0, x, 0.5), []),
    ],
)
def test_what_counts_as_a_read(read, expected):
    gpu = PretendedGpu()
    x = gpu.put(torch.randn(2, 3))
    with gpu.running():
        read(x)
    assert gpu.reads == expected
