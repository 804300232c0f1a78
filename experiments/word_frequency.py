"""
The scores of words by how often training had them, from the configuration of a run and the output of
`allennlp predict` with --use-dataset-reader; scored is the same as in `experiments.unseen_words`. The rarest word of an
entity counts.

    python -m experiments.word_frequency SERIALIZATION_DIR/config.json PREDICTIONS.jsonl ... [--bounds 1 2 5 20 100]

The bounds 1 and 5 give three groups: words that training did not have, words with one to four occurrences, and words
with five and more. Several files are several runs over the same text; the program prints mean and standard deviation
over them.
"""

from experiments.unseen_words import config_parser, report_groups, training_words
from nerzoo.reports.groupings import BOUNDS, by_frequency, group_names


def main() -> None:
    parser = config_parser(__doc__)
    parser.add_argument("--bounds", type=int, nargs="+", default=BOUNDS)
    args = parser.parse_args()
    group = by_frequency(training_words(args.config), args.bounds)
    report_groups(args.config, args.predictions, group, group_names(args.bounds))


if __name__ == "__main__":
    main()
