"""Reports: scores of systems, by groups of entities, and their errors."""

from bisect import bisect
from collections import Counter, defaultdict
from datetime import UTC, datetime
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple, Union

import numpy
from allennlp.common.checks import ConfigurationError

from nerzoo.evaluation.gold import CORRECT, match_entities, read_gold
from nerzoo.evaluation.label_errors import LabelError, disagreements, has_gold_probabilities
from nerzoo.files import check_is_new, write_json
from nerzoo.formats.corpus import Corpus, data_facts
from nerzoo.formats.jsonl import Prediction
from nerzoo.formats.lines import local_path
from nerzoo.inference.sentence_index import SentenceIndex
from nerzoo.reports.sections import report_sections
from nerzoo.reports.systems import (
    System,
    averaged,
    compare_systems,
    entity_reliability,
    errors_and_confusion,
    f1_interval,
    read_systems,
    scheme_counts,
    scores,
)
from nerzoo.reports.tables import write_pages
from nerzoo.text.annotation import Entity
from nerzoo.text.matching import DEPTHS, MatchCounter, depth_group, nesting_depth
from nerzoo.version import __version__

NEAR_DUPLICATE = 0.8
"""The lowest similarity of near-duplicates, see `SentenceIndex`."""


class TrainingData:
    """
    The training data of a system, sentences with their gold entities, with which the sentences of an evaluation are
    compared.
    """

    def __init__(self, sentences: Sequence[Prediction]) -> None:
        self.word_counts = Counter(word for sentence in sentences for word in sentence.words)
        self.mentions: Dict[Tuple[str, ...], Set[str]] = defaultdict(set)
        """The types of each mention, by its words."""
        self._locations = [sentence.location for sentence in sentences]
        self._first_with: Dict[Tuple[str, ...], int] = {}
        self._index = SentenceIndex(NEAR_DUPLICATE)
        self._found: Dict[Tuple[str, ...], Optional[Tuple[str, float]]] = {}
        for number, sentence in enumerate(sentences):
            self._first_with.setdefault(tuple(sentence.words), number)
            self._index.add(sentence.words)
            for entity in sentence.gold:
                self.mentions[tuple(sentence.words[entity.start : entity.end])].add(entity.label)

    def familiarity(self, words: Sequence[str], label: str) -> str:
        """
        Returns whether training data has the words as a mention: `"unseen"`; `"seen"`, of this type alone; or
        `"ambiguous"`, of another type or of several.
        """
        types = self.mentions.get(tuple(words))
        if types is None:
            return "unseen"
        return "seen" if types == {label} else "ambiguous"

    def repetition(self, words: Sequence[str]) -> str:
        """
        Returns whether training data has the sentence: `"duplicate"`, with the same words, as they are written;
        `"near-duplicate"`, a sentence with a similarity of at least `NEAR_DUPLICATE`; or `"new"`.
        """
        if tuple(words) in self._first_with:
            return "duplicate"
        return "new" if self.most_similar(words) is None else "near-duplicate"

    def most_similar(self, words: Sequence[str]) -> Optional[Tuple[str, float]]:
        """
        Returns the location of a sentence with the same words, and 1; or the location of the most similar sentence, and
        its similarity, if this is at least `NEAR_DUPLICATE`.
        """
        key = tuple(words)
        if key in self._first_with:
            return self._locations[self._first_with[key]], 1.0
        if key not in self._found:
            similar = [(similarity, -number) for number, similarity in self._index.similar(words)]
            similarity, negated_number = max(similar, default=(0.0, 0))
            is_near = similarity >= NEAR_DUPLICATE
            self._found[key] = (self._locations[-negated_number], similarity) if is_near else None
        return self._found[key]

    def facts(self, sentences: Sequence[Prediction]) -> Dict[str, Any]:
        """
        Returns the `training` of a report: numbers of sentences and mentions of the training data, the shares of the
        words of some sentences that it does not have, and the sentences that it does have.
        """
        words = [word for sentence in sentences for word in sentence.words]
        unknown = [word for word in words if word not in self.word_counts]
        repeated = [
            {
                "index": index,
                "location": sentence.location,
                "words": sentence.words,
                "num_entities": len(sentence.gold),
                "training_location": found[0],
                "similarity": found[1],
                "kind": self.repetition(sentence.words),
            }
            for index, sentence in enumerate(sentences)
            if (found := self.most_similar(sentence.words)) is not None
        ]
        kinds = Counter(sentence["kind"] for sentence in repeated)
        return {
            "num_sentences": len(self._locations),
            "num_mentions": len(self.mentions),
            "num_words": self.word_counts.total(),
            "out_of_vocabulary": {"tokens": len(unknown) / len(words), "words": len({*unknown}) / len({*words})},
            "num_duplicates": kinds["duplicate"],
            "num_near_duplicates": kinds["near-duplicate"],
            "repeated_sentences": repeated,
        }


