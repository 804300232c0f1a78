"""The part of an exported tagger that training continues with: its configuration, and weights beside its tables."""

from pathlib import Path
from typing import Any, Dict, Optional

import numpy
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.models.archival import CONFIG_NAME
from allennlp.models.model import remove_weights_related_keys_from_params

from nerzoo.archives.quantization import save_weights, with_quantized, without_quantized
from nerzoo.archives.transformers import pack, restored_transformer
from nerzoo.errors import extra, worded
from nerzoo.files import write_json
from nerzoo.runtime.word_input import TOKENIZER, ModelFolder

CODING_SCHEMES = "coding_scheme_labels"
"""The namespace of the vocabulary that holds the coding scheme of the tags, and nothing where they have none."""
TAG_NAMESPACES = ("labels", CODING_SCHEMES)
CONFIGURATION = "training.json"
WEIGHTS = "training.safetensors"
_FIXED = ("fixed", "scales", "trained")
"""The tensors of a `fixed_embedding` whose tables are files; a further file has its rows."""


def save_for_training(
    folder: Path,
    config: Dict[str, Any],
    weights: Dict[str, torch.Tensor],
    vocabularies: Dict[str, str],
    tables: Dict[str, str],
    transformer: Optional[Dict[str, Any]] = None,
) -> None:
    """
    Writes into the folder of an exported tagger what `restore` makes an archive of: the configuration and the `weights`
    of the model, large ones in 8 bits. `vocabularies` has the name of the input with the vocabulary of each namespace,
    and `tables` that of the input with the vectors of each embedder whose weights are its files, by the beginning of
    their names. For a transformer, it keeps the `model_name` in the configuration, its own `config`, and the `input`
    that has its tokenizer.
    """
    sections = Params({key: config[key] for key in ("dataset_reader", "model")})
    remove_weights_related_keys_from_params(sections)
    found = {"config": sections.as_dict(quiet=True), "vocabularies": vocabularies, "tables": tables}
    if transformer is not None:
        found["transformer"] = transformer
    write_json(folder / CONFIGURATION, found)
    in_tables = {prefix + name for prefix in tables for name in ("weight", *_FIXED, "rows")}
    others = {name: tensor.clone().contiguous() for name, tensor in weights.items() if name not in in_tables}
    save_weights(with_quantized(others), folder / WEIGHTS)


def restore(exported: Path, folder: Path, weights_name: str) -> None:
    """
    Writes the archive of an exported tagger into a folder, its weights as `weights_name`. Raises `ConfigurationError`
    where the exported tagger is damaged or of a release that kept nothing for further training.
    """
    with extra("hub", ", which reads weights"):
        from safetensors.torch import load_file
    with worded():
        files = ModelFolder(exported)
        if not (exported / CONFIGURATION).is_file():
            expected = "that of a tagger which this release has exported"
            raise ConfigurationError(f"{exported}: found no {CONFIGURATION}, expected {expected}")
        found = files.read_json(CONFIGURATION)
        words = {space: files.read_json(f"{name}.vocabulary.json") for space, name in found["vocabularies"].items()}
    vocab = Vocabulary()
    labels = zip(TAG_NAMESPACES, (files.settings["tags"], [files.settings["coding_scheme"]]), strict=True)
    for namespace, tokens in [*words.items(), *labels]:
        for token in tokens:
            if token is not None:
                vocab.add_token_to_namespace(token, namespace)
    vocab.save_to_files(str(folder / "vocabulary"))
    if transformer := found.get("transformer"):
        tokenizer = exported / f"{transformer['input']}.{TOKENIZER}"
        pack(restored_transformer(transformer["config"], tokenizer), transformer["model_name"], folder)
    weights = without_quantized(load_file(exported / WEIGHTS))
    for prefix, name in found["tables"].items():
        if not (exported / f"{name}.words.npy").exists():
            weights[f"{prefix}weight"] = torch.from_numpy(numpy.load(exported / f"{name}.npy")).float()
            continue
        for suffix in _FIXED:
            path = exported / f"{name}{'' if suffix == 'fixed' else f'.{suffix}'}.npy"
            if path.exists():
                weights[prefix + suffix] = torch.from_numpy(numpy.load(path))
        indices = torch.from_numpy(numpy.load(exported / f"{name}.words.npy")).long()
        weights[f"{prefix}rows"] = torch.zeros(len(weights[f"{prefix}fixed"]), dtype=torch.long)
        weights[f"{prefix}rows"][indices] = torch.arange(1, len(indices) + 1)
    save_weights(weights, folder / weights_name)
    write_json(folder / CONFIG_NAME, found["config"])
