"""
The `init` subcommand:

    nerzoo init train.conllu dev.conllu --output-file my_ner.jsonnet
    nerzoo init train.txt dev.txt --corpus '{"type": "columns", "tag_column": 1}' --vectors glove.6B.100d.txt \
        --goal speed --output-file my_ner.jsonnet
"""

import argparse
import json
from itertools import islice
from pathlib import Path

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import Command, add_corpus_argument, from_name_or_json, name_or_json, shown_counts
from nerzoo.configuration.fitting import GOALS, fit, fit_threads
from nerzoo.configuration.sources import find_configuration, one_file
from nerzoo.files import check_is_new, write_text
from nerzoo.formats.corpus import Corpus, format_name
from nerzoo.formats.lines import json_objects, read_lines, vector_size
from nerzoo.formats.threads import ThreadCorpus
from nerzoo.reports.description import describe


@Subcommand.register("init")
class Init(Command):
    """
    Writes a configuration that fits a corpus. It chooses a system and its options by counts of the training and the
    development data, and gives a reason for each choice. The file imports nothing and reads no environment variable
    except SEED.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("train", metavar="TRAIN", help="training data")
        add("dev", metavar="DEV", help="development data")
        add("--output-file", required=True, help="new configuration, with the ending .jsonnet")
        add_corpus_argument(parser)
        add("--vectors", help="a text file of word vectors; default: vectors are learned with the task")
        add("--goal", choices=GOALS, default=GOALS[0], help="which is more important; default: %(default)s")

    def run(self, args: argparse.Namespace) -> None:
        check_is_new(args.output_file)
        text = args.corpus or format_name(args.train)
        corpus, parts = name_or_json(text), {"train_data_path": args.train, "validation_data_path": args.dev}
        variables = {"EPOCHS": "", "WORD_VECTORS": args.vectors or "", "WORD_VECTOR_SIZE": "100"}
        if args.vectors:
            variables["WORD_VECTOR_SIZE"] = str(vector_size(args.vectors))
        if _has_threads(corpus["type"], args.train):
            threads = from_name_or_json(ThreadCorpus, text)
            counts = [sum(1 for _ in threads.read(path)) for path in parts.values()]
            size = f"{counts[0]:,} and {counts[1]:,} threads"
            chosen = fit_threads(corpus, args.vectors is not None)
        else:
            documents = from_name_or_json(Corpus, text)
            with shown_counts():
                facts = describe({name: documents.read(path) for name, path in parts.items()})
            counts = [part["sentences"] for part in facts["parts"]]
            size = f"{counts[0]:,} and {counts[1]:,} sentences"
            chosen = fit(facts, corpus, args.goal)
        heading = f"{args.train} and {args.dev}, {size}; {chosen.reason}."
        source = one_file(find_configuration(chosen.configuration), heading, chosen.options, variables)
        write_text(args.output_file, f"{source.rstrip()} + {json.dumps(parts, ensure_ascii=False, indent=2)}\n")
        print(heading)
        for name, choice in chosen.options.items():
            print(f"    {name} = {json.dumps(choice.value, ensure_ascii=False)}  {choice.reason}")
        folder = Path("output") / Path(args.output_file).stem
        print(f"Next:\n    nerzoo train {args.output_file} -s {folder}\n    nerzoo tag {folder}/model.tar.gz TEXTS")


def _has_threads(format: str, path: str) -> bool:
    """Returns whether a format is one of threads. JSON lines have sentences, documents or threads, which have posts."""
    if format == "jsonl":
        return any("posts" in first for _, first in islice(json_objects(read_lines(path)), 1))
    return format in ThreadCorpus.list_available() and format not in Corpus.list_available()
