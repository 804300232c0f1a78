"""Teachers of a distillation: models that label texts, and files with the predictions of other systems."""

import json
from collections import Counter, defaultdict
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from allennlp.common.checks import ConfigurationError

from nerzoo.errors import format_error
from nerzoo.files import written_whole
from nerzoo.formats.corpus import log_counts
from nerzoo.formats.jsonl import sentence_from_json, sentence_objects, sentence_to_json
from nerzoo.formats.lines import is_label, is_probability, json_objects, read_lines
from nerzoo.formats.standoff import CharacterSpan, TextSplitter, Word
from nerzoo.inference.sources import Source, SourceItem
from nerzoo.inference.tag import tag
from nerzoo.inference.tagger import Tagger
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.text.annotation import Entity, Sentence, ordered
from nerzoo.text.splitting import split_text

LABELS_NAME = "labelled.jsonl"


def load_teacher(archive: str) -> Tagger:
    """Loads a teacher. Raises `ConfigurationError` where it does not find entities."""
    tagger = Tagger.load(archive, engine="torch")
    model = tagger.predictor.model
    if not getattr(model, "types", None):
        raise format_error(archive, "a model that finds no entities", "a tagger of entities, or a .jsonl file of them")
    return tagger


def check_texts(source: Source, texts: str) -> None:
    """Raises `ConfigurationError` where there is no text, or one in which a teacher would find only some types."""
    is_empty = True
    for item in source(texts):
        is_empty = False
        if isinstance(item.inputs, dict) and item.inputs.get("types") is not None:
            raise format_error(item.location, f"the types {item.inputs['types']!r}", "a text for all types")
    if is_empty:
        raise format_error(texts, "no text", "at least one")


def write_labels(
    teachers: Sequence[str], loaded: Sequence[Optional[Tagger]], source: Source, texts: str, output: Path
) -> None:
    """Writes the predictions of all teachers, archives or files of predictions, and `labelled.jsonl`, combined."""
    streams = []
    for number, (path, tagger) in enumerate(zip(teachers, loaded, strict=True), start=1):
        if tagger is None:
            streams.append(_predictions(path, source, texts))
            continue
        labels = output / f"teacher-{number}.jsonl"
        model = tagger.predictor.model
        with model.more_outputs(["marginals"]) if isinstance(model, TaggingModel) else nullcontext():
            tag(tagger, source, [texts], labels, resume=True)
        streams.append(labelled_sentences(labels))
    with written_whole(output / LABELS_NAME) as unfinished, unfinished.open("w", encoding="utf-8") as file:
        # All characters of the texts are in words: other sentences have other words before their number is another one.
        for parts in zip(*streams, strict=True):
            sentence = combined(parts)
            obj = {**sentence_to_json(sentence), "confidence": confidence(sentence)}
            file.write(json.dumps(obj, ensure_ascii=False) + "\n")


def labelled_sentences(path: Path) -> Iterator[Sentence]:
    """Yields the sentences of predictions that have words."""
    for line, obj in json_objects(read_lines(path)):
        for part in sentence_objects(obj, line):
            if part["words"]:
                yield sentence_from_json(part, line)


def combined(parts: Sequence[Sentence]) -> Sentence:
    """
    Combines the labels of several teachers for a sentence. Entities have the mean of their probabilities, 0 where a
    teacher has not found them and 1 where it gives none, and are kept above one half: no two of them cross. Marginals
    are averaged, if all teachers have them. Raises `ConfigurationError` where words differ.
    """
    first, *others = parts
    if not others:
        return first
    for other in others:
        if other.words != first.words:
            found = f"the words {' '.join(other.words)!r}"
            raise format_error(other.location, found, f"those of {first.location}, {' '.join(first.words)!r}")
    means: Dict[Entity, float] = defaultdict(float)
    for part in parts:
        for entity, probability in zip(part.entities, part.probabilities or repeat(1.0), strict=False):
            means[entity] += probability / len(parts)
    entities = ordered(entity for entity, mean in means.items() if mean > 0.5)
    marginals = None
    if all(part.marginals is not None for part in parts):
        marginals = [_mean(words) for words in zip(*(part.marginals or [] for part in parts), strict=True)]
    return replace(first, entities=entities, probabilities=[means[entity] for entity in entities], marginals=marginals)


