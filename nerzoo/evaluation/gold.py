"""Gold annotation: its files, and predictions beside it."""

from typing import Any, Dict, List, Optional, Sequence, Union, cast

from allennlp.data import DatasetReader
from allennlp.data.fields import MetadataField

from nerzoo.archives import reader_configuration
from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.predictions import Prediction, read_corpus, read_predictions
from nerzoo.text.tag_schemes import tags_to_entities


def read_gold(path: str, source: Union[Corpus, str], kind: str = "entities") -> List[Prediction]:
    """
    Reads the gold annotation of a file, of one kind: `"entities"`, `"tags"` or `"links"`. The `source` is the format of
    the file, which gives entities; or the path of a configuration whose `validation_dataset_reader`, or else its
    `dataset_reader`, reads it. Raises `ConfigurationError` where the reader does not give the annotation.
    """
    if isinstance(source, Corpus):
        return [sentence._replace(gold=sentence.predicted, predicted=()) for sentence in read_corpus(path, source)]
    config = reader_configuration(source)
    reader = DatasetReader.from_params(config.get("validation_dataset_reader") or config["dataset_reader"])
    sentences: List[Prediction] = []
    for instance in reader.read(path):
        metadata = cast(MetadataField, instance["metadata"]).metadata
        # The metadata of a document holds the metadata of each of its sentences.
        for sentence in metadata.get("sentences", [metadata]):
            location = f"{path}, {'thread' if kind == 'links' else 'sentence'} {len(sentences) + 1}"
            gold = _gold_annotation(sentence, kind)
            if gold is None:
                what = "links" if kind == "links" else "tags"
                raise format_error(location, f"no {what}", f"a dataset reader in {source} that gives {what}")
            words = sentence["post_ids" if kind == "links" else "words"]
            sentences.append(Prediction(location, words, gold=gold, document_id=metadata.get("document_id")))
    return sentences


def _gold_annotation(metadata: Dict[str, Any], kind: str) -> Optional[Sequence]:
    if f"gold_{kind}" in metadata or kind == "links" or "gold_tags" not in metadata:
        return metadata.get(f"gold_{kind}")
    # conlleval, too, reads all schemes as BIO, and finds the same entities.
    return tags_to_entities(metadata["gold_tags"], "BIO")


def read_with_gold(
    paths: Sequence[str],
    kind: str = "entities",
    gold: Optional[Sequence[Prediction]] = None,
    gold_path: str = "",
    corpus: Optional[Corpus] = None,
) -> Dict[str, List[Prediction]]:
    """
    Reads the predictions of several runs for the same sentences or threads, a file for each run, and adds their gold
    annotation, of the `kind` of `read_predictions`: `gold`, with its file in error messages, `gold_path`, or else that
    in the files of predictions, of which one needs to hold it. Their format is `corpus`, by default what `allennlp
    predict` writes. Each file is read once; the result has the predictions by path. Raises `ConfigurationError`, naming
    file and line, where the files do not hold the same sentences in the same order, or not the same gold annotation, or
    none of them has it.
    """
    runs = {
        path: list(read_predictions(path, kind) if corpus is None else read_corpus(path, corpus))
        for path in dict.fromkeys(paths)
    }
    (reference_path, reference), *others = runs.items()
    for path, run in others:
        check_same_words(run, path, reference, reference_path)
    if gold is None:
        gold = [_common_gold(sentences) for sentences in zip(*(runs[path] for path in paths), strict=True)]
    else:
        check_same_words(reference, reference_path, gold, gold_path)
    return {path: with_gold(run, gold) for path, run in runs.items()}


def with_gold(predictions: Sequence[Prediction], gold: Sequence[Prediction]) -> List[Prediction]:
    """Returns predictions with the gold annotation of the same sentences."""
    return [found._replace(gold=truth.gold) for found, truth in zip(predictions, gold, strict=True)]


def check_same_words(
    found: Sequence[Prediction], path: str, expected: Sequence[Prediction], expected_path: str
) -> None:
    """Raises `ConfigurationError` where two files do not have the same sentences in the same order."""
    if len(found) != len(expected):
        raise format_error(path, f"{len(found)} sentences", f"{len(expected)} as in {expected_path}")
    for sentence, other in zip(found, expected, strict=True):
        if sentence.words != other.words:
            what = f"{' '.join(other.words)!r} as in {other.location}: the same sentences in the same order"
            raise format_error(sentence.location, repr(" ".join(sentence.words)), what)


def _common_gold(sentences: Sequence[Prediction]) -> Prediction:
    """Returns one of the predictions of several runs for a sentence that have its gold annotation; all must agree."""
    known = [sentence for sentence in sentences if sentence.has_gold]
    if not known:
        others = ", ".join(sentence.location for sentence in sentences[1:])
        found = "no gold annotation" + (f", and none in {others}" if others else "")
        expected = "gold_tags, gold_entities or gold_links, as `predict --use-dataset-reader` writes them, or --gold"
        raise format_error(sentences[0].location, found, expected)
    for sentence in known[1:]:
        if sentence.gold != known[0].gold:
            expected = f"{known[0].gold} as in {known[0].location}"
            raise format_error(sentence.location, f"the gold annotation {sentence.gold}", expected)
    return known[0]