Group = Callable[[Prediction, Entity, Sequence[Entity]], str]
"""Returns the group of an entity of a sentence, given all gold or all predicted entities of the sentence."""


class Grouping(NamedTuple):
    """A division of entities into groups, each of which gets strict scores of its own."""

    name: str
    title: str
    names: Sequence[str]
    """The groups, in order."""
    group: Group
    note: str = ""

    def scores(self, sentences: Sequence[Prediction]) -> List[Dict[str, Any]]:
        """
        Returns for each group its `name`, the numbers of `gold` and `predicted` entities, the number of found gold ones
        (`correct_of_gold`) and of correct predicted ones (`correct`), which differ where a group depends on the other
        entities, and `precision`, `recall` and `f1`. 0 / 0 is 0.
        """
        counter = MatchCounter()
        for sentence in sentences:
            counter.add(sentence.predicted, sentence.gold, partial(self.group, sentence))
        found = []
        for name in self.names:
            counts = counter.counts[name]
            sizes = {"name": name, "gold": counts.num_gold, "predicted": counts.num_predicted}
            correct = {"correct": counts.num_correct, "correct_of_gold": counts.num_found}
            found.append({**sizes, **correct, **counts.scores()})
        return found


BOUNDS = (1, 2, 5, 20, 100)


def group_names(bounds: Sequence[int], lowest: int = 0) -> List[str]:
    """
    Returns the names of the groups into which bounds divide the numbers from `lowest` on: `"0"`, `"1-4"` and `"5-"` for
    1 and 5. Raises `ConfigurationError` where bounds do not rise from above `lowest`.
    """
    edges = [lowest, *bounds]
    if any(low >= high for low, high in zip(edges, edges[1:], strict=False)):
        expected = f"numbers that rise, the first of them {lowest + 1} or more"
        raise ConfigurationError(f"found the bounds {bounds}, expected {expected}")
    names = [f"{low}-{high - 1}" if high - low > 1 else str(low) for low, high in zip(edges, edges[1:], strict=False)]
    return [*names, f"{edges[-1]}-"]


def by_frequency(frequencies: Mapping[str, int], bounds: Sequence[int]) -> Callable[[Sequence[str]], str]:
    """Makes the function that returns the group of words by the frequency of the rarest of them."""
    names = group_names(bounds)
    return lambda words: names[bisect(bounds, min(frequencies.get(word, 0) for word in words))]


