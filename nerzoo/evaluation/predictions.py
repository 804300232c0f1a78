"""Reads the sentences of files of predictions, and those of a file with the gold annotation, to be scored."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, cast

from allennlp.data import DatasetReader
from allennlp.data.fields import MetadataField

from nerzoo.archives import reader_configuration
from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.json_text import json_object
from nerzoo.formats.jsonl import sentence_from_json
from nerzoo.formats.lines import Line, read_lines
from nerzoo.text.tag_schemes import tags_to_entities


class ScoredSentence(NamedTuple):
    """
    A sentence of a file, with the kind of annotation that is scored: its `tags` or its `entities`. Or a thread: its
    `words` are the ids of its posts, and scored are its `links`, those of each post.
    """

    location: object
    """Where it stands, for error messages."""
    words: List[str]
    annotation: Sequence
    """The predicted annotation in a file of predictions, the gold one in a file with the gold annotation."""
    gold: Optional[Sequence] = None
    """In a file of predictions, the gold annotation, where it has it."""
    probabilities: Optional[Sequence[float]] = None
    """Those of entities, where a model has found them."""
    document_id: Optional[str] = None


def read_predictions(path: str, kind: str) -> List[ScoredSentence]:
    """
    Reads what `allennlp predict` has written for a tagger, of sentences or of threads.

    # Parameters

    path : `str`
    kind : `str`
        `"tags"`, `"entities"` or `"links"`.

    # Raises

    `ConfigurationError`, naming file and line, where a sentence lacks the annotation, or is none.
    """
    sentences = []
    for line in read_lines(path):
        if line.is_blank:
            continue
        obj = json_object(line)
        if kind == "links":
            sentences.append(_thread(obj, line))
            continue
        if obj.get(kind) is None:
            raise format_error(line, f"no {kind}", f"{kind}, which the metric is of")
        sentence = sentence_from_json({"words": obj.get("words"), kind: obj[kind]}, line)
        gold: Optional[Sequence] = None
        if kind == "entities" and obj.get("gold_entities") is not None:
            # Nested ones, too, which tags have no room for.
            gold = sentence_from_json({"words": sentence.words, "entities": obj["gold_entities"]}, line).entities
        elif obj.get("gold_tags") is not None:
            tags = sentence_from_json({"words": sentence.words, "tags": obj["gold_tags"]}, line).tags
            gold = _of_tags(tags or [], kind)
        document_id = None if obj.get("doc_id") is None else str(obj["doc_id"])
        annotation = getattr(sentence, kind)
        sentences.append(ScoredSentence(line, sentence.words, annotation, gold, sentence.probabilities, document_id))
    return sentences


def read_corpus(path: str, corpus: Corpus) -> List[ScoredSentence]:
    """
    Reads the entities of a corpus, gold ones or what some system has predicted.

    # Raises

    `ConfigurationError`, naming file and line, where words have labels of their own in place of entities.
    """
    sentences = []
    for document in corpus.read(path):
        for sentence in document.sentences:
            if sentence.tags is not None:
                raise format_error(sentence.location, "a label for each word", "entities")
            found = ScoredSentence(sentence.location, sentence.words, sentence.entities)
            sentences.append(found._replace(probabilities=sentence.probabilities, document_id=document.id))
    return sentences


def read_gold(path: str, config_file: str, kind: str) -> List[ScoredSentence]:
    """
    Reads the gold annotation of a file.

    # Parameters

    path : `str`
    config_file : `str`
        A configuration whose `validation_dataset_reader`, or else its `dataset_reader`, reads the file.
    kind : `str`
        `"tags"`, `"entities"` or `"links"`.

    # Raises

    `ConfigurationError` where the reader does not give the annotation.
    """
    config = reader_configuration(config_file)
    reader = DatasetReader.from_params(config.get("validation_dataset_reader") or config["dataset_reader"])
    sentences: List[ScoredSentence] = []
    for instance in reader.read(path):
        metadata = cast(MetadataField, instance["metadata"]).metadata
        # Of a document, that of each of its sentences.
        for sentence in metadata.get("sentences", [metadata]):
            location = f"{path}, {'thread' if kind == 'links' else 'sentence'} {len(sentences) + 1}"
            annotation = _gold_annotation(sentence, kind)
            if annotation is None:
                what = "links" if kind == "links" else "tags"
                raise format_error(location, f"no {what}", f"a dataset reader in {config_file} that gives {what}")
            words = sentence["post_ids" if kind == "links" else "words"]
            sentences.append(ScoredSentence(location, words, annotation, document_id=metadata.get("document_id")))
    return sentences


def _gold_annotation(metadata: Dict[str, Any], kind: str) -> Optional[Sequence]:
    if kind == "links":
        return metadata.get("gold_links")
    if kind == "entities" and "gold_entities" in metadata:
        return metadata["gold_entities"]
    return _of_tags(metadata["gold_tags"], kind) if "gold_tags" in metadata else None


def check_same_words(
    found: List[ScoredSentence], path: str, expected: List[ScoredSentence], expected_path: str
) -> None:
    """Raises `ConfigurationError` where two files do not have the same sentences in the same order."""
    if len(found) != len(expected):
        raise format_error(path, f"{len(found)} sentences", f"{len(expected)} as in {expected_path}")
    for sentence, other in zip(found, expected, strict=True):
        if sentence.words != other.words:
            what = f"{' '.join(other.words)!r} as in {other.location}: the same sentences in the same order"
            raise format_error(sentence.location, repr(" ".join(sentence.words)), what)


def gold_of_predictions(sentences: Sequence[ScoredSentence]) -> Sequence:
    """
    Returns the gold annotation that the predictions of several runs for a sentence have, or some of them. Raises
    `ConfigurationError` where none has it, or they differ.
    """
    known = [sentence for sentence in sentences if sentence.gold is not None]
    if not known:
        others = ", ".join(str(sentence.location) for sentence in sentences[1:])
        found = "no gold annotation" + (f", and none in {others}" if others else "")
        expected = "gold_tags, gold_entities or gold_links, as `predict --use-dataset-reader` writes them, or --gold"
        raise format_error(sentences[0].location, found, expected)
    for sentence in known[1:]:
        if sentence.gold != known[0].gold:
            expected = f"{known[0].gold} as in {known[0].location}"
            raise format_error(sentence.location, f"the gold annotation {sentence.gold}", expected)
    return cast(Sequence, known[0].gold)


def _of_tags(tags: List[str], kind: str) -> Sequence:
    # The same entities whatever the scheme, which conlleval is not told either.
    return tags if kind == "tags" else tags_to_entities(tags, "BIO")


def _thread(obj: Dict[str, Any], line: Line) -> ScoredSentence:
    posts = obj.get("posts")
    if not isinstance(posts, list) or not posts:
        raise format_error(line, "no posts", "those of a thread, whose links the metric is of")
    for post in posts:
        _check_keys(post, "post", ("id", "link", "act"), line)
        for link in post.get("gold_links") or []:
            _check_keys(link, "link", ("to", "act"), line)
    predicted = [[(post["link"], post["act"])] for post in posts]
    gold = None
    if all(post.get("gold_links") for post in posts):
        gold = [[(link["to"], link["act"]) for link in post["gold_links"]] for post in posts]
    return ScoredSentence(line, [str(post["id"]) for post in posts], predicted, gold)


def _check_keys(value: Any, what: str, keys: Sequence[str], line: Line) -> None:
    if not isinstance(value, dict) or not value.keys() >= {*keys}:
        raise format_error(line, f"the {what} {value!r}", f"an object with {', '.join(keys)}")
