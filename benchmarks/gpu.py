"""
All main jobs on a device, as Markdown: an epoch on real data, results beside those of the CPU, and the profile of a
step of training. Then the CRF with and without its kernels. `benchmarks/gpu.sh` runs this, tests and other benchmarks.

    python -m benchmarks.gpu [--device cuda] [--max-instances 40]
"""

import contextlib
import copy
import json
import math
import os
import sys
import tempfile
import time
from functools import partial
from typing import Any, Callable, Dict, List, Optional

import torch
from allennlp.commands.train import TrainModel
from allennlp.common import Params
from allennlp.common.util import prepare_environment
from allennlp.models import Model
from allennlp.nn import util
from torch.profiler import ProfilerActivity, profile

import nerzoo  # noqa: F401
from benchmarks.measuring import finish
from experiments.common import argument_parser, corpus, markdown
from nerzoo.modules.tag_distributions import ConditionalRandomField
from nerzoo.nn import linear_chain

GUM = {"train_data_path": corpus("gum/train.conllu.gz"), "validation_data_path": corpus("gum/dev.conllu.gz")}
# Jobs that are not for a treebank have other data.
JOBS: Dict[str, Dict[str, Any]] = {
    "ner": {"dataset_reader.corpus.type": "conllu", "dataset_reader.corpus.proper_names": True},
    "deptree_ner": {},
    "memory_ner": {},
    "thread_structure": {
        "dataset_reader.corpus": {"type": "molweni"},
        "validation_dataset_reader.corpus": {"type": "molweni"},
        "train_data_path": corpus("molweni/DP/dev.json.gz"),
        "validation_data_path": corpus("molweni/DP/test.json.gz"),
    },
    "fofe_ner": {},
    "fofe_lm": {
        "train_data_path": corpus("wikitext2/wiki.valid.tokens.gz"),
        "validation_data_path": corpus("wikitext2/wiki.test.tokens.gz"),
        # With the rate of the fixture, which has few words, the loss may become infinite.
        "trainer.optimizer.lr": 0.064,
    },
    "char_attention": {},
    "seq2biseq": {},
}
LAUNCHES = ("cudaLaunchKernel", "cudaLaunchKernelExC", "cuLaunchKernel", "cuLaunchKernelEx")
WAITS = ("cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize")
BATCH_SIZE, LENGTH, STEPS = 32, 40, 20


def milliseconds(call: Callable[[], Any], device: torch.device, steps: int = STEPS) -> float:
    """The time of a call, on average, after three to warm up."""
    for _ in range(3):
        call()
    finish(device)
    start = time.perf_counter()
    for _ in range(steps):
        call()
    finish(device)
    return 1e3 * (time.perf_counter() - start) / steps


def step(model: Model, batch: Dict[str, Any], optimizer: torch.optim.Optimizer, half: bool = False) -> torch.Tensor:
    optimizer.zero_grad()
    device = next(model.parameters()).device
    with torch.autocast(device.type, torch.bfloat16, enabled=half):
        loss = model(**batch)["loss"]
    loss.backward()
    optimizer.step()
    return loss.detach()


def evaluated(model: Model, batch: Dict[str, Any], device: torch.device) -> Dict[str, Any]:
    """The outputs of a model in evaluation, computed by copies of the model and the batch on the device."""
    model, batch = copy.deepcopy(model).to(device).eval(), util.move_to_device(copy.copy(batch), device)
    with torch.no_grad():
        outputs = model(**batch)
        return {"loss": outputs["loss"].item(), **model.make_output_human_readable(outputs)}


def count_different(found: Any, expected: Any) -> int:
    """The number of labels, words and positions that differ in two predictions; probabilities do not count."""
    if isinstance(expected, dict):
        return sum(count_different(found.get(name), value) for name, value in expected.items())
    if isinstance(expected, list) and isinstance(found, list) and len(found) == len(expected):
        return sum(map(count_different, found, expected))
    return 0 if isinstance(expected, float) and isinstance(found, float) else int(found != expected)


