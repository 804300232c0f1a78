import random
from collections import Counter
from typing import Iterable, Iterator, List

from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.lines import AnyPath
from nerzoo.text.annotation import Document

_SEED = 13370


@Corpus.register("divided")
class DividedCorpus(Corpus):
    """
    A file in another format, of which a tenth is development data: `FILE#dev` is the tenth, chosen at random by a fixed
    seed, and `FILE#train` the rest. The units are documents, or sentences where there are fewer than ten documents. Any
    other path is that of a whole file. Raises `ConfigurationError` where a file has fewer than ten sentences.

    # Parameters

    corpus : `Corpus`
        The format of the file.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def _documents(self, path: AnyPath, counts: Counter) -> Iterator[Document]:
        file, _, part = str(path).rpartition("#")
        if part not in ("train", "dev"):
            yield from self._corpus.read(path)
            return
        units = divisible(self._corpus.read(file))
        if len(units) < 10:
            units = [Document(None, [sentence]) for unit in units for sentence in unit.sentences]
        if len(units) < 10:
            raise format_error(file, f"{len(units)} sentences to divide", "at least ten, or a file for each part")
        order = random.Random(_SEED).sample(range(len(units)), len(units))
        dev = {*order[: len(units) // 10]}
        yield from (unit for number, unit in enumerate(units) if (number in dev) == (part == "dev"))


def divisible(documents: Iterable[Document]) -> List[Document]:
    """Returns the documents of a corpus, but its sentences one by one where it has no documents."""
    units: List[Document] = []
    for document in documents:
        single = [Document(None, [sentence]) for sentence in document.sentences]
        units += single if document.id is None else [document]
    return units
