"""Facts about the parts of an annotated corpus, as data and as the sections of a page."""

from collections import Counter
from itertools import pairwise
from math import inf
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence

from nerzoo.reports.groupings import group_names
from nerzoo.reports.tables import Column, Section, Table
from nerzoo.text.annotation import Document, Sentence, crossing, ordered
from nerzoo.text.matching import span_depths

_LONG_DOCUMENT = 500
"""The words after which the authors' program of the memory-enhanced CRF cuts a document off."""
_MOST_LABELS = 12


def describe(parts: Mapping[str, Iterable[Document]]) -> Dict[str, Any]:
    """
    Returns the facts about the parts of a corpus, numbers, strings, lists and dictionaries alone. The first part is the
    training data, with which the others are compared. `costs` has the share of all entities that are lost by a limit
    on their length, without nesting, or by a limit on its depth.
    """
    facts: List[Dict[str, Any]] = []
    words: Optional[Counter] = None
    for name, documents in parts.items():
        found = list(documents)
        sentences = [sentence for document in found for sentence in document.sentences]
        counts = Counter(word for sentence in sentences for word in sentence.words)
        facts.append(_part(name, found, sentences, counts))
        if words is None:
            words, texts = counts, {tuple(sentence.words) for sentence in sentences}
            mentions = {mention for sentence in sentences for mention in _mentions(sentence)}
        else:
            own = [mention for sentence in sentences for mention in _mentions(sentence)]
            facts[-1] |= {
                "unknown_words": _share(sum(n for word, n in counts.items() if word not in words), counts.total()),
                "unknown_entities": _share(sum(mention not in mentions for mention in own), len(own)),
                "repeated_sentences": _share(sum(tuple(each.words) in texts for each in sentences), len(sentences)),
            }
    return {"parts": facts, "costs": _costs(facts)}


def _part(name: str, documents: Sequence[Document], sentences: Sequence[Sentence], words: Counter) -> Dict[str, Any]:
    entities = [entity for sentence in sentences for entity in sentence.entities]
    depths = [(span_depths(sentence.entities), sentence.entities) for sentence in sentences]
    lengths = [sum(len(sentence.words) for sentence in document.sentences) for document in documents]
    return {
        "name": name,
        "documents": None if [document.id for document in documents] == [None] else len(documents),
        "sentences": len(sentences),
        "words": words.total(),
        "distinct_words": len(words),
        "words_in_entities": sum(
            len({position for entity in sentence.entities for position in range(entity.start, entity.end)})
            for sentence in sentences
        ),
        "entities": len(entities),
        "types": dict(Counter(entity.label for entity in entities).most_common()),
        "lengths": _counted(entity.end - entity.start for entity in entities),
        "depths": _counted(1 + known[entity[:2]] for known, found in depths for entity in found),
        "doubled": sum(len(each.entities) - len({(e.start, e.end) for e in each.entities}) for each in sentences),
        "crossing": sum(1 for sentence in sentences for _ in crossing(ordered(sentence.entities))),
        "longest_sentence": max(len(sentence.words) for sentence in sentences),
        "longest_document": max(lengths),
        "long_documents": sum(length > _LONG_DOCUMENT for length in lengths),
        "trees": sum(sentence.heads is not None for sentence in sentences),
        "pos": _labels(sentence.pos for sentence in sentences),
        "dep_labels": _labels(sentence.dep_labels for sentence in sentences),
        "tags": _labels(None if sentence.coding_scheme else sentence.tags for sentence in sentences),
    }


def _mentions(sentence: Sentence) -> List[tuple]:
    return [(tuple(sentence.words[entity.start : entity.end]), entity.label) for entity in sentence.entities]


def _counted(numbers: Iterable[int]) -> Dict[str, int]:
    return {str(number): count for number, count in sorted(Counter(numbers).items())}


def _labels(sequences: Iterable[Optional[Sequence[str]]]) -> Dict[str, int]:
    return dict(Counter(label for sequence in sequences for label in sequence or ()).most_common())


def _share(count: int, total: int) -> Optional[float]:
    return count / total if total else None


