from importlib import import_module
from os import PathLike
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Type, Union, overload

from nerzoo.errors import needs_training
from nerzoo.runtime import OnnxTagger
from nerzoo.text.token_batches import BATCH_TOKENS
from nerzoo.zoo.finding import folder_of, is_exported

Item = Union[str, Mapping[str, Any]]
"""A text or an object."""
Prediction = Dict[str, Any]


class Tagger:
    """
    Predicts single items and streams of any length, by a model of the zoo or of one's own:

        tagger = nerzoo.Tagger.load("en")
        tagger("Mara lived in Calder.")["entities"]
        for prediction in tagger(open("texts.txt")):
            ...

    An item is a text or a JSON object that the model's predictor takes. `load` returns an `ExportedTagger`, which needs
    neither PyTorch nor AllenNLP, or for archives a `nerzoo.inference.tagger.Tagger`.
    """

    _mistake: Type[Exception] = ValueError
    """The error for bad items and arguments."""

    @classmethod
    def load(
        cls,
        archive: Union[str, PathLike],
        device: Any = None,
        batch_tokens: int = BATCH_TOKENS,
        overrides: Union[None, str, Dict[str, Any]] = None,
        allow: Iterable[str] = (),
        engine: str = "auto",
    ) -> "Tagger":
        """
        Loads the model with a name, as `nerzoo zoo` lists them; the folder of an exported tagger; or an archive. For
        archives, the other parameters and the errors are those of `nerzoo.inference.tagger.Tagger.load`. Raises
        `ValueError` where there is no such name, the model is damaged or of another version, or it is exported, and
        `device` or `overrides` are given; `ImportError` where a package that the model needs is missing.
        """
        folder = folder_of(archive)
        if not is_exported(folder):
            with needs_training(f"{archive}: an archive"):
                archive_tagger = import_module("nerzoo.inference.tagger").Tagger
            return archive_tagger.load(folder, device, batch_tokens, overrides, allow, engine)
        if str(device) not in ("None", "cpu", "-1") or overrides or engine == "torch":
            found = "a device, overrides or the engine 'torch'"
            raise ValueError(f"{archive}: found {found}, expected none for an exported tagger, on a CPU")
        return ExportedTagger(OnnxTagger.load(folder, batch_tokens))

    # A string, and a mapping of strings, are iterables of strings, too.
    @overload
    def __call__(self, inputs: Item, errors: str = "raise") -> Prediction: ...  # type: ignore[overload-overlap]

    @overload
    def __call__(self, inputs: Iterable[Union[Item, Exception]], errors: str = "raise") -> Iterator[Prediction]: ...

    def __call__(
        self, inputs: Union[Item, Iterable[Union[Item, Exception]]], errors: str = "raise"
    ) -> Union[Prediction, Iterator[Prediction]]:
        """
        Predicts an item, or each item of a stream: returns a prediction, or an iterator over predictions. Raises
        `ValueError`, for archives `ConfigurationError`, where an item is not in a form that the model takes. In a
        stream, it names the index.

        # Parameters

        inputs : `Union[str, Mapping, Iterable[Union[str, Mapping, Exception]]]`
            A text, an object such as `{"words": [...]}`, or a stream of these, even without an end. In a stream, an
            exception may take the place of an item that could not be read.
        errors : `str`, optional (default = `"raise"`)
            For an item that cannot be predicted, `"raise"` raises its error, after the predictions for the items before
            it; `"yield"` puts `{"error": "...", "index": ...}` in the place of the prediction. Indices start at 0.
        """
        if errors not in ("raise", "yield"):
            raise self._mistake(f"found the errors {errors!r}, expected 'raise' or 'yield'")
        if not isinstance(inputs, Iterable):
            raise self._mistake(f"found {inputs!r}, expected a text, an object, or any number of these")
        if not isinstance(inputs, (str, Mapping)):
            return self._stream(inputs, errors)
        (result,) = self.results([inputs])
        if isinstance(result, Exception) and errors == "raise":
            raise result
        return _with_error(result, 0)

    @property
    def labels(self) -> List[str]:
        """The labels that the model can predict: types of entities, or tags that stand for themselves."""
        raise NotImplementedError

    def results(self, inputs: Iterable[Union[Item, Exception]]) -> Iterator[Union[Prediction, Exception]]:
        """Yields the prediction for each item of a stream, or in its place the error why there is none."""
        raise NotImplementedError

    def _stream(self, inputs: Iterable[Union[Item, Exception]], errors: str) -> Iterator[Prediction]:
        for index, result in enumerate(self.results(inputs)):
            if isinstance(result, Exception) and errors == "raise":
                if isinstance(result, self._mistake):
                    raise self._mistake(f"item {index}: {result}") from result
                result.add_note(f"in item {index}")
                raise result
            yield _with_error(result, index)


class ExportedTagger(Tagger):
    """A `Tagger` with an exported model, which computes on the CPU. It can be pickled."""

    def __init__(self, tagger: OnnxTagger) -> None:
        self._tagger = tagger

    @property
    def labels(self) -> List[str]:
        return self._tagger.labels

    def results(self, inputs: Iterable[Union[Item, Exception]]) -> Iterator[Union[Prediction, Exception]]:
        return self._tagger.results(inputs)


def _with_error(result: Union[Prediction, Exception], index: int) -> Prediction:
    """Turns the error of an item, if it is one, into an object."""
    if isinstance(result, Exception):
        return {"error": str(result) or type(result).__name__, "index": index}
    return result
