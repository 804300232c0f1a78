"""
The scores of words by how often training had them, from the configuration of a run and what `allennlp predict` writes
with --use-dataset-reader; what is scored is as in `experiments.unseen_words`. Of an entity it is its rarest word that
counts.

    python -m experiments.word_frequency SERIALIZATION_DIR/config.json PREDICTIONS.jsonl ... [--bounds 1 2 5 20 100]

With the bounds 1 and 5 there are three groups: words that training did not have, those of one to four occurrences, and
those of five and more. Several files are several runs over the same text; what is printed is mean and standard
deviation over them.
"""

import argparse
from pathlib import Path

from allennlp.common import Params

from experiments.unseen_words import report_groups, training_words
from nerzoo.reports.groupings import BOUNDS, by_frequency, group_names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path)
    parser.add_argument("predictions", type=Path, nargs="+")
    parser.add_argument("--bounds", type=int, nargs="+", default=BOUNDS)
    args = parser.parse_args()
    config = Params.from_file(args.config).as_dict(quiet=True)
    group = by_frequency(training_words(config), args.bounds)
    report_groups(config, args.predictions, group, group_names(args.bounds))


if __name__ == "__main__":
    main()
