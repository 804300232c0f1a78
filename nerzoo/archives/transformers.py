"""
The configuration and the tokenizer of a transformer: by its name, or from an archive, whose content is untrusted. An
archive has them as JSON alone; no class of a tokenizer is built from it, and no code that it names is run.
"""

import json
from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, cast

import torch
import transformers
from tokenizers import Tokenizer
from tokenizers.pre_tokenizers import ByteLevel, Sequence
from torch.nn.functional import pad
from transformers import AutoConfig, AutoModel, AutoTokenizer, PretrainedConfig
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES
from transformers.utils import cached_file, logging

from nerzoo.errors import extra, format_error, in_short
from nerzoo.files import folder_written_whole

TRANSFORMER_NAME = "transformer"
"""The folder of a transformer's configuration and tokenizer in an archive, and in the folder of a training."""
_SOURCE_NAME, _TOKENIZER_NAME = "source.json", "tokenizer.json"
_POOLER = "pooler"
"""The part of many encoders that makes a vector of a whole text, which taggers do not use."""


class Transformer(NamedTuple):
    """A transformer without its weights. The tokenizer neither cuts texts off nor pads them."""

    config: PretrainedConfig
    tokenizer: Tokenizer

    def pieces(self, words: List[str]) -> Tuple[List[int], List[int]]:
        """Returns the pieces of words, and the index of each piece's word. Some words may have no piece."""
        encoding = self.tokenizer.encode(words, is_pretokenized=True, add_special_tokens=False)
        # Only special pieces have no word.
        return encoding.ids, cast(List[int], encoding.word_ids)

    def special_pieces(self) -> Tuple[List[int], List[int]]:
        """Returns the special pieces before and after a text."""
        encoding = self.tokenizer.encode(["a"], is_pretokenized=True)
        inside = [i for i, word in enumerate(encoding.word_ids) if word is not None]
        return encoding.ids[: inside[0]], encoding.ids[inside[-1] + 1 :]


def _is_in_pooler(name: str) -> bool:
    return _POOLER in name.split(".")


@contextmanager
def _reading(name: object, part: str) -> Iterator[None]:
    """Surrounds the reading of a part of a transformer: errors of many types, and warnings of unused weights."""
    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    except Exception as error:
        raise format_error(
            name, f"no {part} of a transformer ({in_short(error)})", "a folder, or a model of the hub, that can be read"
        ) from error
    finally:
        logging.set_verbosity(verbosity)


def load_transformer(name: str) -> Transformer:
    """
    Loads the configuration and the tokenizer of the transformer in a folder, or of that name from the hub. Raises
    `ConfigurationError` where they are missing or damaged, its architecture is unknown or its tokenizer not fast.
    """
    # A name of the hub has one separator at most.
    if (name.startswith(("/", ".", "~")) or len(Path(name).parts) > 2) and not Path(name).is_dir():
        raise format_error(name, "no such folder", "that of a transformer, or the name of a model of the hub")
    config = _config(name)
    with _reading(name, "tokenizer"):
        # As it was saved: without further files, AutoTokenizer would make that of a cased BERT one in lower case.
        saved = _saved_tokenizer(name)
        tokenizer: Any = saved or AutoTokenizer.from_pretrained(name, trust_remote_code=False)
    if saved is None:
        if not tokenizer.is_fast:
            found = f"the tokenizer {type(tokenizer).__name__}, which is slow"
            raise format_error(name, found, "a fast one, which knows the word of each piece")
        tokenizer = tokenizer.backend_tokenizer
    # A tokenizer of bytes, such as that of RoBERTa, reads each word with the space before it.
    splitter: Any = tokenizer.pre_tokenizer
    for part in iter(splitter) if isinstance(splitter, Sequence) else [splitter]:
        if isinstance(part, ByteLevel):
            part.add_prefix_space = True
    return _transformer(config, tokenizer)


def _saved_tokenizer(name: str) -> Optional[Tokenizer]:
    try:
        path = cached_file(name, _TOKENIZER_NAME)
    except OSError:
        return None
    return None if path is None else Tokenizer.from_file(path)


def _transformer(config: PretrainedConfig, tokenizer: Tokenizer) -> Transformer:
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return Transformer(config, tokenizer)


def _config(name: str, **options: Any) -> PretrainedConfig:
    with _reading(name, "configuration"):
        # Without a model_type, AutoConfig would take any architecture whose name is a part of the path.
        model_type = PretrainedConfig.get_config_dict(name, **options)[0].get("model_type")
        if model_type is None:
            raise ValueError("no model_type in config.json")
    if model_type not in CONFIG_MAPPING:
        expected = f"one that transformers {transformers.__version__} knows, such as bert"
        raise format_error(name, f"the architecture {model_type}", expected)
    with _reading(name, "configuration"):
        return AutoConfig.from_pretrained(name, trust_remote_code=False, **options)


def load_packed(folder: Path) -> Transformer:
    """Loads the transformer that `pack` has written into the folder of a training. Raises `ConfigurationError`."""
    path = folder / TRANSFORMER_NAME
    config = _config(str(path), local_files_only=True)
    with _reading(path, "tokenizer"):
        return _transformer(config, Tokenizer.from_file(str(path / _TOKENIZER_NAME)))


