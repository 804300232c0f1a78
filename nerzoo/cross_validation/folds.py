"""The documents of files, divided into folds for cross-validation."""

import logging
from typing import Dict, Iterator, List, Tuple, cast

from allennlp.common.checks import ConfigurationError
from allennlp.common.logging import AllenNlpLogger
from allennlp.data import DatasetReader, Instance

logger = cast(AllenNlpLogger, logging.getLogger(__name__))


def instances_by_document(reader: DatasetReader, paths: List[str]) -> Iterator[Tuple[str, Instance]]:
    """
    Yields all instances of the files, each after the name of its document: `path:id`, since two files may use the same
    ids. The id is `document_id` in the instance's `metadata`. An instance without one, named `path[position]`, is a
    document of its own.
    """
    for path in paths:
        for position, instance in enumerate(reader.read(path)):
            metadata = getattr(instance.fields.get("metadata"), "metadata", {})
            document_id = metadata.get("document_id")
            if document_id is None:
                logger.warning_once(f"{path}: found instances without a document_id, each is taken as a document")
            yield f"{path}[{position}]" if document_id is None else f"{path}:{document_id}", instance


def document_names(reader: DatasetReader, paths: List[str]) -> List[str]:
    """Lists the names of all documents, in order of appearance."""
    return list(dict.fromkeys(name for name, _ in instances_by_document(reader, paths)))


def divide(documents: List[str], num_folds: int, seed: int) -> List[List[str]]:
    """
    Divides documents into folds at random, as `seed` decides. No fold has two documents more than another.

    # Raises

    `ConfigurationError` where there are fewer documents than folds.
    """
    if len(documents) < num_folds:
        raise ConfigurationError(
            f"found {len(documents)} documents, expected at least one for each of {num_folds} folds"
        )
    # Imported here, since it takes longer than all of nerzoo.
    from sklearn.model_selection import KFold

    splitter = KFold(num_folds, shuffle=True, random_state=seed)
    return [[documents[position] for position in positions] for _, positions in splitter.split(documents)]


def parts(folds: List[List[str]], test_fold: int, validation: bool) -> Dict[str, List[str]]:
    """
    Returns the documents of the parts `train`, `test`, which is the fold `test_fold`, and, if asked for, `validation`,
    which is the fold after that one, or the first after the last.
    """
    held_out = {"test": test_fold}
    if validation:
        held_out["validation"] = (test_fold + 1) % len(folds)
    train = [
        document for fold, documents in enumerate(folds) if fold not in held_out.values() for document in documents
    ]
    return {"train": train, **{part: folds[fold] for part, fold in held_out.items()}}
