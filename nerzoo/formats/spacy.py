import zlib
from collections import Counter
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import spacy
from spacy.tokens import Doc, DocBin

from nerzoo.errors import format_error, in_short
from nerzoo.formats.corpus import TREEBANK, AnnotationWriter, Content, Corpus
from nerzoo.formats.lines import MAX_LINE, MAX_RATIO, UNREADABLE, AnyPath, document_id, local_path
from nerzoo.formats.standoff import joined, sentence_bounds
from nerzoo.text.annotation import Document, Entity, Sentence, layer, running_text, word_offsets
from nerzoo.zoo.spacy_component import sentence_inputs

_ID = "doc_id"


@Corpus.register("spacy")
class SpacyCorpus(Corpus):
    """
    spaCy's `DocBin`, a `.spacy` file, as `spacy train` reads it: the words, sentences, tags and trees of Docs, and
    their `doc.ents`. A Doc without sentences is one sentence. Tags are `tag_` or, where Docs have none, `pos_`.

    A Doc is a document, by its number. Where `SpacyWriter` has written `doc.user_data["doc_id"]`, consecutive Docs with
    the same one, or with `None`, are a document. Tokens of white space are no words. Spans in `doc.spans` are left out
    and counted; ends of sentences within entities, too. Raises `ConfigurationError` where the file is no `DocBin`.
    """

    def _documents(self, path: AnyPath, counts: Counter) -> Iterator[Document]:
        return joined(_parts(path, counts))


def _parts(path: AnyPath, counts: Counter) -> Iterator[Document]:
    for number, doc in enumerate(_docs(path), start=1):
        location = f"{path}: Doc {number}"
        id = document_id(doc.user_data, _ID, location) if _ID in doc.user_data else str(number)
        sentences = list(_sentences(doc, location, counts))
        if sentences:
            yield Document(id, sentences, doc.text)
        else:
            counts["Docs without words"] += 1


def _docs(path: AnyPath) -> Iterator[Doc]:
    # What a file of another format leads to depends on where its bytes do not fit.
    errors = (*UNREADABLE, LookupError, TypeError, AttributeError, AssertionError)
    file = Path(local_path(path))
    try:
        packed = file.read_bytes()
        unpacking = zlib.decompressobj()
        unpacking.decompress(packed, max(MAX_LINE, MAX_RATIO * len(packed)))
        if unpacking.unconsumed_tail:
            found = f"a DocBin of more than {MAX_RATIO} times its bytes"
            raise format_error(path, found, f"at most lines.MAX_RATIO, {MAX_RATIO}")
        yield from DocBin().from_bytes(packed).get_docs(spacy.blank("xx").vocab)
    except errors as error:
        raise format_error(path, f"a file of another format ({in_short(error)})", "a DocBin of spaCy's") from error


def _sentences(doc: Doc, location: str, counts: Counter) -> Iterator[Sentence]:
    counts["spans in doc.spans"] += sum(map(len, doc.spans.values()))
    positions = [token.i for token in doc if not token.is_space]
    # The number of words before each token.
    before = list(accumulate((not token.is_space for token in doc), initial=0))
    entities = [Entity(before[entity.start], before[entity.end], entity.label_) for entity in doc.ents]
    entities = [entity for entity in entities if entity.start < entity.end]
    annotation: Dict[str, Any] = {}
    if (has_tags := doc.has_annotation("TAG")) or doc.has_annotation("POS"):
        annotation["pos"] = [token.tag_ if has_tags else token.pos_ for token in doc]
    if doc.has_annotation("DEP"):
        annotation["dep_labels"] = [token.dep_ for token in doc]
        # For words whose head is in no sentence with them.
        roots = (doc[position].dep_ for position in positions if doc[position].head.i == position)
        annotation["root"] = next(roots, "root")
    text = doc.text
    spans = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]
    lengths = [before[span.end] - before[span.start] for span in spans]
    for first, end in pairwise(sentence_bounds(lengths, entities, counts)):
        ends = [doc[position].idx + len(doc[position]) for position in positions[first:end]]
        own = [entity for entity in entities if first <= entity.start < end]
        yield Sentence(
            **sentence_inputs(doc, positions[first:end], annotation),
            entities=[entity._replace(start=entity.start - first, end=entity.end - first) for entity in own],
            space_after=[place == len(text) or text[place].isspace() for place in ends],
            id=location,
        )


