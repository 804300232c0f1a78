"""
Scores systems that split raw text into sentences and words: F1 of sentences and of words, which are right where their
first and last characters are, on the test parts of two treebanks of Universal Dependencies and on Wikigold, whose
documents become one line each:

    DATA=../shared/data uv run --with pysbd --with syntok python -m experiments.splitting --pipeline output/parser

PIPELINE is a folder that `nerzoo train-parser` has written: its finder of sentence bounds is one of the systems. A
treebank's text is that of its comments `# text`; a blank line separates its paragraphs.
"""

import gzip
import time
from itertools import pairwise
from pathlib import Path
from typing import Callable, Dict, Iterable, Iterator, List, NamedTuple, Tuple

import conllu
import spacy

from experiments.common import argument_parser, corpus
from nerzoo.archives.pipelines import load_pipeline
from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.text.annotation import word_offsets
from nerzoo.text.matching import precision_recall_f
from nerzoo.text.splitting import split_text

Spans = List[Tuple[int, int]]
Splitter = Callable[[str], Tuple[Spans, Spans]]
"""Turns a text into the spans of its sentences and of its words."""

CORPORA = {
    "EWT": "ud_english_ewt/en_ewt-ud-test.conllu.gz",
    "GUM": "gum/test.conllu.gz",
    "Wikigold": "wikigold/wikigold.conll.txt",
}


class Gold(NamedTuple):
    """A document as text, and the spans in it of its sentences and words."""

    text: str
    sentences: Spans
    words: Spans


def main() -> None:
    """Prints the table."""
    parser = argument_parser(__doc__)
    parser.add_argument("--part", choices=("dev", "test"), default="test", help="the part of the treebanks")
    parser.add_argument("--pipeline", required=True, help="folder of a pipeline of `nerzoo train-parser`")
    args = parser.parse_args()
    systems: Dict[str, Splitter] = {
        "rules": _rules,
        "pysbd": _pysbd(),
        "syntok": _syntok,
        "sentencizer": _spacy(_sentencizer()),
        "senter": _spacy(_senter(args.pipeline)),
    }
    documents = {name: list(_documents(corpus(path.replace("test", args.part)))) for name, path in CORPORA.items()}
    print(f"| system | {' | '.join(CORPORA)} | words/s |\n|---|{'---|' * len(CORPORA)}---|")
    for name, system in systems.items():
        cells, num_words, start = [], 0, time.process_time()
        for texts in documents.values():
            found = [system(document.text) for document in texts]
            num_words += sum(len(words) for _, words in found)
            scores = [
                _f1(
                    [
                        ((document.sentences, document.words)[layer], spans[layer])
                        for document, spans in zip(texts, found, strict=True)
                    ]
                )
                for layer in (0, 1)
            ]
            cells.append(" / ".join(f"{100 * score:.1f}" for score in scores))
        print(f"| {name} | {' | '.join(cells)} | {num_words / (time.process_time() - start):,.0f} |")


def _f1(pairs: List[Tuple[Spans, Spans]]) -> float:
    num_correct = sum(len({*gold} & {*found}) for gold, found in pairs)
    num_gold, num_found = (sum(len(pair[side]) for pair in pairs) for side in (0, 1))
    return precision_recall_f(num_correct, num_found, num_gold)["f1"]


def _documents(path: str) -> Iterator[Gold]:
    if path.endswith(".txt"):
        for document in ColumnsCorpus().read(path):
            yield _gold((" ", _detokenized(sentence.words), sentence.words) for sentence in document.sentences)
        return
    with gzip.open(path, "rt", encoding="utf-8") as file:
        sentences = list(conllu.parse_incr(file))
    starts = [number for number, sentence in enumerate(sentences) if {"newdoc id", "newdoc"} & {*sentence.metadata}]
    for start, end in pairwise([*starts, len(sentences)]):
        yield _gold(
            (
                "\n\n" if any(name.startswith("newpar") for name in sentence.metadata) else " ",
                sentence.metadata["text"],
                [token["form"] for token in sentence if isinstance(token["id"], int)],
            )
            for sentence in sentences[start:end]
        )


def _gold(sentences: Iterable[Tuple[str, str, List[str]]]) -> Gold:
    """Joins sentences, each with what separates it from the one before, its text and its words."""
    text, sentence_spans, word_spans = "", [], []
    for separator, sentence_text, words in sentences:
        start = len(text) + len(separator) if text else 0
        text += separator + sentence_text if text else sentence_text
        sentence_spans.append((start, len(text)))
        offsets = word_offsets(words, text, start)
        word_spans += [(offset, offset + len(word)) for offset, word in zip(offsets, words, strict=True)]
    return Gold(text, sentence_spans, word_spans)


def _detokenized(words: List[str]) -> str:
    """Joins words as they are written in English."""
    text, is_open = "", False
    for word in words:
        closes = word in ".,;:!?)]%" or word.startswith("'") or word == "n't" or (word == '"' and is_open)
        text += word if not text or closes or text.endswith(("(", "[", "$", ' "')) and is_open else f" {word}"
        is_open ^= word == '"'
    return text


def _rules(text: str) -> Tuple[Spans, Spans]:
    sentences = split_text(text)
    words = [(o, o + len(word)) for s in sentences for word, o in zip(s.words, s.offsets, strict=True)]
    return [(sentence.start, sentence.end) for sentence in sentences], words


def _pysbd() -> Splitter:
    """Returns pysbd with the words of spaCy's tokenizer."""
    import pysbd

    segmenter = pysbd.Segmenter(language="en", clean=False, char_span=True)
    nlp = spacy.blank("en")

    def split(text: str) -> Tuple[Spans, Spans]:
        return [_stripped(text, span.start, span.end) for span in segmenter.segment(text)], _spacy_words(nlp(text))

    return split


def _syntok(text: str) -> Tuple[Spans, Spans]:
    import syntok.segmenter

    sentences, words = [], []
    for paragraph in syntok.segmenter.analyze(text):
        for sentence in paragraph:
            spans = [(token.offset, token.offset + len(token.value)) for token in sentence]
            sentences.append((spans[0][0], spans[-1][1]))
            words += spans
    return sentences, words


def _sentencizer() -> spacy.Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return nlp


def _senter(folder: str) -> spacy.Language:
    nlp = load_pipeline(Path(folder))
    nlp.select_pipes(enable="senter")
    # The pipeline leaves it to the parser to find sentences.
    nlp.enable_pipe("senter")
    return nlp


def _spacy(nlp: spacy.Language) -> Splitter:
    def split(text: str) -> Tuple[Spans, Spans]:
        doc = nlp(text)
        return [_stripped(text, span.start_char, span.end_char) for span in doc.sents], _spacy_words(doc)

    return split


def _spacy_words(doc: spacy.tokens.Doc) -> Spans:
    return [(token.idx, token.idx + len(token)) for token in doc if not token.is_space]


def _stripped(text: str, start: int, end: int) -> Tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())


if __name__ == "__main__":
    main()
