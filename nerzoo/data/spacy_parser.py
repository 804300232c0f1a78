from dataclasses import replace
from functools import cached_property
from typing import Iterable, Iterator

import spacy
from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError
from spacy.tokens import Doc

from nerzoo.errors import format_error
from nerzoo.formats.lines import check_runs
from nerzoo.text.annotation import Sentence


class SpacyParser(FromParams):
    """
    Splits raw text into words, and adds part-of-speech tags and dependency trees to sentences, by a spaCy pipeline.

    # Parameters

    pipeline : `str`, optional (default = `"blank:en"`)
        An argument of `spacy.load`: an installed package, a folder, or `blank:` and a language to only split text into
        words. Its labels must be those that the model was trained on. It is loaded at first use.
    """

    def __init__(self, pipeline: str = "blank:en") -> None:
        self.pipeline = pipeline

    def parse(self, text: str) -> Sentence:
        """Turns a text into one sentence, perhaps without words. Raises `ConfigurationError` where it is too long."""
        check_runs(text, "a text")
        if len(text) > self._spacy.max_length:
            found, expected = f"{len(text)} characters", f"at most max_length, {self._spacy.max_length}"
            raise format_error("a text", found, f"{expected}, of the spaCy pipeline '{self.pipeline}'")
        # Unlike corpora, spaCy has tokens of white space, for all white space but single spaces.
        doc = self._spacy(" ".join(text.split()))
        return _annotated(Sentence([token.text for token in doc]), doc)

    def annotate(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """Adds the annotation of the pipeline to sentences. A blank pipeline has none to add, and is not loaded."""
        if self.pipeline.startswith("blank:"):
            yield from sentences
            return
        docs = ((Doc(self._spacy.vocab, sentence.words, sentence.space_after), sentence) for sentence in sentences)
        for doc, sentence in self._spacy.pipe(docs, as_tuples=True):
            yield _annotated(sentence, doc)

    def reparse(self, sentences: Iterable[Sentence], replace_pos: bool = True) -> Iterator[Sentence]:
        """Replaces trees and, if `replace_pos` or missing, tags. Raises `ConfigurationError` without a parser."""
        docs = ((Doc(self._spacy.vocab, sentence.words, sentence.space_after), sentence) for sentence in sentences)
        for doc, sentence in self._spacy.pipe(docs, as_tuples=True):
            if not doc.has_annotation("DEP"):
                found = f"The spaCy pipeline '{self.pipeline}' has no parser"
                raise ConfigurationError(f"{found}, expected one to find trees")
            annotated = _annotated(sentence, doc)
            yield annotated if replace_pos or sentence.pos is None else replace(annotated, pos=sentence.pos)

    @cached_property
    def _spacy(self) -> spacy.Language:
        try:
            return spacy.load(self.pipeline)
        except (OSError, ImportError) as error:
            raise ConfigurationError(
                f"The spaCy pipeline '{self.pipeline}', which parses text for this model, cannot be loaded. Install "
                f"one of spaCy's with `python -m spacy download {self.pipeline}`; or name another, or a folder, with "
                '--overrides \'{"dataset_reader.parser.pipeline": "..."}\'; or give parsed input, which needs none: '
                '{"words": [...], "pos": [...], "heads": [...], "dep_labels": [...]}'
            ) from error


def _annotated(sentence: Sentence, doc: Doc) -> Sentence:
    if doc.has_annotation("TAG"):
        sentence = replace(sentence, pos=[token.tag_ for token in doc])
    if doc.has_annotation("DEP"):
        heads = [0 if token.head == token else token.head.i + 1 for token in doc]
        # spaCy writes ROOT, treebanks root.
        dep_labels = ["root" if token.head == token else token.dep_ for token in doc]
        sentence = replace(sentence, heads=heads, dep_labels=dep_labels)
    return sentence
