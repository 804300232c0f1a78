"""Trainings on files of one's own, in the place of the data of a configuration."""

from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.configuration.check import from_options
from nerzoo.errors import format_error
from nerzoo.files import folder_written_whole
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.jsonl import JsonlWriter
from nerzoo.reports.description import describe
from nerzoo.runs.bench_data import divisible
from nerzoo.runs.folds import divide
from nerzoo.text.annotation import Document

_TENTHS, _SEED = 10, 13370


class OwnData(NamedTuple):
    """Overrides of a configuration by which it reads one's own files, and lines that say what they have."""

    overrides: Dict[str, Any]
    description: List[str]


def own_data(params: Params, train: str, dev: Optional[str], corpus: Dict[str, Any], output: str) -> OwnData:
    """
    Returns the data of a training with a configuration, of which `train` and `dev` are files in the format `corpus`.
    Without `dev`, a tenth of the documents, or of the sentences of fewer than ten documents, is the development part;
    both parts are then written to a folder beside `output`, the folder of the training. Raises `ConfigurationError`
    where the configuration reads no corpus, or a file is not in the format.
    """
    if params.get("dataset_reader", Params({})).get("corpus") is None:
        raise ConfigurationError(
            "found --train and a configuration without dataset_reader.corpus, expected one with it"
        )
    reader = from_options(Corpus, dict(corpus))
    documents = [list(reader.read(path)) for path in (train, dev) if path is not None]
    lines = [f"{train} is read as {corpus['type']}."]
    if dev is None:
        folder = Path(output)
        folder = folder.with_name(f"{folder.name}-data")
        documents = _divided(train, documents[0], folder)
        train, dev, corpus = str(folder / "train.jsonl"), str(folder / "dev.jsonl"), {"type": "jsonl"}
        lines.append(f"A tenth of it, chosen at random with the seed {_SEED}, is the development data: {folder}.")
    names = ("training data", "development data")
    facts = describe(dict(zip(names, documents, strict=True)))["parts"]
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


def _divided(path: str, documents: List[Document], folder: Path) -> List[List[Document]]:
    units = divisible(documents)
    if len(units) < _TENTHS:
        units = [Document(None, [sentence]) for unit in units for sentence in unit.sentences]
    if len(units) < _TENTHS:
        raise format_error(path, f"{len(units)} sentences", f"at least {_TENTHS}, or --dev with the development data")
    dev = {*divide(list(map(str, range(len(units)))), _TENTHS, _SEED)[0]}
    parts: Dict[str, List[Document]] = {"train": [], "dev": []}
    for number, unit in enumerate(units):
        parts["dev" if str(number) in dev else "train"].append(unit)
    with folder_written_whole(folder) as unfinished:
        for part, chosen in parts.items():
            JsonlWriter().write_all(chosen, unfinished / f"{part}.jsonl")
    return [*parts.values()]
