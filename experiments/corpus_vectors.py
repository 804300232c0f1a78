"""
The vectors of the words of some corpora, out of a file of many: for tables of many short trainings, which look up no
others. A model is the same with either file, but for what its archive knows of other text; it starts in a tenth of the
time.

    python -m experiments.corpus_vectors VECTORS OUTPUT TEXT ...

A text is any file that holds the corpus, gzipped or not: a word is kept if it stands anywhere in it between white
space, as it is or in lower case, with its digits or with zeros in their place.
"""

import argparse
import sys
from pathlib import Path
from typing import Iterable, Set

from nerzoo.files import write_text
from nerzoo.formats.lines import read_lines
from nerzoo.text.word_forms import with_zeros


def words_of(paths: Iterable[str]) -> Set[str]:
    """All that stands between white space in some files, in all forms in which indexers may look it up."""
    words = {word for path in paths for line in read_lines(path) for word in line.text.split()}
    words |= {word.lower() for word in words}
    return words | set(map(with_zeros, words))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vectors")
    parser.add_argument("output", type=Path)
    parser.add_argument("texts", nargs="+", metavar="TEXT")
    arguments = parser.parse_args()
    words = words_of(arguments.texts)
    kept = [line.text for line in read_lines(arguments.vectors) if line.text.partition(" ")[0] in words]
    write_text(arguments.output, "\n".join(kept) + "\n")
    print(f"{len(kept)} words", file=sys.stderr)


if __name__ == "__main__":
    main()