def confidence(sentence: Sentence) -> float:
    """
    Returns the lowest probability of what was found in a sentence: of its entities and, if there are marginals, of O at
    its other words, so that an entity that the teacher was about to find counts, too.
    """
    found = list(sentence.probabilities or ())
    inside = {position for entity in sentence.entities for position in range(entity.start, entity.end)}
    outside = [word.get("O", 0.0) for place, word in enumerate(sentence.marginals or ()) if place not in inside]
    return min([*found, *outside], default=1.0)


def _mean(words: Tuple[Dict[str, float], ...]) -> Dict[str, float]:
    total: Dict[str, float] = defaultdict(float)
    for tag_name, probability in chain.from_iterable(word.items() for word in words):
        total[tag_name] += probability / len(words)
    return {name: round(mean, 6) for name, mean in total.items()}


def _predictions(path: str, source: Source, texts: str) -> Iterator[Sentence]:
    """
    Yields the sentences of a file of predictions, one line for each text, with their entities. Entities that begin or
    end within a word get the whole word. Raises `ConfigurationError` where the file is not that of the texts.
    """
    splitter = _RuleSplitter(boundaries="widen")
    counts: Counter = Counter()
    predictions = json_objects(read_lines(path))
    for item in source(texts):
        text = _text(item)
        line, obj = next(predictions, (None, {}))
        if obj.get("text") != text:
            expected = f"{text!r}, the text at {item.location}"
            raise format_error(line or path, f"the text {obj.get('text')!r}" if line else "no more lines", expected)
        location = str(line)
        spans = _spans(obj, text, location)
        yield from splitter.document(None, text, spans, partial("{0}".format, location), counts).sentences
    rest = next(predictions, None)
    if rest is not None:
        raise format_error(rest[0], "a prediction after the last one", f"one for each text of {texts}")
    log_counts(path, counts)


class _RuleSplitter(TextSplitter):
    """Splits texts as taggers do, so that the words of all teachers are the same."""

    def words(self, text: str) -> List[List[Word]]:
        return [
            [(start, start + len(word)) for word, start in zip(part.words, part.offsets, strict=True)]
            for part in split_text(text)
        ]


def _text(item: SourceItem) -> str:
    if isinstance(item.inputs, Exception):
        raise ConfigurationError(f"{item.location}: {item.inputs}") from item.inputs
    text = item.inputs.get("text") if isinstance(item.inputs, dict) else item.inputs
    if not isinstance(text, str):
        raise format_error(item.location, f"the input {item.inputs!r}", 'a text, {"text": "..."}')
    return text


def _spans(obj: Dict[str, Any], text: str, location: str) -> List[CharacterSpan]:
    """
    Reads `entities`, objects with `start_char`, `end_char`, `label` and perhaps `probability` or, as GLiNER writes
    them, with `start`, `end`, `label` and `score`; `text`, if it is there, must be the characters of the entity. Where
    some entities of a text have a probability, that of the others is 1.
    """
    values = obj.get("entities")
    if not isinstance(values, list):
        raise format_error(location, f"the entities {values!r}", "a list")
    spans = []
    for value in values:
        known: Dict[str, Any] = value if isinstance(value, dict) else {}
        start: Any = known.get("start_char", known.get("start"))
        end: Any = known.get("end_char", known.get("end"))
        label, probability = known.get("label", ""), known.get("probability", known.get("score"))
        is_span = type(start) is type(end) is int and is_label(label)
        if not is_span or not (probability is None or is_probability(probability)):
            expected = "an object with start_char, end_char and label, and perhaps a probability"
            raise format_error(location, f"the entity {value!r}", expected)
        if known.get("text", text[start:end]) != text[start:end]:
            expected = f"the text {text[start:end]!r}, from {start} to {end}"
            raise format_error(location, f"the entity {value!r}", expected)
        spans.append(CharacterSpan(start, end, label, location, probability))
    if any(span.probability is not None for span in spans):
        return [span._replace(probability=1.0) if span.probability is None else span for span in spans]
    return spans
