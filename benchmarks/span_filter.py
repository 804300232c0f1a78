"""
Prediction by a trained FOFE-NER with a filter of spans, on sentences of a file, against the same model without it: its
filter keeps all spans. Prediction begins with instances, or with the tensors of their batches.

    python -m benchmarks.span_filter ARCHIVE FILE
"""

from functools import partial
from itertools import islice
from typing import Callable, cast

import torch

from benchmarks.gum import System, as_tensors
from benchmarks.measuring import compare
from experiments.common import argument_parser
from nerzoo import archives
from nerzoo.models.fofe_ner import FofeNer
from nerzoo.modules.span_filter import SpanFilter

NUM_SENTENCES, BATCH_SIZE = 512, 32


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("archive")
    parser.add_argument("file")
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()

    archive = archives.load(args.archive)
    model = cast(FofeNer, archive.model)
    span_filter = cast(SpanFilter, model.span_filter)
    sentences = islice(archive.validation_dataset_reader.read(args.file), NUM_SENTENCES)
    instances = sorted(sentences, key=lambda instance: len(instance["tokens"]))
    groups = [instances[start : start + BATCH_SIZE] for start in range(0, len(instances), BATCH_SIZE)]
    batches = [{"tokens": as_tensors(group, model.vocab)["tokens"]} for group in groups]
    system = System(model, torch.optim.SGD(model.parameters(), 0.0), instances, batches, BATCH_SIZE)

    @torch.no_grad()
    def classify() -> None:
        model.eval()
        for batch in system.batches:
            model(**batch)

    fitted = span_filter.threshold

    def with_threshold(threshold: float, work: Callable[[], object]) -> None:
        span_filter.threshold = threshold
        work()

    for name, work in {"predict": system.predict, "predict from tensors": classify}.items():
        candidates = {
            spans: partial(with_threshold, threshold, work)
            for spans, threshold in (("all spans", 0.0), ("filter", fitted))
        }
        compare(f"{name}, threshold {fitted:.3g}", candidates, "filter", repeats=args.repeats, tokens=system.num_tokens)


if __name__ == "__main__":
    main()
