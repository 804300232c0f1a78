import logging
from dataclasses import replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Dict, Iterable, Iterator, Optional, Tuple, Union

import spacy
from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError
from spacy.tokens import Doc

from nerzoo.archives.pipelines import PIPELINE_NAME, is_packed, load_pipeline, save_pipeline
from nerzoo.data.parser_training import train_parser
from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.lines import check_runs
from nerzoo.text.annotation import Sentence

logger = logging.getLogger(__name__)

PARSER_REMEDY = (
    "train one with `nerzoo train-parser` and name its folder with "
    '--overrides \'{"dataset_reader.parser": {"pipeline": "FOLDER"}}\'; or give parsed input, which needs none: '
    '{"words": [...], "pos": [...], "heads": [...], "dep_labels": [...]}'
)
"""The remedy where raw text has no tags or trees."""


class SpacyParser(FromParams):
    """
    Splits raw text into words, and adds part-of-speech tags and dependency trees to sentences, by a spaCy pipeline.

    A training packs the pipeline: `prepare` writes it into the folder of the training, from where it goes into the
    archive. An archive that has it loads it from there, whatever is installed.

    # Parameters

    pipeline : `str`, optional (default = `"blank:en"`)
        An argument of `spacy.load`: an installed package, a folder, as `nerzoo train-parser` writes it, or `blank:` and
        a language to only split text into words. Its labels must be those that the model was trained on.
    treebank : `str`, optional
        In place of a pipeline, the training data of the model, in the format of its corpus: `prepare` trains one on it.
    serialization_dir : `str`, optional
        The folder of the training or of the unpacked archive, which AllenNLP passes on.
    """

    def __init__(
        self,
        pipeline: Optional[str] = None,
        treebank: Optional[str] = None,
        serialization_dir: Union[None, str, PathLike] = None,
    ) -> None:
        if pipeline is not None and treebank is not None:
            raise ConfigurationError("found a parser with a pipeline and a treebank, expected one of them")
        self.pipeline = pipeline or "blank:en"
        self._treebank = treebank
        options = {"pipeline": pipeline, "treebank": treebank}
        self._source: Dict[str, str] = {name: value for name, value in options.items() if value is not None}
        self._folder = None if serialization_dir is None else Path(serialization_dir)
        self._corpus: Optional[Corpus] = None
        has_packed = self._folder is not None and (self._folder / PIPELINE_NAME).exists()
        self.is_trained_with = not has_packed
        """`True` where the model was, or will be, trained with this parser: no other one has replaced it."""
        if self._folder is not None and is_packed(self._folder, self._source):
            self.is_trained_with = True
            # Now, since the folder of an archive is removed after it was loaded.
            self._spacy = load_pipeline(self._folder / PIPELINE_NAME)

    @property
    def name(self) -> str:
        """The pipeline's name in messages."""
        return f"trained on {self._treebank}" if self._treebank is not None else self.pipeline

    @property
    def is_blank(self) -> bool:
        """`True` where the pipeline only splits text into words."""
        return self._treebank is None and self.pipeline.startswith("blank:")

    def prepare(self, corpus: Corpus) -> None:
        """
        Packs the pipeline at the start of a training, after training it where a treebank is named. `corpus` is the
        format of the treebank. Raises what `train_parser` raises, and `ConfigurationError` where another reader of the
        training has packed another pipeline, or the pipeline cannot be loaded.
        """
        self._corpus = corpus
        # A folder with a vocabulary has a model, whose training has packed its pipeline, if any.
        if self.is_blank or self._folder is None or (self._folder / "vocabulary").exists():
            return
        packed = self._folder / PIPELINE_NAME
        if "_spacy" not in vars(self):
            if packed.exists():
                found = f"the parser {self.name!r} beside another one"
                raise format_error("validation_dataset_reader", found, "the parser of dataset_reader")
            try:
                save_pipeline(self._spacy, packed, self._source)
            except ConfigurationError as error:
                logger.warning("%s: not packed, so that the archive needs it where it is used: %s", self.name, error)
            else:
                self._spacy = load_pipeline(packed)

    def parse(self, text: str) -> Sentence:
        """Turns a text into one sentence, perhaps without words. Raises `ConfigurationError` where it is too long."""
        check_runs(text, "a text")
        if len(text) > self._spacy.max_length:
            found, expected = f"{len(text)} characters", f"at most max_length, {self._spacy.max_length}"
            raise format_error("a text", found, f"{expected}, of the spaCy pipeline '{self.name}'")
        # Unlike corpora, spaCy has tokens of white space, for all white space but single spaces.
        doc = self._spacy(" ".join(text.split()))
        return self._annotated(Sentence([token.text for token in doc]), doc)

    def annotate(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """Adds the tags and trees that the pipeline finds to sentences, in their order."""
        if self.is_blank:
            yield from sentences
        else:
            for sentence, doc in self._docs(sentences):
                yield self._annotated(sentence, doc)

    def reparse(self, sentences: Iterable[Sentence], replace_pos: bool = True) -> Iterator[Sentence]:
        """Replaces trees and, if `replace_pos` or missing, tags. Raises `ConfigurationError` without a parser."""
        for sentence, doc in self._docs(sentences):
            if not doc.has_annotation("DEP"):
                found = f"The spaCy pipeline '{self.name}' has no parser"
                raise ConfigurationError(f"{found}, expected one to find trees: {PARSER_REMEDY}")
            annotated = self._annotated(sentence, doc)
            yield annotated if replace_pos or sentence.pos is None else replace(annotated, pos=sentence.pos)

    def _docs(self, sentences: Iterable[Sentence]) -> Iterator[Tuple[Sentence, Doc]]:
        docs = ((Doc(self._spacy.vocab, sentence.words, sentence.space_after), sentence) for sentence in sentences)
        return ((sentence, doc) for doc, sentence in self._spacy.pipe(docs, as_tuples=True))

    def _annotated(self, sentence: Sentence, doc: Doc) -> Sentence:
        if doc.has_annotation("TAG"):
            sentence = replace(sentence, pos=[token.tag_ for token in doc], parser=self.name)
        if doc.has_annotation("DEP"):
            heads = [0 if token.head == token else token.head.i + 1 for token in doc]
            # spaCy writes ROOT, treebanks root.
            dep_labels = ["root" if token.head == token else token.dep_ for token in doc]
            sentence = replace(sentence, heads=heads, dep_labels=dep_labels, parser=self.name)
        return sentence

    @cached_property
    def _spacy(self) -> spacy.Language:
        if self._treebank is not None:
            if self._corpus is None:
                raise ConfigurationError(
                    "found a parser with a treebank outside of a reader, expected a corpus to read"
                )
            logger.info("training a parser on %s", self._treebank)
            return train_parser(self._corpus, self._treebank)
        try:
            return spacy.load(self.pipeline)
        except (OSError, ImportError) as error:
            found = f"The spaCy pipeline '{self.pipeline}', which parses text for this model, cannot be loaded"
            raise ConfigurationError(f"{found}: {PARSER_REMEDY}") from error
