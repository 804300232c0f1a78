"""
Perplexity of n-grams with interpolated modified Kneser-Ney smoothing, without cutoffs (Chen and Goodman, 1999), with
the text, the vocabulary and the parts of a configuration of the FOFE language model. nltk.lm has Kneser-Ney with a
single discount, which the modified one replaces by three for each order:

    python -m experiments.kneser_ney fofe_lm/wikitext2/fofe_2 [--orders 3 5]
"""

import math
from collections import Counter, defaultdict
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Tuple, cast

from allennlp.data import DatasetReader, Instance, Vocabulary
from allennlp.data.fields import TextField

from experiments.common import argument_parser
from nerzoo.configuration.check import read_configuration

Sentences = List[List[str]]
_START = "<s>"


def perplexity(train: Sentences, test: Sentences, order: int, num_words: int) -> float:
    """The perplexity of the words of test sentences, of which `num_words` different ones may occur."""
    probabilities = [1 / num_words] * sum(map(len, test))
    for size in range(1, order + 1):
        # Below the longest n-grams, one counts as often as there are different words before it.
        longer = set(_grams(train, size + 1)) if size < order else ()
        counts = Counter(gram[1:] for gram in longer) if size < order else Counter(_grams(train, size))
        discount = _discounts(counts)
        totals: Dict[Tuple[str, ...], int] = defaultdict(int)
        left_over: Dict[Tuple[str, ...], float] = defaultdict(float)
        for gram, count in counts.items():
            totals[gram[:-1]] += count
            left_over[gram[:-1]] += discount(count)
        for position, gram in enumerate(_grams(test, size)):
            context = gram[:-1]
            if context in totals:
                count = counts.get(gram, 0)
                mass = count - discount(count) + left_over[context] * probabilities[position]
                probabilities[position] = mass / totals[context]
    return math.exp(-sum(map(math.log, probabilities)) / len(probabilities))


def _grams(sentences: Sentences, size: int) -> Iterator[Tuple[str, ...]]:
    """Yields the n-gram that ends at each word; those of the first words have symbols of the start."""
    for sentence in sentences:
        padded = [_START] * (size - 1) + sentence
        yield from zip(*(padded[start:] for start in range(size)), strict=False)


def _discounts(counts: "Counter[Tuple[str, ...]]") -> Callable[[int], float]:
    """Returns the discount of a count: one each for 1, 2, and 3 or more, by how many n-grams have 1 to 4."""
    numbers = Counter(counts.values())
    share = numbers[1] / max(numbers[1] + 2 * numbers[2], 1)
    # Text so short that no n-gram has such a count has no discount that depends on it.
    ratios = [numbers[count + 1] / numbers[count] if numbers[count] else 0.0 for count in (1, 2, 3)]
    values = [0.0, *(max(n - (n + 1) * share * ratio, 0.0) for n, ratio in enumerate(ratios, 1))]
    return lambda count: values[min(count, 3)]


def main(args: Optional[Sequence[str]] = None) -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("config", help="a configuration with test_data_path")
    parser.add_argument("--orders", type=int, nargs="+", default=[3, 5])
    arguments = parser.parse_args(args)
    params = read_configuration(arguments.config)
    readers = [params["dataset_reader"], params.get("validation_dataset_reader") or params["dataset_reader"]]
    paths = [params["train_data_path"], params["test_data_path"]]
    train, test = (
        list(DatasetReader.from_params(reader.duplicate()).read(path))
        for reader, path in zip(readers, paths, strict=True)
    )
    unknown = params["vocabulary"]["oov_token"]
    known = Vocabulary.from_params(params["vocabulary"], instances=train).get_token_to_index_vocabulary()

    def words(instances: List[Instance]) -> Sentences:
        texts = (cast(TextField, instance["tokens"]) for instance in instances)
        return [[token.text if token.text in known else unknown for token in text] for text in texts]

    for order in arguments.orders:
        # All but the padding.
        print(f"{order}-grams {perplexity(words(train), words(test), order, len(known) - 1):.2f}")


if __name__ == "__main__":
    main()
