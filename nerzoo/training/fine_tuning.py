from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Union

from allennlp.common import Params
from allennlp.models.model import remove_weights_related_keys_from_params

from nerzoo import archives
from nerzoo.archives.reading import read_config


def fine_tuned(params: Params, archive: Union[str, PathLike]) -> Params:
    """
    Returns the configuration of a training that continues the tagger of an archive on other data. `params` have the
    data, the `min_count` of its vocabulary, and the training; the archive has the model and the reading of words. Types
    of entities are those of the new data. Raises `ConfigurationError` where the archive is missing or damaged.
    """
    with TemporaryDirectory() as folder:
        archives.unpack(archive, Path(folder))
        archived = Params(read_config(archive, Path(folder)))
    model = archived["model"]
    remove_weights_related_keys_from_params(model)
    head = model.get("head", {})
    if isinstance(head, Params):
        # That of a calibrated archive fits its own data.
        head.pop("temperature", None)
    given = params.as_dict(quiet=True)
    min_count = given.get("vocabulary", {}).get("min_count")
    reader = {**archived["dataset_reader"].as_dict(quiet=True), "corpus": given["dataset_reader"]["corpus"]}
    return Params(
        {
            **given,
            "dataset_reader": reader,
            "vocabulary": {"type": "from_archive", "archive": str(archive), "min_count": min_count},
            "model": {**model.as_dict(quiet=True), "pretrained_file": str(archive)},
        }
    )
