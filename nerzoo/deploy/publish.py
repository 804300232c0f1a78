import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import torch
from allennlp.commands.evaluate import evaluate_from_archive
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader

from nerzoo import archives
from nerzoo.archives.quantization import save_weights, with_quantized
from nerzoo.archives.reading import SAFETENSORS_NAME, safetensors, weights_path
from nerzoo.archives.trust import without_packed
from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader
from nerzoo.deploy.model_card import ModelFacts, model_card, versions
from nerzoo.errors import check_choice, extra
from nerzoo.files import check_is_new, folder_written_whole
from nerzoo.formats.corpus import Corpus, DataFacts, data_facts
from nerzoo.formats.lines import AnyPath, local_path
from nerzoo.inference.tagger import predicted_labels

_PARTS = {"training": "train_data_path", "validation": "validation_data_path", "test": "test_data_path"}
_LOADED = ("model", "dataset_reader", "validation_dataset_reader")


def publish(
    archive: AnyPath,
    folder: AnyPath,
    evaluation_file: Optional[str] = None,
    license: Optional[str] = None,
    language: Optional[List[str]] = None,
    push: Optional[str] = None,
    private: bool = False,
    bits: int = 32,
) -> Path:
    """
    Makes the folder of a model for the Hugging Face hub, which appears when it is whole, from an archive or the folder
    of a training: configuration, vocabulary, weights as safetensors, and a model card. AllenNLP's commands load it as
    they load an archive. For the card, there may be data to evaluate the model on, the identifier of a licence on the
    hub, and codes of languages. With `push`, `owner/name` on the hub, the folder is uploaded there; a new repository
    may be private. With `bits` of 8, large tables of weights take a quarter of their size. Needs the extra `hub` of
    this package.

    # Raises

    `ConfigurationError` where the folder exists, the archive has no configuration, weights or vocabulary, or a package
    of the extra is missing.
    """
    check_is_new(folder)
    check_choice("bits", bits, (8, 32))
    load_file = safetensors().load_file
    with extra("hub", ", which writes model cards"):
        import huggingface_hub
    folder = Path(folder)
    if push is not None and push.count("/") != 1:
        raise ConfigurationError(f"found the repository {push!r}, expected OWNER/NAME")
    with folder_written_whole(folder) as unfinished:
        path = archives.find(archive)
        archives.unpack(path, unfinished)
        (unfinished / archives.CHECKSUMS_NAME).unlink(missing_ok=True)
        weights = weights_path(unfinished)
        is_packed = weights.name == SAFETENSORS_NAME
        if not is_packed or bits == 8:
            state = load_file(weights) if is_packed else torch.load(weights, map_location="cpu", weights_only=True)
            # Copies, since safetensors refuses tensors that share memory.
            tensors = {name: tensor.clone().contiguous() for name, tensor in state.items()}
            if bits == 8:
                tensors = with_quantized(tensors)
            save_weights(tensors, unfinished / SAFETENSORS_NAME, metadata={"format": "pt"})
            if not is_packed:
                weights.unlink()
        # `nerzoo train` writes it beside the archive.
        metrics = (path if path.is_dir() else path.parent) / "metrics.json"
        facts = _facts(push or folder.name, unfinished, _read_json(metrics) or {}, evaluation_file)
        model_card(facts, license, language).save(unfinished / "README.md")
        # allennlp/data/vocabulary.py, Vocabulary.from_files, locks the folder by this file. It must not be a link, as
        # in the cache of the hub.
        (unfinished / "vocabulary/.lock").unlink(missing_ok=True)
        archives.write_checksums(unfinished)
    if push is not None:
        api = huggingface_hub.HfApi()
        api.create_repo(push, private=private, exist_ok=True)
        api.upload_folder(repo_id=push, folder_path=str(folder))
    return folder


def _facts(name: str, folder: Path, training_metrics: Dict[str, Any], evaluation_file: Optional[str]) -> ModelFacts:
    # This is also a test of the folder: it must load.
    archive = archives.load(folder, "cpu")
    config = archive.config.as_dict(quiet=True)
    corpus = _corpus(config["dataset_reader"])
    data: Dict[str, Optional[DataFacts]] = {}
    for part, key in _PARTS.items():
        if config.get(key) is not None:
            path = Path(str(config[key]))
            data[part] = data_facts(path, corpus) if path.is_file() or path.is_dir() else None
    metrics, evaluation_data = None, None
    if evaluation_file is not None:
        reader = config.get("validation_dataset_reader", config["dataset_reader"])
        evaluation_data = data_facts(Path(local_path(evaluation_file)), _corpus(reader))
        evaluator = {"evaluation": {"type": "by_type"}}
        metrics = evaluate_from_archive(folder, evaluation_file, cmd_overrides=json.dumps(evaluator))
    labels, measured = predicted_labels(archive.model), (training_metrics, metrics, evaluation_data)
    calibration = _read_json(folder / archives.CALIBRATION_NAME)
    return ModelFacts(name, config, labels, data, versions(), *measured, needed_files(config, folder), calibration)


def _read_json(path: Path) -> Any:
    """Returns the value in a file, or `None` where there is no file."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def needed_files(config: Dict[str, Any], folder: Path) -> List[str]:
    """
    Returns the local files in the configuration of a model in a folder that loading reads outside of it: lists of
    names, but neither pretrained vectors nor the pipeline in the folder.
    """
    parts = without_packed(config, folder)
    return sorted(set(_local_files([value for key, value in parts.items() if key in _LOADED])))


def _local_files(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if "/" in value and Path(value).exists():
            yield value
    elif isinstance(value, dict):
        # allennlp/models/model.py, _load, leaves these out, since the weights replace them.
        yield from _local_files([part for key, part in value.items() if key not in ("pretrained_file", "initializer")])
    elif isinstance(value, list):
        for part in value:
            yield from _local_files(part)


def _corpus(reader: Dict[str, Any]) -> Optional[Corpus]:
    """Returns the corpus of a dataset reader, if it reads one."""
    reader_class, _ = DatasetReader.resolve_class_name(reader["type"])
    if not issubclass(reader_class, AnnotatedTextReader):
        return None
    return Corpus.from_params(Params(reader).duplicate().pop("corpus"))
