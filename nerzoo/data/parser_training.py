"""The training of spaCy pipelines that tag and parse, by spaCy's own training, on the trees of a corpus."""

import io
import math
import random
import sys
import tempfile
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Dict, Iterator, Optional

import numpy
import spacy
import torch
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training.initialize import convert_vectors, init_nlp
from spacy.training.loop import DIR_MODEL_BEST, DIR_MODEL_LAST, train
from spacy.util import load_config
from spacy.vocab import Vocab

from nerzoo.errors import format_error, in_short
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.lines import AnyPath
from nerzoo.text.annotation import Sentence

_CONFIG = Path(__file__).with_name("parser.cfg")
_DOC_SENTENCES = 5
"""The number of sentences of a Doc, by which a parser learns where sentences end."""


def train_parser(
    corpus: Corpus,
    treebank: AnyPath,
    validation: Optional[AnyPath] = None,
    vectors: Optional[AnyPath] = None,
    language: str = "en",
    show_progress: bool = False,
) -> Language:
    """
    Trains a tagger, a parser and a finder of sentence bounds as `parser.cfg` says, and leaves the states of all random
    numbers as they were. Sentences with several roots are several sentences for spaCy.

    # Parameters

    corpus : `Corpus`
        The format of the treebank, and of `validation`.
    treebank : `str` or `Path`
        A corpus with parts of speech and trees.
    validation : `str` or `Path`, optional
        Another part. The best pipeline on it is kept, and training ends early without progress; without it, the
        pipeline after the last epoch is kept.
    vectors : `str` or `Path`, optional
        Word vectors in a text file, as GloVe's, which become part of the pipeline.
    language : `str`, optional (default = `"en"`)
        spaCy's code of the language.
    show_progress : `bool`, optional (default = `False`)
        Whether to print spaCy's table of scores.

    # Raises

    `ConfigurationError` where a file has no trees or no parts of speech, or vectors or the language are unknown.
    """
    with tempfile.TemporaryDirectory() as name, _random_states_kept():
        folder = Path(name)
        docs = list(_docs(corpus, treebank))
        DocBin(docs=docs).to_disk(folder / "train.spacy")
        # spaCy always evaluates. Without validation, one Doc costs nothing.
        dev = docs[:1] if validation is None else _docs(corpus, validation)
        DocBin(docs=dev).to_disk(folder / "dev.spacy")
        overrides: Dict[str, Any] = {"paths.train": str(folder / "train.spacy"), "paths.dev": str(folder / "dev.spacy")}
        overrides["nlp.lang"] = language
        if validation is None:
            overrides["training.patience"] = 0
        else:
            # Batches have up to 1,000 words: also a small treebank is evaluated at least once an epoch.
            overrides["training.eval_frequency"] = min(200, math.ceil(sum(map(len, docs)) / 1000))
        try:
            blank = spacy.blank(language)
        except ImportError:
            raise format_error("language", repr(language), "a code of spaCy's, such as 'en'") from None
        if vectors is not None:
            try:
                convert_vectors(blank, Path(vectors), truncate=0, prune=-1)
            # spaCy raises several types for files in another form.
            except Exception as error:
                expected = "a text file with a word and its numbers on each line"
                raise format_error(vectors, f"no word vectors ({in_short(error)})", expected) from error
            blank.to_disk(folder / "vectors")
            overrides |= {
                "paths.vectors": str(folder / "vectors"),
                "components.tok2vec.model.embed.include_static_vectors": True,
            }
        nlp = init_nlp(load_config(_CONFIG, overrides=overrides))
        output = sys.stdout if show_progress else io.StringIO()
        (folder / "output").mkdir()
        train(nlp, folder / "output", stdout=output)
        trained = spacy.load(folder / "output" / (DIR_MODEL_LAST if validation is None else DIR_MODEL_BEST))
        # As in spaCy's own pipelines: the parser finds sentences, too.
        trained.disable_pipe("senter")
        return trained


def _docs(corpus: Corpus, path: AnyPath) -> Iterator[Doc]:
    """Yields the sentences of a treebank, several as a Doc. Raises `ConfigurationError` where they have no trees."""
    vocab = Vocab()
    for document in corpus.read(path):
        sentences = iter(document.sentences)
        while group := list(islice(sentences, _DOC_SENTENCES)):
            yield Doc.from_docs([_doc(vocab, sentence) for sentence in group])


def _doc(vocab: Vocab, sentence: Sentence) -> Doc:
    pos, heads, labels = sentence.pos, sentence.heads, sentence.dep_labels
    if pos is None or heads is None or labels is None:
        missing = next(name for name in ("pos", "heads", "dep_labels") if getattr(sentence, name) is None)
        raise format_error(sentence.location, f"no {missing}", "a treebank, with parts of speech and trees")
    # spaCy's roots are their own heads and have the label ROOT.
    positions = [head - 1 if head else position for position, head in enumerate(heads)]
    deps = [label if head else "ROOT" for label, head in zip(labels, heads, strict=True)]
    return Doc(vocab, sentence.words, sentence.space_after, tags=pos, heads=positions, deps=deps)


@contextmanager
def _random_states_kept() -> Iterator[None]:
    """Restores the random numbers of Python, NumPy and PyTorch on the CPU, for which spaCy sets a seed."""
    states = random.getstate(), numpy.random.get_state(), torch.get_rng_state()
    try:
        yield
    finally:
        random.setstate(states[0])
        numpy.random.set_state(states[1])
        torch.set_rng_state(states[2])
