"""
The `train-parser` subcommand:

    nerzoo train-parser train.conllu -s output/parser --validation dev.conllu
    nerzoo train-parser train.tsv --corpus '{"type": "columns", ...}' -s output/parser --vectors glove.6B.100d.txt
"""

import argparse
from pathlib import Path

from allennlp.commands.subcommand import Subcommand

from nerzoo.archives.pipelines import save_pipeline
from nerzoo.commands.arguments import Command, from_name_or_json
from nerzoo.data.parser_training import train_parser
from nerzoo.files import check_is_new
from nerzoo.formats.corpus import Corpus


@Subcommand.register("train-parser")
class TrainParser(Command):
    """
    Trains a spaCy pipeline on the trees of a corpus: a tagger, a parser and a finder of sentence bounds. Configurations
    name the folder of the pipeline at dataset_reader.parser.pipeline.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("treebank", help="file with parts of speech and trees")
        add("-s", "--serialization-dir", required=True, help="new folder of the pipeline")
        add("--validation", metavar="FILE", help="development data, to keep the best pipeline")
        add("--vectors", metavar="FILE", help="word vectors as text, which become part of the pipeline")
        options = 'its name, or JSON with its options, e.g. \'{"type": "semeval2010"}\''
        add("--corpus", default="conllu", help=f"the format of the files: {options}")
        add("--language", metavar="CODE", default="en", help="spaCy's code of the language")

    def run(self, args: argparse.Namespace) -> None:
        check_is_new(args.serialization_dir)
        corpus = from_name_or_json(Corpus, args.corpus)
        options = (args.validation, args.vectors, args.language)
        pipeline = train_parser(corpus, args.treebank, *options, show_progress=True)
        save_pipeline(pipeline, Path(args.serialization_dir))
        # spaCy has named the temporary folder in which it trains.
        print(f"finished: {args.serialization_dir}")
