"""
FOFE language models: training on sentences of WikiText-2 beside an LSTM of about as many parameters, and the share of
the FOFE in that; then training with a vocabulary of 80,000 words, random ones by Zipf's law, by the full softmax, the
adaptive one and noise contrastive estimation.

    python -m benchmarks.fofe_lm [--device cuda]
"""

import json
import os
from typing import Callable, Dict

import torch
from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.samplers import BatchSampler
from allennlp.nn.util import get_text_field_mask

import nerzoo  # noqa: F401
from benchmarks.gum import System, as_tensors, assemble
from benchmarks.measuring import compare, read_options

CONFIG, SYSTEMS, NUM_TOKENS = "training_config/fofe_lm/wikitext2/{}.jsonnet", ("fofe_1", "fofe_2", "lstm"), 4000
# The largest model of the thesis's Table 4.2, [2*200]-600-600-80k, on batches of 500 words.
LARGE, NUM_WORDS, BATCH, LENGTH = "training_config/fofe_lm/paper/ltcb.jsonnet", 80_000, 20, 25
LOSSES = {
    "softmax": {"type": "softmax"},
    "adaptive": {"type": "adaptive_softmax", "cutoffs": [4000, 20_000]},
    "nce": {"type": "nce", "num_noise": 2048, "ln_z": 1.0, "sparse": True},
}


def on_wikitext2(device: str) -> Dict[str, System]:
    """The systems of the configurations, with the first sentences that they train on."""
    params = {name: Params.from_file(CONFIG.format(name)) for name in SYSTEMS}
    shared = params[SYSTEMS[0]]
    reader = DatasetReader.from_params(shared["dataset_reader"])
    instances = list(reader.read(shared["train_data_path"]))
    for instance in instances:
        reader.apply_token_indexers(instance)
    vocab = Vocabulary.from_params(shared["vocabulary"], instances=instances)
    lengths = torch.tensor([len(instance["tokens"]) for instance in instances])
    some = instances[: int((lengths.cumsum(0) <= NUM_TOKENS).sum())]
    sampler = BatchSampler.from_params(shared["data_loader"]["batch_sampler"])
    batches = []
    for places in sampler.get_batch_indices(some):
        batches.append(as_tensors([some[place] for place in places], vocab))
    return {name: assemble(params[name], vocab, some, batches, device, BATCH) for name in SYSTEMS}


def with_many_words(device: str) -> Dict[str, System]:
    """A batch of one model with each of the losses."""
    counts = {f"word-{rank}": NUM_WORDS // rank + 1 for rank in range(1, NUM_WORDS - 1)}
    vocab = Vocabulary(counter={"tokens": counts})
    frequencies = torch.tensor(list(counts.values()), dtype=torch.float)
    words = 2 + torch.multinomial(frequencies, BATCH * LENGTH, replacement=True).view(BATCH, LENGTH)
    batches = [{"tokens": {"tokens": {"tokens": words}}}]
    params = {name: Params.from_file(LARGE, json.dumps({"model.head": loss})) for name, loss in LOSSES.items()}
    return {name: assemble(params[name], vocab, [], batches, device, BATCH) for name in LOSSES}


def fofe_alone(system: System) -> Callable[[], None]:
    """The codes of the histories alone and the gradient of what they are made of, on the batches of the system."""
    model = system.model
    tokens = [batch["tokens"] for batch in system.batches]
    embedded = [model.text_field_embedder(words).detach().requires_grad_() for words in tokens]
    masks = [get_text_field_mask(words) for words in tokens]
    gradients = [torch.rand_like(model.encoder(*batch)) for batch in zip(embedded, masks, strict=True)]

    def fofe() -> None:
        for inputs, mask, gradient in zip(embedded, masks, gradients, strict=True):
            torch.autograd.grad(model.encoder(inputs, mask), inputs, gradient)

    return fofe


def main() -> None:
    args = read_options(__doc__, repeats=7)
    torch.manual_seed(1)
    for name in ("SEED", "TRAIN_TEXT", "VALIDATION_TEXT"):
        os.environ.setdefault(name, "1")

    systems = on_wikitext2(args.device)
    num_tokens = systems["lstm"].num_tokens
    calls = {name: system.train for name, system in systems.items()}
    compare(f"train, {num_tokens} words", calls, "lstm", args.device, args.repeats, words=num_tokens)
    for name, system in systems.items():
        print(f"  {name:<12} {system.num_parameters:12,} parameters")
    for name in ("fofe_1", "fofe_2"):
        calls = {"training": systems[name].train, "FOFE": fofe_alone(systems[name])}
        compare(f"FOFE in the training of {name}", calls, "training", args.device, args.repeats)

    calls = {name: system.train for name, system in with_many_words(args.device).items()}
    title = f"train, {BATCH * LENGTH} words of {NUM_WORDS}"
    compare(title, calls, "nce", args.device, args.repeats, words=BATCH * LENGTH)


if __name__ == "__main__":
    main()
