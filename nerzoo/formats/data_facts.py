import hashlib
from collections import Counter
from pathlib import Path
from typing import NamedTuple, Optional

from nerzoo.formats.corpus import Corpus


class DataFacts(NamedTuple):
    """
    Facts about a data set: the name of its file, the SHA-256 of its bytes and, for a `Corpus`, the numbers of
    documents, sentences and words, and of entities of each label.
    """

    name: str
    sha256: str
    num_documents: Optional[int] = None
    num_sentences: Optional[int] = None
    num_words: Optional[int] = None
    labels: Counter = Counter()


def data_facts(path: Path, corpus: Optional[Corpus]) -> DataFacts:
    """
    Computes the facts about a file or a folder, and counts its content if `corpus`, its format, is given. The hash of a
    folder covers the names and the bytes of its files, in order of name.
    """
    digest = hashlib.sha256()
    for file in [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file()):
        if file != path:
            digest.update(file.relative_to(path).as_posix().encode())
        with file.open("rb") as opened:
            hashlib.file_digest(opened, lambda: digest)
    if corpus is None:
        return DataFacts(path.name, digest.hexdigest())
    num_documents = num_sentences = num_words = 0
    labels: Counter = Counter()
    for document in corpus.read(path):
        num_documents += 1
        for sentence in document.sentences:
            num_sentences += 1
            num_words += len(sentence.words)
            labels.update(entity.label for entity in sentence.entities)
    return DataFacts(path.name, digest.hexdigest(), num_documents, num_sentences, num_words, labels)
