from functools import cached_property

import spacy
from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError

from nerzoo.data.corpora import Sentence


class SpacyParser(FromParams):
    """
    Raw text to a sentence: words and, where the pipeline knows them, part-of-speech tags and the dependency tree.

    # Parameters

    pipeline : `str`, optional (default = `"blank:en"`)
        What `spacy.load` takes: an installed package, a folder, or `blank:` with a language for one that only splits
        words. It is loaded at the first text. Its labels have to be those that the model was trained on.
    """

    def __init__(self, pipeline: str = "blank:en") -> None:
        self.pipeline = pipeline

    @cached_property
    def _spacy(self) -> spacy.Language:
        try:
            return spacy.load(self.pipeline)
        except OSError as error:
            raise ConfigurationError(
                f"The spaCy pipeline '{self.pipeline}', which parses raw text for this model, is not installed. Either "
                f"install it with `python -m spacy download {self.pipeline}`, name another one, a folder too, by "
                '`--overrides \'{"dataset_reader.parser.pipeline": "..."}\'`, or give parsed input, which needs none: '
                '{"words": [...], "pos": [...], "heads": [...], "dep_labels": [...]}'
            ) from error

    def __call__(self, text: str) -> Sentence:
        """
        The words of `text` as one sentence; a text of several sentences becomes a tree with several roots.

        Raises `ConfigurationError` where the pipeline is not installed.
        """
        # White space has tokens of its own in spaCy, which corpora have not.
        doc = self._spacy(" ".join(text.split()))
        sentence = Sentence(words=[token.text for token in doc])
        if doc.has_annotation("TAG"):
            sentence.pos = [token.tag_ for token in doc]
        if doc.has_annotation("DEP"):
            sentence.heads = [0 if token.head == token else token.head.i + 1 for token in doc]
            sentence.dep_labels = ["root" if token.head == token else token.dep_ for token in doc]
        return sentence