def measure(job: str, device: torch.device, max_instances: Optional[int]) -> List[str]:
    """The row of a job."""
    overrides = {**GUM, **JOBS[job], "trainer.num_epochs": 1, "dataset_reader.max_instances": max_instances}
    if max_instances is not None:
        # The first sentences of other data may have labels that the training data does not have.
        overrides["validation_data_path"] = overrides["train_data_path"]
        if "validation_dataset_reader" in Params.from_file(f"training_config/{job}.jsonnet").params:
            overrides["validation_dataset_reader.max_instances"] = max_instances
    overrides["trainer.cuda_device"] = 0 if device.type == "cuda" else -1
    params = Params.from_file(f"training_config/{job}.jsonnet", json.dumps(overrides))
    prepare_environment(params)
    with tempfile.TemporaryDirectory() as folder:
        training = TrainModel.from_params(params, serialization_dir=folder, local_rank=0)
        start = time.perf_counter()
        # The output of callbacks is not for the page.
        with contextlib.redirect_stdout(sys.stderr):
            metrics = training.run()
        seconds = time.perf_counter() - start
    model: Any = training.model
    trainer: Any = training.trainer
    batch = next(iter(trainer.data_loader))
    on_cpu, on_device = (evaluated(model, batch, torch.device(name)) for name in ("cpu", device))
    difference = abs(on_cpu.pop("loss") - on_device.pop("loss"))

    model.train()
    batch = util.move_to_device(batch, device)
    run = partial(step, model, batch, trainer.optimizer)
    in_float32, in_bfloat16 = milliseconds(run, device), milliseconds(partial(run, half=True), device)
    activities = [ProfilerActivity.CPU, *[ProfilerActivity.CUDA] * (device.type == "cuda")]
    with profile(activities=activities) as profiled:
        run()
        finish(device)
    events = profiled.key_averages()
    launches, waits = (sum(event.count for event in events if event.key in names) for names in (LAUNCHES, WAITS))
    kernel_milliseconds = sum(event.self_device_time_total for event in events) / 1e3
    assert math.isfinite(metrics["training_loss"]), f"{job}: found the loss {metrics['training_loss']}"
    return [
        job,
        f"{seconds:.1f}",
        f"{metrics['validation_loss']:.4f}",
        f"{difference:.1e}",
        str(count_different(on_device, on_cpu)),
        f"{in_float32:.2f}",
        f"{in_bfloat16:.2f}",
        str(launches),
        # One wait is that of `finish`.
        str(max(waits - 1, 0)),
        f"{kernel_milliseconds:.2f}",
        f"{launches * launch_cost(device):.2f}",
    ]


def launch_cost(device: torch.device) -> float:
    """Milliseconds for each of many small kernels, one after the other."""
    number = torch.zeros(1, device=device)
    return milliseconds(lambda: number.add_(1), device, 1000)


def crf_rows(device: torch.device) -> List[List[str]]:
    """Milliseconds of likelihood with gradient and of Viterbi, with and without the kernels, for numbers of tags."""
    rows = []
    fits = linear_chain.can_fuse
    for num_tags in (17, 33, 128):
        crf = ConditionalRandomField(num_tags).to(device)
        logits = torch.randn(BATCH_SIZE, LENGTH, num_tags, device=device, requires_grad=True)
        tags = torch.randint(num_tags, (BATCH_SIZE, LENGTH), device=device)
        mask: Any = torch.ones(BATCH_SIZE, LENGTH, dtype=torch.bool, device=device)
        calls: List[Callable[[], Any]] = [
            partial(lambda *batch, crf: crf.log_likelihood(*batch).sum().backward(), logits, tags, mask, crf=crf),
            partial(crf.viterbi, logits, mask),
        ]
        row = [str(num_tags)]
        for call in calls:
            row.append(f"{milliseconds(call, device):.3f}")
            linear_chain.can_fuse = lambda logits: False
            row.append(f"{milliseconds(call, device):.3f}")
            linear_chain.can_fuse = fits
        rows.append(row)
    return rows


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--max-instances", type=int, help="only so many sentences, documents or threads of each corpus")
    args = parser.parse_args()
    os.environ["WORD_VECTORS"] = ""
    device = torch.device(args.device, 0) if args.device == "cuda" else torch.device(args.device)
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else "the CPU"
    print(
        f"On {name}, PyTorch {torch.__version__}, {time.strftime('%Y-%m-%d')}. Times of a step are in milliseconds.\n"
    )
    header = ["job", "s an epoch", "validation loss", "loss off the CPU's", "labels that differ", "step", "in bfloat16"]
    header += ["launches", "waits", "in kernels", "launches alone"]
    print(markdown(header, []))
    for job in JOBS:
        # One after the other: if a job fails, the rows of those before it are there.
        print("|", " | ".join(measure(job, device, args.max_instances)), "|", flush=True)
    print()
    print(f"The CRF, {BATCH_SIZE} sentences of {LENGTH} tokens, milliseconds:\n")
    header = ["tags", "likelihood, fused", "by PyTorch", "Viterbi, fused", "by PyTorch"]
    print(markdown(header, crf_rows(device)))


if __name__ == "__main__":
    main()