def _costs(parts: Sequence[Mapping[str, Any]]) -> Dict[str, Any]:
    lengths, depths = (sum((Counter(part[name]) for part in parts), Counter()) for name in ("lengths", "depths"))
    longest, deepest = (max(map(int, counts), default=0) for counts in (lengths, depths))

    def lost(counts: Counter, limit: int) -> Optional[float]:
        return _share(sum(count for number, count in counts.items() if int(number) > limit), counts.total())

    return {
        "max_length": {str(limit): lost(lengths, limit) for limit in range(1, longest + 1)},
        "max_depth": {str(limit): lost(depths, limit) for limit in range(1, deepest + 1)},
    }


def description_sections(facts: Mapping[str, Any]) -> List[Section]:
    """Returns what `describe` returns as the sections of a page."""
    parts = facts["parts"]
    tables = [_table("Counts", parts, "count", _COUNTS)]
    if len(parts) > 1:
        tables.append(_table("Compared with the first part, in percent", parts[1:], "score", _SHARES))
    sections = [Section("size", "Size", (), tables)]
    if any(part["entities"] for part in parts):
        tables = [_distribution(title, parts, name) for title, name in _DISTRIBUTIONS]
        sections.append(Section("entities", "Entities", list(_advice(facts["costs"])), tables))
    for name, title in (("pos", "Parts of speech"), ("dep_labels", "Labels of arcs"), ("tags", "Tags")):
        counts = sum((Counter(part[name]) for part in parts), Counter())
        if counts:
            most = ", ".join(label for label, _ in counts.most_common(_MOST_LABELS))
            sections.append(Section(name, title, [f"{len(counts)} labels; the most frequent ones: {most}"]))
    return sections


_COUNTS = {
    "documents": "documents",
    "sentences": "sentences",
    "words": "words",
    "distinct_words": "distinct words",
    "entities": "entities",
    "words_in_entities": "words in entities",
    "doubled": "spans with several types",
    "crossing": "entities that cross another one",
    "longest_sentence": "words of the longest sentence",
    "longest_document": "words of the longest document",
    "long_documents": f"documents of more than {_LONG_DOCUMENT} words",
    "trees": "sentences with trees",
}
_SHARES = {
    "unknown_words": "words that are not in the first part",
    "unknown_entities": "entities that are not in it with this type",
    "repeated_sentences": "sentences that are in it, too",
}
_DISTRIBUTIONS = [("Type", "types"), ("Length in words", "lengths"), ("Depth of nesting", "depths")]
_BOUNDS = {"lengths": [*range(2, 12), 16, 21, 31], "depths": [2, 3, 4]}


def _table(caption: str, parts: Sequence[Mapping[str, Any]], kind: str, rows: Mapping[str, str]) -> Table:
    columns = [Column(""), *(Column(part["name"], kind) for part in parts)]
    return Table(caption, columns, [[title, *(part[name] for part in parts)] for name, title in rows.items()])


def _distribution(caption: str, parts: Sequence[Mapping[str, Any]], name: str) -> Table:
    groups = {value: [value] for part in parts for value in part[name]}
    if name in _BOUNDS:
        bounds = [bound for bound in _BOUNDS[name] if bound <= max(map(int, groups))]
        groups = {
            group: [value for value in groups if low <= int(value) < high]
            for group, (low, high) in zip(group_names(bounds, 1), pairwise([1, *bounds, inf]), strict=True)
        }
    rows = [[key, *(sum(part[name].get(v, 0) for v in values) for part in parts)] for key, values in groups.items()]
    return Table(caption, [Column(""), *(Column(part["name"], "count") for part in parts)], rows)


def _advice(costs: Mapping[str, Mapping[str, Optional[float]]]) -> Iterator[str]:
    """Says what limits cost: the shortest max_length that loses less than a tenth, and so on, and a flat model."""
    lengths = {int(limit): share for limit, share in costs["max_length"].items() if share is not None}
    for limit in dict.fromkeys(
        next(limit for limit, share in lengths.items() if share <= most) for most in (0.1, 0.05, 0.02, 0.01, 0)
    ):
        yield f"max_length {limit} loses {100 * lengths[limit]:.1f} % of the entities."
    if flat := costs["max_depth"].get("1"):
        yield f"A tagger, which finds the outermost entities alone, loses {100 * flat:.1f} % of them."