@AnnotationWriter.register("spacy")
class SpacyWriter(AnnotationWriter):
    """
    spaCy's `DocBin`, for `spacy train`: a Doc for each document, or for each sentence of a file without documents; see
    `SpacyCorpus`. Parts of speech are `tag_`; entities are `doc.ents`, which are not nested. spaCy has a sentence for
    each root: trees of a document that has a sentence with several roots, or with none, are left out and counted.
    """

    expresses = TREEBANK | {Content.OFFSETS}

    def close(self) -> None:
        self._docs.to_disk(self._path)

    def _open(self, path: Path) -> None:
        self._path = path
        self._docs = DocBin(store_user_data=True)
        self._vocab = spacy.blank("xx").vocab

    def _write(self, document: Document) -> None:
        parts = [document]
        if document.id is None and document.text is None:
            parts = [Document(None, [sentence]) for sentence in document.sentences]
        for part in parts:
            self._docs.add(self._doc(part))

    def _doc(self, document: Document) -> Doc:
        tokens, spaces = _tokens(document)
        positions = [place for place, token in enumerate(tokens) if not token.isspace()]
        tags, deps, entities = [""] * len(tokens), [""] * len(tokens), ["O"] * len(tokens)
        # White space belongs to the word before it.
        heads = [positions[0], *range(len(tokens) - 1)]
        starts = [False] * len(tokens)
        trees = [sentence.heads for sentence in document.sentences if sentence.heads is not None]
        has_trees = [tree.count(0) for tree in trees] == [1] * len(document.sentences)
        first = 0
        for sentence in document.sentences:
            own = positions[first : first + len(sentence.words)]
            starts[own[0] if first else 0] = True
            first += len(own)
            for start, end, label in layer(sentence.entities, "outermost"):
                covered = range(own[start], own[end - 1] + 1)
                entities[covered.start : covered.stop] = [f"I-{label}"] * len(covered)
                entities[covered.start] = f"B-{label}"
            for place, position in enumerate(own):
                tags[position] = sentence.pos[place] if sentence.pos else ""
                if has_trees and sentence.heads:
                    head = sentence.heads[place]
                    heads[position] = own[head - 1] if head else position
                    deps[position] = sentence.dep_labels[place] if sentence.dep_labels else "dep"
        annotation: Dict[str, Any] = {"heads": heads, "deps": deps} if has_trees else {"sent_starts": starts}
        if trees and not has_trees:
            self.losses[Content.TREES] += len(trees)
        return Doc(self._vocab, tokens, spaces, user_data={_ID: document.id}, tags=tags, ents=entities, **annotation)


def _tokens(document: Document) -> Tuple[List[str], List[bool]]:
    """Returns the words of a document, with tokens of white space between them, and whether a space follows each."""
    words: List[str] = []
    space_after: List[bool] = []
    for sentence in document.sentences:
        for word in sentence.words:
            if word.isspace():
                raise format_error(sentence.location, f"the word {word!r}", "one that is not white space")
        words += sentence.words
        space_after += sentence.space_after or [True] * len(sentence.words)
    text = running_text(words, space_after) if document.text is None else document.text
    tokens: List[str] = []
    spaces: List[bool] = []
    end = 0
    for word, start in zip([*words, ""], [*word_offsets(words, text), len(text)], strict=True):
        gap = text[end:start]
        if tokens and gap.startswith(" "):
            spaces[-1] = True
            gap = gap[1:]
        added = list(filter(None, (gap, word)))
        tokens += added
        spaces += [False] * len(added)
        end = start + len(word)
    return tokens, spaces
