"""
Selects the vectors of the words of some corpora from a larger file, for tables of many short trainings. A model has the
same vectors of their words with either file, and is smaller with this one. Only the first values of the trained
vectors beside fixed ones have another scale, the standard deviation of the numbers in the file.

    python -m experiments.corpus_vectors VECTORS OUTPUT TEXT ...

A text is any file that holds the corpus, gzipped or not: the vector of a word is kept if the word stands anywhere in it
between white space, as it is or in lower case, with its digits or with zeros in their place.
"""

import sys
from pathlib import Path
from typing import Iterable, Set

from experiments.common import argument_parser
from nerzoo.files import write_text
from nerzoo.formats.lines import read_lines
from nerzoo.text.word_forms import with_zeros


def word_forms(paths: Iterable[str]) -> Set[str]:
    """All words between white space in some files, in all forms in which indexers may look them up."""
    words = {word for path in paths for line in read_lines(path) for word in line.text.split()}
    words |= {word.lower() for word in words}
    return words | set(map(with_zeros, words))


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("vectors")
    parser.add_argument("output", type=Path)
    parser.add_argument("texts", nargs="+", metavar="TEXT")
    arguments = parser.parse_args()
    words = word_forms(arguments.texts)
    kept = [line.text for line in read_lines(arguments.vectors) if line.text.partition(" ")[0] in words]
    write_text(arguments.output, "\n".join(kept) + "\n")
    print(f"{len(kept)} words", file=sys.stderr)


if __name__ == "__main__":
    main()
