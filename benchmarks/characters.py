"""
Attending to characters, on sentences of the English Web Treebank in batches of 64: embedding with a backward pass,
training, prediction and batching with the characters of each distinct word of a batch encoded once, against those of
every token; then training and prediction with words alone, with characters concatenated and with attention to them, and
with crf_tagger of allennlp-models, which has a character LSTM of the same size.

    python -m benchmarks.characters [--device cuda]
"""

from functools import partial
from typing import Callable, List

import torch
from allennlp.data import Batch, DatasetReader, Instance
from allennlp.data.fields import TextField

from benchmarks.gum import System, build, first
from benchmarks.measuring import compare, read_options
from experiments.common import corpus

NUM_SENTENCES, BATCH_SIZE = 1024, 64
DATA = corpus("ud_english_ewt/en_ewt-ud-dev.conllu.gz")
CONFIG = "training_config/char_attention/ud_english_ewt/{}.jsonnet"
sentences = first(DATA, NUM_SENTENCES)


def every_token(reader: DatasetReader) -> List[Instance]:
    """The same sentences in fields that do not tell their words apart."""
    return [
        Instance({**instance.fields, "tokens": TextField(instance["tokens"].tokens)}) for instance in sentences(reader)
    ]


def build_variant(variant: str, device: str, read: Callable[[DatasetReader], List[Instance]] = sentences) -> System:
    return build(CONFIG.format(variant), read, device, BATCH_SIZE)


def embed(system: System) -> None:
    """The words of all batches, with the gradients."""
    system.model.train()
    for batch in system.batches:
        system.model.text_field_embedder(batch["tokens"]).sum().backward()


def collate(instances: List[Instance]) -> None:
    """The batches of indexed instances."""
    for start in range(0, len(instances), BATCH_SIZE):
        Batch(instances[start : start + BATCH_SIZE]).as_tensor_dict()


def main() -> None:
    args = read_options(__doc__, repeats=7)
    torch.manual_seed(1)

    attention = build_variant("attention", args.device)
    per_token = {"distinct": attention, "every token": build_variant("attention", args.device, every_token)}
    rows = sum(len(batch["tokens"]["words"]["characters"]) for batch in attention.batches)
    print(f"{attention.num_tokens} tokens, {rows} distinct words in {len(attention.batches)} batches")
    variants = {
        "attention": attention,
        **{name: build_variant(name, args.device) for name in ("concat", "word", "crf_tagger")},
    }
    for name, variant in variants.items():
        print(f"  {name:<12} {variant.num_parameters:9} parameters")

    embeddings = {name: partial(embed, system) for name, system in per_token.items()}
    compare("embedding", embeddings, "distinct", args.device, args.repeats)
    for systems, reference in ((per_token, "distinct"), (variants, "attention")):
        for work in ("train", "predict"):
            calls = {name: getattr(system, work) for name, system in systems.items()}
            compare(work, calls, reference, args.device, args.repeats, tokens=attention.num_tokens)
    batchings = {name: partial(collate, system.instances) for name, system in per_token.items()}
    compare("batching", batchings, "distinct", "cpu", args.repeats)


if __name__ == "__main__":
    main()
