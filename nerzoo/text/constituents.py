"""Dependency trees from constituents, by the head rules of Collins (1999, appendix A), without traces."""

from typing import Dict, List, NamedTuple, Sequence, Tuple

# From which side children are searched, and for which categories, the best first.
_RULES: Dict[str, Tuple[bool, List[str]]] = {
    category: (side == "right", categories.split())
    for category, side, categories in (
        ("ADJP", "left", "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
        ("ADVP", "right", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
        ("CONJP", "right", "CC RB IN"),
        ("FRAG", "right", ""),
        ("LST", "right", "LS :"),
        ("NAC", "left", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
        ("PP", "right", "IN TO VBG VBN RP FW"),
        ("PRT", "right", "RP"),
        ("QP", "left", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
        ("RRC", "right", "VP NP ADVP ADJP PP"),
        ("S", "left", "TO IN VP S SBAR ADJP UCP NP"),
        ("SBAR", "left", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
        ("SBARQ", "left", "SQ S SINV SBARQ FRAG"),
        ("SINV", "left", "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
        ("SQ", "left", "VBZ VBD VBP VB MD VP SQ"),
        ("UCP", "right", ""),
        ("VP", "left", "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
        ("WHADJP", "left", "CC WRB JJ ADJP"),
        ("WHADVP", "right", "CC WRB"),
        ("WHNP", "left", "WDT WP WP$ WHADJP WHPP WHNP"),
        ("WHPP", "right", "IN TO FW"),
    )
}
# For a noun phrase, in this order: the side from which its children are searched, and the categories that are taken.
_NOUN_PHRASE = (
    ("right", {"NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR"}),
    ("left", {"NP"}),
    ("right", {"$", "ADJP", "PRN"}),
    ("right", {"CD"}),
    ("right", {"JJ", "JJS", "RB", "QP"}),
)


class Child(NamedTuple):
    """A child of a constituent: its category, of a word its part of speech, and the number of its head word, from 0."""

    category: str
    head: int


class Arcs:
    """The arcs of a dependency tree of T words, which grows from below: `attach` is called for each constituent."""

    def __init__(self, num_words: int) -> None:
        self.heads = [0] * num_words
        self.labels = ["root"] * num_words

    def attach(self, category: str, children: Sequence[Child]) -> Child:
        """
        Attaches the children of a constituent, at least one, to the head word of one of them, with labels such as
        `S|NP`, of an NP in an S. Returns the constituent as a child.
        """
        head = children[_head_child(category, [child.category for child in children])].head
        for child in children:
            if child.head != head:
                self.heads[child.head] = head + 1
                self.labels[child.head] = f"{category}|{child.category}"
        return Child(category, head)


def _head_child(category: str, children: Sequence[str]) -> int:
    """Returns the position of the head among the categories of the children."""
    position = _noun_phrase_head(children) if category == "NP" else _head_by_rule(category, children)
    # The first part of a coordination is its head.
    return position - 2 if position > 1 and children[position - 1] == "CC" else position


def _head_by_rule(category: str, children: Sequence[str]) -> int:
    from_right, categories = _RULES.get(category, (False, []))
    positions = range(len(children))[:: -1 if from_right else 1]
    ranked = (position for wanted in categories for position in positions if children[position] == wanted)
    return next(ranked, positions[0])


def _noun_phrase_head(children: Sequence[str]) -> int:
    last = len(children) - 1
    if children[last] == "POS":
        return last
    for side, wanted in _NOUN_PHRASE:
        for position in range(last + 1)[:: -1 if side == "right" else 1]:
            if children[position] in wanted:
                return position
    return last
