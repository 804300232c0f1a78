"""
Training of a FOFE-NER configuration, as its data loader has the batches: processor time of a batch, and of the batches
of an epoch without validation. Batches are new in each round, so that their shapes are, too. For two versions of
nerzoo, run it in turn in each.

    python -m benchmarks.fofe_training CONFIG [--per-sentence]
"""

import json
import os
import statistics
from itertools import islice
from typing import List

from allennlp.common import Params
from allennlp.common.util import prepare_environment
from allennlp.data import DataLoader, DatasetReader, TensorDict, Vocabulary
from allennlp.models import Model
from allennlp.training.optimizers import Optimizer

import nerzoo  # noqa: F401
from benchmarks.gum import System
from benchmarks.measuring import processor_time
from experiments.common import argument_parser

NUM_BATCHES = 40


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("config")
    parser.add_argument("--per-sentence", action="store_true")
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()

    os.environ["SEED"] = os.environ.get("SEED") or "1"
    overrides = json.dumps({"model.dropout_per_sentence": True}) if args.per_sentence else ""
    params = Params.from_file(args.config, overrides)
    prepare_environment(params)
    reader = DatasetReader.from_params(params["dataset_reader"])
    loader = DataLoader.from_params(params["data_loader"], reader=reader, data_path=params["train_data_path"])
    vocab = Vocabulary.from_params(params["vocabulary"], instances=loader.iter_instances())
    loader.index_with(vocab)
    model = Model.from_params(params["model"], vocab=vocab)
    trained = [(name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad]
    optimizer = Optimizer.from_params(params["trainer"]["optimizer"], model_parameters=trained)

    batches: List[TensorDict] = list(islice(loader, (1 + args.repeats) * NUM_BATCHES))
    rounds = [
        processor_time(System(model, optimizer, [], batches[start : start + NUM_BATCHES], 0).train) / NUM_BATCHES
        for start in range(0, len(batches), NUM_BATCHES)
    ][1:]
    median = statistics.median(rounds)
    print(
        f"{args.config}: {1e3 * median:.1f} ms a batch, {median * len(loader):.1f} s an epoch of {len(loader)} batches"
    )


if __name__ == "__main__":
    main()
