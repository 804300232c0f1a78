import threading
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Tuple, Union

import dill
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import int_to_device
from allennlp.models import Model
from allennlp.predictors import Predictor

from nerzoo.errors import format_error
from nerzoo.formats.lines import AnyPath
from nerzoo.inference.engine import load
from nerzoo.inference.json_predictor import JsonPredictor, ReadItem, Result
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.models.span_model import SpanModel
from nerzoo.text.annotation import labels_of_tags
from nerzoo.text.token_batches import BATCH_TOKENS, check_batch_tokens, predict_ahead
from nerzoo.zoo import tagger

Item = Union[str, Mapping[str, Any]]
"""A text or an object."""


class Tagger(tagger.Tagger):
    """
    A `nerzoo.Tagger` for archives, which predicts as `nerzoo predict` does. It takes and returns the JSON objects of
    the model's predictor, a `JsonPredictor`; a string stands for `{"text": "..."}`, or for language models
    `{"sentence": "..."}`.

    A stream is read a few batches ahead, and predicted in batches of similar lengths; predictions come in the order of
    the items. Several threads may use a tagger, where one at a time computes. It can be pickled.
    """

    _mistake = ConfigurationError

    def __init__(self, predictor: JsonPredictor) -> None:
        self._predictor = predictor
        self._lock = threading.Lock()

    @classmethod
    def load(
        cls,
        archive: AnyPath,
        device: Union[None, int, str, torch.device] = None,
        batch_tokens: int = BATCH_TOKENS,
        overrides: Union[None, str, Dict[str, Any]] = None,
        allow: Iterable[str] = (),
        engine: str = "auto",
    ) -> "Tagger":
        """
        Loads a model that `nerzoo train` has trained. Raises `ConfigurationError` where there is no archive, or its
        model is not a model of nerzoo.

        # Parameters

        archive : `Union[str, PathLike]`
            A file `model.tar.gz`; a folder with configuration, weights and vocabulary; a URL; or
            `hf://owner/name@revision`. Downloads stay in AllenNLP's cache.
        device : `Union[int, str, torch.device]`, optional
            `"cpu"`, `"cuda:0"`, or the number of a GPU, where -1 is the CPU. By default the first GPU, or the CPU where
            there is none.
        batch_tokens : `int`, optional (default = `4096`)
            The number of tokens that are predicted at a time, padding included.
        overrides : `Union[str, Dict[str, Any]]`, optional
            Changes of the configuration, such as `{"model.extra_outputs": ["attention"]}`.
        allow : `Iterable[str]`, optional
            Files, addresses, models of the hub and class paths that the configuration of an untrusted archive may name;
            see `docs/security.md`.
        engine : `str`, optional (default = `"auto"`)
            The engine on a CPU, see `nerzoo.inference.engine.load`.
        """
        check_batch_tokens(batch_tokens)
        loaded = load(archive, device, overrides, allow, engine)
        name = loaded.model.default_predictor
        predictor_class = None if name is None else Predictor.by_name(name)
        if not (isinstance(predictor_class, type) and issubclass(predictor_class, JsonPredictor)):
            found = f"a model of the type {loaded.config['model']['type']!r}, which the predictor {name} is for"
            raise format_error(archive, found, "a model of nerzoo, with a predictor of nerzoo")
        predictor = predictor_class(loaded.model, loaded.validation_dataset_reader)
        predictor.batch_tokens = batch_tokens
        return cls(predictor)

    @property
    def predictor(self) -> JsonPredictor:
        """The predictor that does the work."""
        return self._predictor

    @property
    def labels(self) -> List[str]:
        return predicted_labels(self._predictor.model)

    @property
    def is_on_gpu(self) -> bool:
        """Returns whether the model computes on a GPU."""
        return self._predictor.cuda_device >= 0

    def move_to(self, device: int) -> None:
        """Moves the model to the GPU of this number, or to the CPU, which is -1."""
        self._predictor.model.to(int_to_device(device))
        self._predictor.cuda_device = device

    def results(self, inputs: Iterable[Union[Item, Exception]]) -> Iterator[Result]:
        """Yields the prediction for each item of a stream, or in its place the error why there is none."""
        return predict_ahead(inputs, self._read, len, self._predict, self._predictor.batch_tokens)

    def _read(self, item: Any) -> Union[ReadItem, Exception]:
        with self._lock:
            return self._predictor.read({self._predictor.text_key: item} if isinstance(item, str) else item)

    def _predict(self, items: List[Union[ReadItem, Exception]]) -> List[Result]:
        with self._lock:
            return self._predictor.predict_items(items)

    def __reduce__(self) -> Tuple[Callable[[bytes], "Tagger"], Tuple[bytes]]:
        # allennlp/modules/token_embedders/token_characters_encoder.py, TokenCharactersEncoder.__init__, has lambdas,
        # which pickle refuses.
        return _from_bytes, (dill.dumps(self._predictor),)


def predicted_labels(model: Model) -> List[str]:
    """Returns the labels that a model can predict: types of entities, or tags that stand for themselves."""
    if isinstance(model, SpanModel):
        return sorted(model.types)
    if not isinstance(model, TaggingModel):
        return []
    tags = model.vocab.get_token_to_index_vocabulary(model.head.label_namespace)
    return labels_of_tags(tags, model.head.coding_scheme)


def _from_bytes(predictor: bytes) -> Tagger:
    return Tagger(dill.loads(predictor))
