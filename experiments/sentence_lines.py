"""
Splits texts into sentences, one a line with spaces between its words, for a language model or for word vectors. A line
of the input is a paragraph.

    python -m experiments.sentence_lines TEXT ... --output-file FILE [--lowercase] [--distinct]

The FOFE thesis has the Large Text Compression Benchmark in lower case, and the Google Billion Word corpus with each
sentence once (sections 4.2.2 and 4.2.3); the number of known words is in `fofe_lm/paper/large.libsonnet`.
"""

from pathlib import Path
from typing import Iterable, Iterator, Optional, Sequence

from experiments.common import argument_parser
from nerzoo.files import written_whole
from nerzoo.formats.lines import read_lines
from nerzoo.text.splitting import split_text


def sentences(paths: Iterable[str], lowercase: bool = False, distinct: bool = False) -> Iterator[str]:
    """Yields the sentences of some texts, gzipped or not."""
    known = set()
    for path in paths:
        for line in read_lines(path):
            for sentence in split_text(line.text):
                words = " ".join(sentence.words)
                words = words.lower() if lowercase else words
                if distinct:
                    # Hashes take less memory than a billion words.
                    if hash(words) in known:
                        continue
                    known.add(hash(words))
                yield words


def main(args: Optional[Sequence[str]] = None) -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("texts", nargs="+", metavar="TEXT")
    parser.add_argument("--output-file", type=Path, required=True)
    parser.add_argument("--lowercase", action="store_true", help="write all words in lower case")
    parser.add_argument("--distinct", action="store_true", help="write each sentence once")
    arguments = parser.parse_args(args)
    with written_whole(arguments.output_file) as unfinished, unfinished.open("w", encoding="utf-8") as file:
        for sentence in sentences(arguments.texts, arguments.lowercase, arguments.distinct):
            file.write(sentence + "\n")


if __name__ == "__main__":
    main()