def groupings(sentences: Sequence[Prediction], training: Optional[TrainingData]) -> Iterator[Grouping]:
    """Yields the groupings that the gold entities of sentences, and training data, if known, allow."""
    yield _by_number("length", "length of the entity", (2, 3, 4, 5, 7), lambda _, entity, __: entity.end - entity.start)
    if any(nesting_depth(entity, sentence.gold) for sentence in sentences for entity in sentence.gold):
        yield Grouping(
            "depth",
            "depth",
            DEPTHS,
            lambda _, entity, entities: DEPTHS[depth_group(entity, entities)],
            "The number of entities around an entity: among gold ones for recall, among predicted ones for precision.",
        )
    length_title, position_title = "length of the sentence", "position of the sentence in its document"
    yield _by_number("sentence_length", length_title, (6, 11, 21, 41), lambda sentence, *_: len(sentence.words))
    positions = [sentence.position for sentence in sentences]
    if None not in positions and positions.count(1) > 1:
        yield _by_number("position", position_title, (2, 6, 21), lambda sentence, *_: sentence.position)
    if training is not None:
        yield from _by_training(training)


def _by_number(name: str, title: str, bounds: Sequence[int], number: Callable[..., int]) -> Grouping:
    names = group_names(bounds, lowest=1)
    return Grouping(name, title, names, lambda *entity: names[bisect(bounds, number(*entity))])


def _by_training(training: TrainingData) -> Iterator[Grouping]:
    frequency = by_frequency(training.word_counts, BOUNDS)
    yield Grouping(
        "familiarity",
        "mention in training data",
        ("seen", "ambiguous", "unseen"),
        lambda sentence, entity, _: training.familiarity(_words(sentence, entity), entity.label),
        "seen: training data has the same words, as they are written, as a mention of this type alone; ambiguous: of "
        "another type or of several; unseen: of none.",
    )
    yield Grouping(
        "vocabulary",
        "words of the entity",
        ("all known", "some unknown"),
        lambda sentence, entity, _: (
            "all known" if all(map(training.word_counts.__contains__, _words(sentence, entity))) else "some unknown"
        ),
        "Known: training data has the word, as it is written.",
    )
    yield Grouping(
        "frequency",
        "frequency in training data",
        group_names(BOUNDS),
        lambda sentence, entity, _: frequency(_words(sentence, entity)),
        "How often training data has the rarest word of the entity.",
    )
    yield Grouping(
        "repetition",
        "sentence in training data",
        ("duplicate", "near-duplicate", "new"),
        lambda sentence, *_: training.repetition(sentence.words),
        "duplicate: training data has the sentence; near-duplicate: one that has at least "
        f"{100 * NEAR_DUPLICATE:.0f} % of the words of both in common, in lower case.",
    )


def _words(sentence: Prediction, entity: Entity) -> Sequence[str]:
    return sentence.words[entity.start : entity.end]


def report_from_files(
    files: Sequence[Sequence[str]],
    names: Optional[Sequence[str]] = None,
    gold_file: Optional[str] = None,
    train_file: Optional[str] = None,
    corpus: Optional[Corpus] = None,
    config_file: Optional[str] = None,
    predictions_corpus: Optional[Corpus] = None,
    num_resamples: int = 9999,
    seed: int = 13370,
    command: Optional[str] = None,
) -> Dict[str, Any]:
    """
    Reports on files of predictions, each of which is read once, see `build_report`. `files` and `names` are as in
    `read_systems`. Without `gold_file`, the predictions hold the gold entities; `train_file` is the training data of
    the systems. `corpus` is the format of both or, instead, `config_file` is a configuration for `read_gold`;
    `predictions_corpus` is the format of the predictions, by default what `allennlp predict` writes. The `origin` of
    the report has the `command`, the date, and the hashes of all files. Raises `ConfigurationError` as `read_systems`
    does, and where the format of gold or training data is given not at all or twice.
    """
    source = corpus or config_file
    if (corpus is not None and config_file is not None) or ((gold_file or train_file) and source is None):
        found = "neither of --corpus and --config" if corpus is None else "both --corpus and --config"
        raise ConfigurationError(f"found {found}, expected one of them, which reads --gold and --train")
    if num_resamples < 1:
        raise ConfigurationError(f"found --num-resamples {num_resamples}, expected at least 1")

    def annotated(path: Optional[str]) -> Optional[List[Prediction]]:
        return None if path is None or source is None else read_gold(path, source)

    systems = read_systems(files, names, annotated(gold_file), gold_file or "", predictions_corpus)
    run = systems[0].runs[0]
    errors = disagreements(run) if gold_file is None and has_gold_probabilities(run) else ()
    report = build_report(systems, annotated(train_file), errors, num_resamples, seed)
    kinds = {f"predictions of {system.name}": system.files for system in systems}
    if gold_file is not None:
        kinds["gold entities"] = [gold_file]
    if train_file is not None:
        kinds["training data"] = [train_file]
    return {**report, "origin": _origin(command, kinds)}


