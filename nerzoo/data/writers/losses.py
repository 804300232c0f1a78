"""What documents have that an output format may be unable to express."""

import re
from collections import Counter

from nerzoo.data.annotation import Document
from nerzoo.data.tag_schemes import layers

DOCUMENT_BOUNDS = "documents' bounds"
DOCUMENT_IDS = "documents' ids"
OFFSETS = "documents' offsets in characters"
WORDS = "sentences' bounds and words"
SPACES = "sentences' spaces"
PARTS_OF_SPEECH = "sentences' parts of speech"
TREES = "sentences' trees"
WORD_LABELS = "sentences' labels of words"
NESTED_ENTITIES = "nested entities"
PROBABILITIES = "entities' probabilities"

ANNOTATED_WORDS = frozenset([DOCUMENT_BOUNDS, DOCUMENT_IDS, WORDS, SPACES, PARTS_OF_SPEECH, TREES])
"""What a format expresses that has documents, words and all that a treebank says of them."""


def contents(document: Document, num_layers: int = 1) -> Counter:
    """
    Counts what a document has, by the names above. Its sentences have words and bounds in any case; spaces count where
    not all words are between spaces, an id where it is more than a number, offsets where they are not those in the
    text of the sentences, one a line.

    # Parameters

    document : `Document`
    num_layers : `int`, optional (default = `1`)
        How many layers of entities are not counted as nested.
    """
    counts: Counter = Counter()
    if document.id is not None:
        counts.update([DOCUMENT_BOUNDS] + [DOCUMENT_IDS] * (not document.id.isdecimal()))
    if document.text is not None:
        one_a_line = "\n".join(sentence.text for sentence in document.sentences)
        counts[OFFSETS] += re.sub(r"\s", " ", document.text.rstrip()) != re.sub(r"\s", " ", one_a_line)
    for sentence in document.sentences:
        counts[WORDS] += 1
        counts[SPACES] += sentence.space_after is not None and not all(sentence.space_after[:-1])
        counts[PARTS_OF_SPEECH] += sentence.pos is not None
        counts[TREES] += sentence.heads is not None
        counts[WORD_LABELS] += sentence.tags is not None and sentence.coding_scheme is None and not sentence.entities
        counts[NESTED_ENTITIES] += sum(map(len, layers(sentence.entities)[num_layers:]))
        counts[PROBABILITIES] += len(sentence.probabilities or [])
    return +counts
