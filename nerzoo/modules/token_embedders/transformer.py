import hashlib
import os
from functools import cached_property
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Optional, Tuple, Union

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import ScalarMix, TokenEmbedder
from torch.nn import functional

from nerzoo.archives.transformers import add_low_rank_updates, build_encoder, load_packed, load_transformer, packed_name
from nerzoo.errors import check_choice, check_range, format_error
from nerzoo.modules.vector_cache import VARIABLE, kept_vectors
from nerzoo.nn.windows import overlapping_windows
from nerzoo.text.token_batches import BATCH_PIECES, token_batches

_USUAL_LENGTH = 512
_GPU_PIECES = 8192
"""The number of pieces, with padding, that a GPU encodes at a time in predictions."""


@TokenEmbedder.register("transformer")
class TransformerEmbedder(TokenEmbedder):
    """
    Word vectors from a pretrained encoder such as BERT, for the indexer `transformer`: those of a word's pieces,
    pooled. A word without pieces has the vector zero.

    A text that is longer than the encoder can read is read in windows, each half over the one before it, and each word
    in the window with most context: see `overlapping_windows`. Windows of similar lengths are encoded together, up to
    512 pieces at a time, in predictions on a GPU up to 8,192; in training on a GPU, all windows of a batch are. A GPU
    pads them to a multiple of eight pieces, or to `max_length` where that is less.

    Vectors of one that is not tuned are computed once for each sentence if the environment variable
    `NERZOO_VECTOR_CACHE` names a file to keep them in: in half precision, for each layer that is mixed.

    # Parameters

    pretrained_file : `str`, optional
        The folder of a transformer with its weights, or the name of one of the hub, which is downloaded: the
        `model_name` of the indexer. AllenNLP removes the option from the configuration of a trained model, whose
        archive has the weights, and, from the indexer, the configuration.
    pooling : `str`, optional (default = `"first"`)
        The vector of a word: that of its `"first"` piece, or the `"mean"` of all.
    layers : `str`, optional (default = `"last"`)
        The `"last"` layer, or a learned `"mix"` of all but the embeddings (Peters et al., 2018).
    train_parameters : `bool`, optional (default = `True`)
        Whether the encoder is tuned. One that is not has no dropout either.
    lora_rank : `int`, optional
        The rank of trained updates of the linear layers, whose own weights then stay as they are (LoRA).
    gradient_checkpointing : `bool`, optional (default = `False`)
        Whether training computes the states of each layer twice to keep fewer of them in memory.
    max_length : `int`, optional
        The number of pieces of a window, with special pieces; by default the most that the encoder can read, or 512
        where it does not say.
    sub_module : `str`, optional
        The name of the part to use, such as `"encoder"` of T5.
    serialization_dir : `str`, optional
        The folder of the training or of the unpacked archive, which AllenNLP passes on.

    # Raises

    `ConfigurationError` where the transformer has no weights, is not an encoder or not that of the indexer, or where
    windows of `max_length` have no place for pieces or are longer than it can read.
    """

    _prefix: torch.Tensor
    _suffix: torch.Tensor

    def __init__(
        self,
        pretrained_file: Optional[str] = None,
        pooling: str = "first",
        layers: str = "last",
        train_parameters: bool = True,
        lora_rank: Optional[int] = None,
        gradient_checkpointing: bool = False,
        max_length: Optional[int] = None,
        sub_module: Optional[str] = None,
        serialization_dir: Union[None, str, PathLike] = None,
    ) -> None:
        super().__init__()
        check_choice("pooling", pooling, ("first", "mean"))
        check_choice("layers", layers, ("last", "mix"))
        packed = serialization_dir and packed_name(Path(serialization_dir))
        if pretrained_file is not None:
            if packed and packed != pretrained_file:
                expected = f"the model_name of the indexer transformer, {packed}"
                raise format_error("pretrained_file", f"the transformer {pretrained_file}", expected)
            transformer = load_transformer(pretrained_file)
        elif serialization_dir and packed:
            transformer = load_packed(Path(serialization_dir))
        else:
            raise ConfigurationError(
                "found no pretrained_file of the embedder transformer, expected a folder or a name"
            )
        self.encoder = build_encoder(transformer, pretrained_file, sub_module)
        self._is_tuned = train_parameters
        self._pooling = pooling
        if not train_parameters:
            self.encoder.requires_grad_(False)
        if lora_rank is not None:
            check_range("lora_rank", lora_rank, 1)
            if not train_parameters:
                raise ConfigurationError("found lora_rank and train_parameters: false, expected one of them")
            add_low_rank_updates(self.encoder, lora_rank)
        if gradient_checkpointing:
            if not self.encoder.supports_gradient_checkpointing:
                found = f"gradient_checkpointing of {type(self.encoder).__name__}"
                raise ConfigurationError(f"found {found}, expected an encoder that supports it")
            self.encoder.activation_checkpointing_enable({"use_reentrant": False})
        self.mix = ScalarMix(self.encoder.config.num_hidden_layers) if layers == "mix" else None
        prefix, suffix = transformer.special_pieces()
        self._num_special = len(prefix) + len(suffix)
        self.window = _longest(self.encoder)
        """The number of pieces that a window has at most, with special pieces."""
        if max_length is not None:
            check_range("max_length", max_length, self._num_special + 1, self.window)
            self.window = max_length
        self._padding = self.encoder.config.pad_token_id or 0
        self.register_buffer("_prefix", torch.tensor(prefix, dtype=torch.long), persistent=False)
        # The pieces after those of a text: the special ones, and -1, padding.
        self.register_buffer("_suffix", torch.tensor([*suffix, -1]), persistent=False)
        self.train()

    def train(self, mode: bool = True) -> "TransformerEmbedder":
        super().train(mode)
        self.encoder.train(mode and self._is_tuned)
        return self

    def get_output_dim(self) -> int:
        return self.encoder.config.hidden_size

    def forward(
        self,
        pieces: Optional[torch.Tensor] = None,
        counts: Optional[torch.Tensor] = None,
        mask: Optional[torch.Tensor] = None,
        **others: torch.Tensor,
    ) -> torch.Tensor:
        """
        Maps pieces (B, N), of which each word has as many as `counts` (B, T) says, to vectors (B, T, D). Raises
        `ConfigurationError` where another indexer than `transformer` made the tensors.
        """
        if pieces is None or counts is None or mask is None:
            raise ConfigurationError(
                "transformer reads what the token indexer transformer gives; found another one at the same name in "
                "token_indexers, or none as the word_indexer of word_characters"
            )
        if self._is_tuned or not os.environ.get(VARIABLE):
            return self._vectors(pieces, counts)
        vectors = self._kept_vectors(pieces, counts, mask)
        return vectors if self.mix is None else self.mix(list(vectors.split(self.get_output_dim(), -1)))

    def _kept_vectors(self, pieces: torch.Tensor, counts: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        lengths = mask.sum(1).tolist()
        sentences = zip(pieces.tolist(), counts.tolist(), lengths, strict=True)
        keys = [
            hashlib.sha256(repr((self._identity, row[: sum(words)], words[:length])).encode()).digest()
            for row, words, length in sentences
        ]
        size = self.get_output_dim() * (1 if self.mix is None else self.encoder.config.num_hidden_layers)
        # In single precision, whatever the run is in: other runs read the same vectors.
        with torch.autocast(pieces.device.type, enabled=False):
            vectors = kept_vectors(keys, lengths, size, lambda rows: self._vectors(pieces[rows], counts[rows], False))
        vectors = functional.pad(vectors, (0, 0, 0, counts.shape[1] - vectors.shape[1]))
        return vectors.to(pieces.device, self.encoder.dtype)

    @cached_property
    def _identity(self) -> str:
        """The hash of all that the vectors of frozen weights depend on, beside the words."""
        config = {**self.encoder.config.to_diff_dict(), "_name_or_path": None, "transformers_version": None}
        special = (self._prefix.tolist(), self._suffix.tolist())
        others = (self._pooling, self.mix is None, self.window, special, sorted(config.items()))
        digest = hashlib.sha256(repr(others).encode())
        for name, weights in self.encoder.state_dict().items():
            digest.update(name.encode())
            digest.update(weights.detach().cpu().reshape(-1).view(torch.uint8).numpy())
        return digest.hexdigest()

    def _vectors(self, pieces: torch.Tensor, counts: torch.Tensor, mixes: bool = True) -> torch.Tensor:
        """Returns the vectors of words, (B, T, D); unless it `mixes` them, those of layers beside each other."""
        windows = overlapping_windows(counts, pieces.shape[1], self.window - self._num_special)
        width = self._width(min(pieces.shape[1] + self._num_special, self.window), pieces.is_cuda)
        # shape: (R, width - prefix), the place of each piece among those of its window, and the number of the latter
        places = torch.arange(width - len(self._prefix), device=pieces.device).expand(len(windows.texts), -1)
        lengths = windows.lengths.unsqueeze(1)
        found = (windows.starts.unsqueeze(1) + places).clamp(max=pieces.shape[1] - 1)
        after = self._suffix[(places - lengths).clamp(0, len(self._suffix) - 1)]
        read = torch.where(places < lengths, pieces[windows.texts.unsqueeze(1), found], after)
        # shape: (B, N)
        rows = windows.windows * width + len(self._prefix) + windows.places
        read = torch.cat([self._prefix.expand(len(read), -1), read], 1)
        states, rows = self._encoded(read, windows.lengths + self._num_special, rows, mixes)
        return self.pool(states, rows, windows.words, counts)

    def _encoded(
        self, windows: torch.Tensor, lengths: torch.Tensor, rows: torch.Tensor, mixes: bool
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        """
        Encodes windows (R, W) of `lengths` (R,) pieces, as `encode` does. Returns the states (P, D) of pieces, and
        the rows of the states, given those of all R * W pieces.
        """
        # In training, a GPU does not make the host wait for the lengths.
        if windows.is_cuda and torch.is_grad_enabled():
            return self.encode(windows, mixes).flatten(0, 1), rows
        # Windows of similar lengths have little padding, and memory does not grow with the windows of a long text.
        sizes = lengths.tolist()
        batches = token_batches(sizes, _GPU_PIECES if windows.is_cuda else BATCH_PIECES)
        widths = [self._width(sizes[batch[0]], windows.is_cuda) for batch in batches]
        parts = [self.encode(windows[batch, :width], mixes) for batch, width in zip(batches, widths, strict=True)]
        states = torch.cat([part.flatten(0, 1) for part in parts])
        # shape: (R,), the row of the first piece of each window
        padded = torch.tensor([width for batch, width in zip(batches, widths, strict=True) for _ in batch])
        firsts = torch.empty_like(padded)
        firsts[[*chain(*batches)]] = padded.cumsum(0) - padded
        rows = firsts.to(rows.device)[rows // windows.shape[1]] + rows % windows.shape[1]
        # Rows of padding have no meaning, and may be higher than those of the states.
        return states, rows.clamp(max=len(states) - 1)

    def _width(self, num_pieces: int, is_cuda: bool) -> int:
        return min(-(-num_pieces // 8) * 8, self.window) if is_cuda else num_pieces

    def encode(self, windows: torch.Tensor, mixes: bool = True) -> torch.Tensor:
        """
        Returns the states (R, W, D) of the pieces of windows (R, W), special ones too, and -1 at padding; unless it
        `mixes` them, those of layers beside each other.
        """
        mask = windows >= 0
        outputs = self.encoder(
            input_ids=windows.where(mask, self._padding),
            attention_mask=mask.long(),
            output_hidden_states=self.mix is not None,
            return_dict=True,
        )
        if self.mix is None:
            return outputs.last_hidden_state
        layers = outputs.hidden_states[1:]
        return self.mix(list(layers)) if mixes else torch.cat(layers, -1)

    def pool(self, states: torch.Tensor, rows: torch.Tensor, words: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        """
        Pools states (P, D) to vectors of words (B, T, D): given of each piece of a text its row among the states (B, N)
        and its word (B, N), and the number of pieces of each word (B, T).
        """
        ends = counts.cumsum(1)
        if self._pooling == "first":
            first = (ends - counts).clamp(max=rows.shape[1] - 1)
            return states[rows.gather(1, first)] * (counts > 0).unsqueeze(2)
        is_piece = torch.arange(rows.shape[1], device=rows.device) < ends[:, -1:]
        sums = states.new_zeros(*counts.shape, states.shape[1])
        # ONNX has no index_add.
        sums = sums.scatter_add(
            1, words.unsqueeze(2).expand(-1, -1, states.shape[1]), states[rows] * is_piece.unsqueeze(2)
        )
        return sums / counts.clamp(min=1).unsqueeze(2)


def _longest(encoder: torch.nn.Module) -> int:
    """Returns the number of pieces that an encoder can read at once."""
    for name, module in encoder.named_modules():
        weight = getattr(module, "weight", None)
        if name.endswith("position_embeddings") and weight is not None:
            # RoBERTa counts positions from after that of padding.
            padding = getattr(module, "padding_idx", None)
            most = len(weight) - (0 if padding is None else padding + 1)
            return min(most, getattr(encoder.config, "max_position_embeddings", most))
    return getattr(encoder.config, "max_position_embeddings", None) or _USUAL_LENGTH