def _origin(command: Optional[str], kinds: Mapping[str, Sequence[str]]) -> Dict[str, Any]:
    files = [
        {"kind": kind, "path": path, "sha256": data_facts(Path(local_path(path)), None).sha256}
        for kind, paths in kinds.items()
        for path in paths
    ]
    return {
        "command": command,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": __version__,
        "files": files,
    }


def write_report(
    report: Dict[str, Any], folder: Union[str, PathLike], title: str = "Report", num_sentences: int = 200
) -> None:
    """
    Writes what `build_report` returns into a new folder: `report.json`, `report.md` and `report.html`. A table of the
    page has at most `num_sentences`, one of the Markdown at most 20; the JSON has all. Raises `ConfigurationError`
    where the folder exists.
    """
    check_is_new(folder)
    folder = Path(folder)
    folder.mkdir(parents=True)
    write_json(folder / "report.json", report)
    page, markdown = (report_sections(report, most) for most in (num_sentences, min(num_sentences, 20)))
    write_pages(folder, title, page, markdown, report["warnings"])


def build_report(
    systems: Sequence[System],
    training: Optional[Sequence[Prediction]] = None,
    label_errors: Sequence[LabelError] = (),
    num_resamples: int = 9999,
    seed: int = 13370,
) -> Dict[str, Any]:
    """
    Scores systems on the same sentences, and lists their errors: the data that docs/reporting.md describes, of numbers,
    strings, lists and dictionaries alone. The numbers of a system with several runs are means over them. `training` is
    the training data of the systems, with its gold entities, and `label_errors` are the probable annotation errors by
    the first run of the first system. `compare_systems` compares each further system with the first one.
    """
    sentences = systems[0].runs[0]
    every = [sentence for system in systems for run in system.runs for sentence in run]
    types = sorted({entity.label for sentence in every for entity in (*sentence.gold, *sentence.predicted)})
    known = None if training is None else TrainingData(training)
    divisions = list(groupings(sentences, known))
    report: Dict[str, Any] = {
        "origin": None,
        "data": _data(sentences, types),
        "systems": [
            {**_system(system, types, divisions), "f1_interval": f1_interval(system, num_resamples, seed)}
            for system in systems
        ],
        "groupings": [{"name": each.name, "title": each.title, "note": each.note} for each in divisions],
        "training": None if known is None else known.facts(sentences),
        "comparisons": [compare_systems(systems[0], other, types, num_resamples, seed) for other in systems[1:]],
        "sentences": sentence_errors(systems),
        "label_errors": [error.to_json() for error in label_errors],
    }
    return {"warnings": list(_warnings(report, known)), **report}


def _data(sentences: Sequence[Prediction], types: Sequence[str]) -> Dict[str, Any]:
    labels = [entity.label for sentence in sentences for entity in sentence.gold]
    documents = {sentence.document_id for sentence in sentences}
    return {
        "num_sentences": len(sentences),
        "num_documents": None if None in documents else len(documents),
        "num_words": sum(len(sentence.words) for sentence in sentences),
        "num_entities": len(labels),
        "types": {type_: labels.count(type_) for type_ in types},
    }


