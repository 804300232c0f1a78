"""Trainings on files of one's own, in the place of the data of a configuration."""

from typing import Any, Dict, List, NamedTuple, Optional

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.configuration.check import from_options
from nerzoo.formats.corpus import Corpus
from nerzoo.reports.description import describe


class OwnData(NamedTuple):
    """Overrides of a configuration by which it reads one's own files, and lines that say what they have."""

    overrides: Dict[str, Any]
    description: List[str]


def own_data(params: Params, train: str, dev: Optional[str], corpus: Dict[str, Any]) -> OwnData:
    """
    Returns the data of a training with a configuration, of which `train` and `dev` are files in the format `corpus`.
    Without `dev`, a tenth of `train` is the development data, see `DividedCorpus`. Raises `ConfigurationError` where
    the configuration reads no corpus, or a file is not in the format.
    """
    if params.get("dataset_reader", Params({})).get("corpus") is None:
        raise ConfigurationError("found --train and a configuration without dataset_reader.corpus, expected one")
    lines = [f"{train} is read as {corpus['type']}."]
    if dev is None:
        lines.append("A tenth of it, chosen at random, is the development data; --dev would name a file.")
        train, dev, corpus = f"{train}#train", f"{train}#dev", {"type": "divided", "corpus": corpus}
    reader = from_options(Corpus, corpus)
    facts = describe({"training data": reader.read(train), "development data": reader.read(dev)})["parts"]
    for part in facts:
        counts = part["types"] or part["tags"] or part["pos"]
        found = ", ".join(f"{label} {count:,}" for label, count in counts.items()) or "no entities"
        lines.append(f"The {part['name']}: {part['sentences']:,} sentences, {part['words']:,} words; {found}.")
    for part, other in (facts, facts[::-1]):
        if alone := sorted({*part["types"]} - {*other["types"]}):
            lines.append(f"Only the {part['name']} has {', '.join(alone)}.")
    overrides: Dict[str, Any] = {"train_data_path": train, "validation_data_path": dev}
    for name in ("dataset_reader", "validation_dataset_reader"):
        if name in params:
            overrides[f"{name}.corpus"] = corpus
    return OwnData(overrides, lines)