def restored_transformer(config: Dict[str, Any], tokenizer: Path) -> Transformer:
    """Returns the transformer of a configuration, as `to_dict` gives it, and of the tokenizer in a file."""
    with _reading(tokenizer, "tokenizer"):
        return _transformer(AutoConfig.for_model(**config), Tokenizer.from_file(str(tokenizer)))


def pack(transformer: Transformer, name: str, folder: Path) -> None:
    """Writes the configuration and the tokenizer of the transformer of that name into the folder of a training."""
    with folder_written_whole(folder / TRANSFORMER_NAME) as unfinished:
        transformer.config.save_pretrained(unfinished)
        transformer.tokenizer.save(str(unfinished / _TOKENIZER_NAME))
        (unfinished / _SOURCE_NAME).write_text(json.dumps({"model_name": name}), encoding="utf-8")


def packed_name(folder: Path) -> Optional[str]:
    """Returns the name of the transformer in the folder of an archive or of a training, if there is one."""
    path = folder / TRANSFORMER_NAME / _SOURCE_NAME
    try:
        return json.loads(path.read_text(encoding="utf-8"))["model_name"] if path.is_file() else None
    except (ValueError, KeyError, TypeError):
        return None


def add_low_rank_updates(encoder: torch.nn.Module, rank: int) -> None:
    """
    Adds a trained update of this rank to the fixed weights of each linear layer (LoRA, Hu et al., 2021), scaled by 2.
    Raises `ConfigurationError` where the extra `lora` is missing.
    """
    # PEFT reads it without importing it.
    import torch.distributed.tensor

    with extra("lora", ", which adds low-rank updates to a transformer"):
        from peft import LoraConfig, inject_adapter_in_model
    layers = [
        name
        for name, module in encoder.named_modules()
        if isinstance(module, torch.nn.Linear) and not _is_in_pooler(name)
    ]
    inject_adapter_in_model(LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=layers), encoder)


def _skips_padding(model: Any, transformer: Transformer, place: str) -> bool:
    """
    Returns whether the states of a short text are the same with padding behind it, but for rounding. Raises
    `ConfigurationError` where the model does not map pieces to a state each.
    """
    before, after = transformer.special_pieces()
    pieces = torch.tensor([[*before, *transformer.pieces(["a"])[0], *after]])
    mask = torch.ones_like(pieces)
    try:
        # The embedder reads both, too.
        padding, _ = model.config.pad_token_id or 0, model.config.num_hidden_layers
        with torch.no_grad():
            alone, padded = (
                model.eval()(input_ids=pad(pieces, (0, more), value=padding), attention_mask=pad(mask, (0, more)))
                for more in (0, 3)
            )
        difference = (padded.last_hidden_state[:, : pieces.shape[1]] - alone.last_hidden_state).abs().max()
        size = alone.last_hidden_state.abs().max()
    except Exception as error:
        found = f"the architecture {model.config.model_type}, which does not encode word pieces ({in_short(error)})"
        raise format_error(place, found, "an encoder such as BERT") from error
    return bool(difference <= 1e3 * torch.finfo(size.dtype).eps * size)


def build_encoder(transformer: Transformer, name: Optional[str] = None, sub_module: Optional[str] = None) -> Any:
    """
    Builds the model of a transformer, with the weights of that `name`, a folder or a model of the hub, or with random
    ones, and returns it, or the part `sub_module` of it. Raises `ConfigurationError` where it has no weights, or is not
    an encoder of words.
    """
    config = transformer.config
    place = name or TRANSFORMER_NAME
    found = f"the architecture {config.model_type}"
    if config.is_encoder_decoder:
        if sub_module in (None, "decoder"):
            raise format_error(place, f"{found}, an encoder with a decoder", "an encoder, or sub_module: 'encoder'")
    elif config.model_type not in MODEL_FOR_MASKED_LM_MAPPING_NAMES or getattr(config, "is_decoder", False):
        raise format_error(place, f"{found}, which is not an encoder", "one such as BERT, which reads both contexts")
    if name is None:
        model = AutoModel.from_config(config, trust_remote_code=False)
    else:
        with _reading(name, "weights"):
            model, report = AutoModel.from_pretrained(
                name, config=config, output_loading_info=True, trust_remote_code=False
            )
        missing = sorted(weight for weight in report["missing_keys"] if not _is_in_pooler(weight))
        if missing:
            raise format_error(name, f"no weights {missing[0]}", f"all weights of {type(model).__name__}")
    if sub_module is not None:
        if not hasattr(getattr(model, sub_module, None), "config"):
            raise format_error(
                place, f"no sub_module {sub_module!r} in {type(model).__name__}", "the name of an encoder"
            )
        model = getattr(model, sub_module)
    has_mask = "attention_mask" in signature(model.forward).parameters
    if not has_mask or (name is not None and not _skips_padding(model, transformer, place)):
        raise format_error(place, f"{found}, which reads padding as words", "one such as BERT, which does not")
    for weight, parameter in model.named_parameters():
        if _is_in_pooler(weight):
            parameter.requires_grad_(False)
    return model