def _system(system: System, types: Sequence[str], divisions: Sequence[Grouping]) -> Dict[str, Any]:
    runs = [
        {
            "scores": scores(scheme_counts(run)),
            "by_type": {type_: scores(scheme_counts(run, type_)) for type_ in types},
            **errors_and_confusion(run, types),
            "groups": {division.name: division.scores(run) for division in divisions},
        }
        for run in system.runs
    ]
    f1 = [run["scores"]["strict"]["f1"] for run in runs]
    pooled = [sentence for run in system.runs for sentence in run]
    return {
        "name": system.name,
        "files": system.files,
        "f1_of_runs": f1,
        "standard_deviation": float(numpy.std(f1, ddof=1)) if len(f1) > 1 else None,
        **averaged(runs),
        "calibration": entity_reliability(pooled, types),
    }


def sentence_errors(systems: Sequence[System]) -> List[Dict[str, Any]]:
    """
    Describes the sentences with errors in some run of some system, the sentences with the most errors first: `index`,
    from 0, `location`, `document_id`, `words`, the `gold` entities, `num_errors`, the sum over systems of their means
    over runs, and for each of the `systems` its `num_errors` and `runs`: the `predicted` entities, and the `errors`,
    each with its `kind`, the `gold` and the `predicted` entity, either of which may be `None`.
    """
    found = []
    for index, sentence in enumerate(systems[0].runs[0]):
        described: List[Dict[str, Any]] = []
        for system in systems:
            sentences = [run[index] for run in system.runs]
            runs = [{"predicted": each.predicted_json(), "errors": list(_errors(each))} for each in sentences]
            num_errors = sum(len(run["errors"]) for run in runs) / len(runs)
            described.append({"name": system.name, "num_errors": num_errors, "runs": runs})
        total = sum(system["num_errors"] for system in described)
        if total:
            found.append(
                {
                    "index": index,
                    "location": sentence.location,
                    "document_id": sentence.document_id,
                    "words": sentence.words,
                    "gold": [entity._asdict() for entity in sentence.gold],
                    "num_errors": total,
                    "systems": described,
                }
            )
    return sorted(found, key=lambda entry: -entry["num_errors"])


def _errors(sentence: Prediction) -> Iterator[Dict[str, Any]]:
    for match in match_entities(sentence.gold, sentence.predicted):
        if match.kind != CORRECT:
            sides = {name: entity and entity._asdict() for name, entity in match._asdict().items()}
            yield {"kind": match.kind, **sides}


def _warnings(report: Dict[str, Any], training: Optional[TrainingData]) -> Iterator[str]:
    data = report["data"]
    if not data["num_entities"]:
        yield "The gold annotation has no entity: there is nothing to find, and recall and F1 are 0."
    for system in report["systems"]:
        if not system["scores"]["strict"]["predicted"]:
            yield f"{system['name']} predicts no entity."
        absent = [type_ for type_, count in data["types"].items() if not count]
        invented = [type_ for type_ in absent if system["by_type"][type_]["strict"]["predicted"]]
        if invented:
            yield f"{system['name']} predicts types that no gold entity has: {', '.join(invented)}."
    if report["comparisons"] and data["num_sentences"] < 2:
        yield "Of one sentence there are no intervals and no p values."
    if training is None:
        return
    facts = report["training"]
    trained: List[str] = sorted(set().union(*training.mentions.values()))
    unseen = [type_ for type_, count in data["types"].items() if count and type_ not in trained]
    if unseen:
        yield f"Training data has no entity of these types: {', '.join(unseen)}."
    repeated = facts["repeated_sentences"]
    if repeated:
        with_entities = sum(sentence["num_entities"] > 0 for sentence in repeated)
        duplicates = f"{facts['num_duplicates']} of the {data['num_sentences']} sentences"
        duplicates += f", and near-duplicates of {facts['num_near_duplicates']} more"
        effect = ", so that scores may be too high" if with_entities else ""
        yield f"Training data has {duplicates}; {with_entities} of all these have entities{effect}."
