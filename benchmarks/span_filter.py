"""
Prediction by a trained FOFE-NER with a filter of spans, on sentences of a file, against the same model without it: its
filter keeps all spans.

    python -m benchmarks.span_filter ARCHIVE FILE
"""

from functools import partial
from itertools import islice
from typing import cast

import torch

from benchmarks.gum import System
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
    system = System(model, torch.optim.SGD(model.parameters(), 0.0), instances, [], BATCH_SIZE)

    def predict(threshold: float) -> None:
        span_filter.threshold = threshold
        system.predict()

    candidates = {"all spans": partial(predict, 0.0), "filter": partial(predict, span_filter.threshold)}
    title = f"predict {args.file}, threshold {span_filter.threshold:.3g}"
    compare(title, candidates, "filter", repeats=args.repeats, tokens=system.num_tokens)


if __name__ == "__main__":
    main()
