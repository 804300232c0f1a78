"""
Collects the entities of annotated corpora in a gazetteer, a line `TYPE phrase` for each, which the indexer `gazetteer`
reads. Take other data than a model is trained on: all entities of its training data would be in the gazetteer, but only
some of those that it meets later.

    python -m experiments.gazetteer CORPUS ... --output-file FILE [--corpus FORMAT] [--min-count 2]
"""

from collections import Counter
from pathlib import Path
from typing import Counter as Counts, Iterable, Optional, Sequence, Tuple

from experiments.common import argument_parser
from nerzoo.commands.arguments import add_corpus_argument, from_name_or_json, positive
from nerzoo.files import write_text
from nerzoo.formats.corpus import Corpus, format_name


def phrases(corpora: Iterable[Tuple[Corpus, str]]) -> Counts[str]:
    """Counts the lines of the entities in some corpora, each a format and a path."""
    return Counter(
        " ".join([entity.label, *sentence.words[entity.start : entity.end]])
        for corpus, path in corpora
        for document in corpus.read(path)
        for sentence in document.sentences
        for entity in sentence.entities
    )


def main(args: Optional[Sequence[str]] = None) -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("parts", nargs="+", metavar="CORPUS")
    parser.add_argument("--output-file", type=Path, required=True)
    parser.add_argument("--min-count", type=positive, default=1, help="how often an entity occurs with a type")
    add_corpus_argument(parser)
    arguments = parser.parse_args(args)
    formats = [(from_name_or_json(Corpus, arguments.corpus or format_name(path)), path) for path in arguments.parts]
    counts = phrases(formats)
    write_text(
        arguments.output_file,
        "".join(f"{line}\n" for line, count in sorted(counts.items()) if count >= arguments.min_count),
    )


if __name__ == "__main__":
    main()
