"""
Measures `nerzoo find-label-errors`: puts errors into a corpus, and counts how many of them it finds, and how soon.

    python -m experiments.label_errors seed FILE SEEDED.txt SEEDED.jsonl [--corpus columns] [--share 0.05] [--seed 1]
    python -m experiments.label_errors score SEEDED.jsonl FOUND.jsonl

`seed` changes a share of the entities: a third of them get the type of another one, a third start or end a word earlier
or later, a third are left out. It writes the corpus as columns, and the changes as JSON lines. `score` reads these and
the output of `find-label-errors`, and prints precision at k, recall there, and recall of each kind of change. An error
that the corpus had before does not count as one, so that precision is a lower bound.
"""

import json
import random
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from experiments.common import argument_parser, read
from nerzoo.files import write_text
from nerzoo.formats.corpus import AnnotationWriter, Corpus
from nerzoo.text.annotation import Document, Entity, Sentence

CHANGES = ("type", "boundary", "deletion")
RANKS = (25, 50, 100, 200, 400, 800)
Change = Dict[str, Any]


def seed_errors(sentences: Sequence[Sentence], share: float, seed: int) -> List[Change]:
    """
    Changes a share of the entities of sentences, in place, and returns the changes: the `index` of the sentence, the
    `kind` of `CHANGES`, and the entity before (`true`) and after (`given`), `None` where it was deleted.
    """
    generator = random.Random(seed)
    places = [(index, entity) for index, sentence in enumerate(sentences) for entity in sentence.entities]
    types = sorted({entity.label for _, entity in places})
    generator.shuffle(places)
    num_changes = round(share * len(places))
    changes: List[Change] = []
    for index, entity in places:
        if len(changes) == num_changes:
            break
        kind = CHANGES[len(changes) % len(CHANGES)]
        given: Optional[Entity] = None
        if kind == "type":
            given = entity._replace(label=generator.choice([label for label in types if label != entity.label]))
        elif kind == "boundary":
            moved = list(_moved(entity, sentences[index]))
            if not moved:
                continue
            given = generator.choice(moved)
        others = [other for other in sentences[index].entities if other != entity]
        sentences[index].entities = sorted([*others, *([] if given is None else [given])])
        changes.append({"index": index, "kind": kind, "true": entity, "given": given})
    return changes


def _moved(entity: Entity, sentence: Sentence) -> Iterator[Entity]:
    """Yields the entity with its start or end moved by a word, where it still has words and shares none with others."""
    taken = {word for other in sentence.entities if other != entity for word in range(other.start, other.end)}
    for start, end in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        moved = entity._replace(start=entity.start + start, end=entity.end + end)
        words = range(moved.start, moved.end)
        if words and moved.start >= 0 and moved.end <= len(sentence.words) and taken.isdisjoint(words):
            yield moved


def hits(changes: Sequence[Change], found: Sequence[Dict[str, Any]]) -> List[Optional[int]]:
    """The number of the change that each found error is: the annotated entity is wrong, or one is missing."""
    given = {(change["index"], *change["given"]): n for n, change in enumerate(changes) if change["given"] is not None}
    deleted = [(change["index"], *change["true"], n) for n, change in enumerate(changes) if change["given"] is None]
    numbers: List[Optional[int]] = []
    for error in found:
        if error["annotated"] is not None:
            numbers.append(given.get((error["index"], *(error["annotated"][key] for key in ("start", "end", "label")))))
            continue
        (believed,) = error["believed"]
        same = [
            number
            for index, start, end, _, number in deleted
            if index == error["index"] and start < believed["end"] and believed["start"] < end
        ]
        numbers.append(same[0] if same else None)
    return numbers


def table(changes: Sequence[Change], found: Sequence[Dict[str, Any]]) -> List[Tuple[str, ...]]:
    """A header, and a row for each of `RANKS` and for all errors that were found."""
    numbers = hits(changes, found)
    rows: List[Tuple[str, ...]] = [("k", "precision", "recall", *(f"recall of {kind}" for kind in CHANGES))]
    for rank in [*(rank for rank in RANKS if rank < len(found)), len(found)]:
        known = {number for number in numbers[:rank] if number is not None}
        shares = [len(known) / max(rank, 1), len(known) / len(changes)]
        for kind in CHANGES:
            same_kind = {number for number, change in enumerate(changes) if change["kind"] == kind}
            shares.append(len(known & same_kind) / max(len(same_kind), 1))
        rows.append((str(rank), *(f"{value:.3f}" for value in shares)))
    return rows


def main() -> None:
    parser = argument_parser(__doc__)
    steps = parser.add_subparsers(required=True, dest="step")
    seeding = steps.add_parser("seed")
    seeding.add_argument("input")
    seeding.add_argument("output")
    seeding.add_argument("changes", type=Path)
    seeding.add_argument("--corpus", default="columns")
    seeding.add_argument("--share", type=float, default=0.05)
    seeding.add_argument("--seed", type=int, default=1)
    scoring = steps.add_parser("score")
    scoring.add_argument("changes", type=Path)
    scoring.add_argument("found", type=Path)
    arguments = parser.parse_args()
    if arguments.step == "score":
        for row in table(read(arguments.changes, ("index", "kind")), read(arguments.found, ("index", "believed"))):
            print(f"| {' | '.join(row)} |")
        return
    documents: List[Document] = list(Corpus.by_name(arguments.corpus)().read(arguments.input))
    sentences = [sentence for document in documents for sentence in document.sentences]
    changes = seed_errors(sentences, arguments.share, arguments.seed)
    AnnotationWriter.by_name("columns")().write_all(documents, arguments.output)
    write_text(arguments.changes, "".join(json.dumps(change) + "\n" for change in changes))
    print(f"changed {len(changes)} entities")


if __name__ == "__main__":
    main()
