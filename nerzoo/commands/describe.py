"""
The `describe` subcommand:

    nerzoo describe train.conllu dev.conllu test.conllu
    nerzoo describe train.txt dev.txt --corpus '{"type": "columns", "tag_column": 1}' --output-folder output/corpus
"""

import argparse
from pathlib import Path

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import Command, add_corpus_argument, from_name_or_json, shown_counts
from nerzoo.files import check_is_new, write_json
from nerzoo.formats.corpus import Corpus, format_name
from nerzoo.reports.description import describe, description_sections
from nerzoo.reports.tables import to_markdown, write_pages


@Subcommand.register("describe")
class Describe(Command):
    """
    Counts sentences, words, documents, trees, and entities by type, length and depth of nesting in the parts of an
    annotated corpus. Compares further parts with the first one, the training data. Gives the share of entities that
    limits of a model would lose.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("parts", nargs="+", metavar="CORPUS", help="files of the parts, training data first")
        add_corpus_argument(parser)
        add("--output-folder", help="new folder for report.html, report.md and report.json; default: the screen")

    def run(self, args: argparse.Namespace) -> None:
        if args.output_folder is not None:
            check_is_new(args.output_folder)
        corpus = from_name_or_json(Corpus, args.corpus or format_name(args.parts[0]))
        names = [Path(path).name for path in args.parts]
        names = names if len({*names}) == len(names) else args.parts
        with shown_counts():
            facts = describe({name: corpus.read(path) for name, path in zip(names, args.parts, strict=True)})
        sections = description_sections(facts)
        if args.output_folder is None:
            print(to_markdown("Corpus", sections), end="")
            return
        folder = Path(args.output_folder)
        folder.mkdir(parents=True)
        write_json(folder / "report.json", facts)
        write_pages(folder, "Corpus", sections, sections, [])
