"""
FOFE-NER, as large as the thesis has it, on sentences of the GUM treebank: the features of all spans of up to 7
words of 32 sentences, against the recursion for each span, and against the first dense layer on them; then training,
also with one mask of dropout for a sentence, and prediction beside a sequence_tagger; and how much memory it takes to
tag one sentence of 2,000 tokens.

    python -m benchmarks.fofe [--device cuda]
"""

import json
import os
from functools import partial
from typing import Callable, List

import torch
from allennlp.data import DatasetReader, Instance
from allennlp.nn.util import get_text_field_mask

from benchmarks.gum import DEV, System, build, first
from benchmarks.measuring import compare, read_options, report_peak
from nerzoo.models.fofe_ner import SPANS_AT_A_TIME, FofeNer
from nerzoo.modules.span_features.span_features import FeatureInputs
from nerzoo.nn.spans import span_indices, span_mask
from nerzoo.text.annotation import Entity, Sentence

NUM_SENTENCES, NUM_TAGGED, NUM_TOKENS, MAX_LENGTH = 32, 256, 2000, 7
FOFE, TAGGER = "training_config/fofe_ner/paper.jsonnet", "training_config/deptree_ner/gum/bilstm.jsonnet"


def long_sentence(reader: DatasetReader) -> List[Instance]:
    words = [word for instance in reader.read(DEV) for word in instance["metadata"].metadata["words"]]
    return [reader.text_to_instance(Sentence(words[:NUM_TOKENS], entities=[Entity(0, 1, "person")]))]


def fofe_ner(read: Callable[[DatasetReader], List[Instance]], device: str, per_sentence: bool = False) -> System:
    for name in ("CONLL2003", "CASED_WORD_VECTORS", "UNCASED_WORD_VECTORS"):
        os.environ[name] = ""
    # Random vectors do for the time.
    overrides: dict = {f"model.features.{name}.embedder.pretrained_file": None for name in ("cased", "uncased")}
    overrides["model.dropout_per_sentence"] = per_sentence
    return build(FOFE, read, device, NUM_SENTENCES, json.dumps({"dataset_reader.corpus": "conllu", **overrides}))


def num_sampled(system: System) -> int:
    """Spans that an epoch of training has."""
    batches = ((batch["spans"], get_text_field_mask(batch["tokens"])) for batch in system.batches)
    return sum(len(system.model.sampler(**spans, mask=mask)[0]) for spans, mask in batches)


class WordsByRecursion:
    """All features of words of each span by itself, by the recursion, as the features of the model have them."""

    def __init__(self, model: FofeNer, batch: dict) -> None:
        self._features = [model.features[name] for name in ("cased", "uncased")]
        self._batch = batch
        self._lengths = get_text_field_mask(batch["tokens"]).sum(1).tolist()

    @torch.no_grad()
    def __call__(self) -> torch.Tensor:
        parts = []
        for features in self._features:
            embedded = features.embedder(**self._batch["tokens"][features.indexer])
            rows = []
            for words, length in zip(embedded, self._lengths, strict=True):
                words = words[:length]
                for start in range(length):
                    for end in range(start + 1, min(start + MAX_LENGTH, length) + 1):
                        contexts = words[:end], words[start:].flip(0), words[:start], words[end:].flip(0)
                        codes = [self._code(context, features.alpha) for context in contexts]
                        rows.append(torch.cat([*codes, words[start:end].sum(0)]))
            parts.append(torch.stack(rows))
        return torch.cat(parts, 1)

    @staticmethod
    def _code(words: torch.Tensor, alpha: float) -> torch.Tensor:
        code = words.new_zeros(words.shape[1])
        for word in words:
            code = alpha * code + word
        return code


def predict_long_sentence(device: str) -> None:
    fofe_ner(long_sentence, device).predict()


def main() -> None:
    args = read_options(__doc__, repeats=5)
    torch.manual_seed(1)

    few = fofe_ner(first(DEV, NUM_SENTENCES), args.device)
    (batch,), model = few.batches, few.model.eval()
    mask = get_text_field_mask(batch["tokens"])
    spans = span_indices(span_mask(mask, MAX_LENGTH))
    first_layer = model.feedforward._linear_layers[0]

    @torch.no_grad()
    def features(*names: str) -> List[torch.Tensor]:
        parts = [model.features[name] for name in names or model.features]
        encoded = [part.encode(FeatureInputs(batch["tokens"], mask, MAX_LENGTH)) for part in parts]
        # As many at a time as the model takes.
        return [
            torch.cat([part(codes, some) for part, codes in zip(parts, encoded, strict=True)], 1)
            for some in spans.split(SPANS_AT_A_TIME)
        ]

    @torch.no_grad()
    def dense(everything: List[torch.Tensor]) -> List[torch.Tensor]:
        return [first_layer(some) for some in everything]

    def word_features() -> List[torch.Tensor]:
        return features("cased", "uncased")

    recursion = WordsByRecursion(model, batch)
    torch.testing.assert_close(torch.cat(word_features()), recursion())
    title = f"features of words, {len(spans)} spans"
    compare(title, {"batched": word_features, "recursion": recursion}, "batched", args.device, args.repeats)
    calls = {"features": features, "first layer": partial(dense, features())}
    compare(f"all features, {len(spans)} spans", calls, "features", args.device, args.repeats)

    systems = {
        "fofe_ner": fofe_ner(first(DEV, NUM_TAGGED), args.device),
        "per_sentence": fofe_ner(first(DEV, NUM_TAGGED), args.device, per_sentence=True),
        "tagger": build(TAGGER, first(DEV, NUM_TAGGED), args.device, NUM_SENTENCES),
    }
    num_tokens = systems["fofe_ner"].num_tokens
    num_spans = num_sampled(systems["fofe_ner"])
    for work in ("train", "predict"):
        calls = {name: getattr(system, work) for name, system in systems.items()}
        title, amounts = f"{work}, {num_tokens} tokens", {"tokens": num_tokens, "sentences": NUM_TAGGED}
        seconds = compare(title, calls, "tagger", args.device, args.repeats, **amounts)
        if work == "train":
            print(f"  fofe_ner     {num_spans / seconds['fofe_ner']:9.0f} spans/s")

    title = f"predict, a sentence of {NUM_TOKENS} tokens"
    report_peak(title, predict_long_sentence, args.device, device=args.device)


if __name__ == "__main__":
    main()
