"""
What AllenNLP 2.10.1's `predict` says of its arguments: importing this module has it refuse what would lose data, and
name the input that it cannot read.
"""

import functools
from typing import Any, Iterator, Optional

from allennlp.commands import predict
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.predictors import Predictor

from nerzoo.errors import OF_VALUES, in_short
from nerzoo.files import check_is_no_input

_init, _get_json_data = predict._PredictManager.__init__, predict._PredictManager._get_json_data


@functools.wraps(_init)
def _checked_init(
    self: Any,
    predictor: Predictor,
    input_file: str,
    output_file: Optional[str],
    batch_size: int,
    *args: Any,
    **kwargs: Any,
) -> None:
    if batch_size < 1:
        raise ConfigurationError(f"found --batch-size {batch_size}, expected at least 1")
    # `open(output_file, "w")` empties what is there.
    if output_file is not None:
        check_is_no_input(output_file, [input_file])
    _init(self, predictor, input_file, output_file, batch_size, *args, **kwargs)


@functools.wraps(_get_json_data)
def _get_readable_json_data(self: Any) -> Iterator[JsonDict]:
    try:
        yield from _get_json_data(self)
    except (OSError, UnicodeDecodeError) as error:
        found = f"a file that cannot be read ({in_short(error)})"
        raise ConfigurationError(f"{self._input_file}: found {found}, expected a text in UTF-8") from error


_get_predictor = predict._get_predictor


@functools.wraps(_get_predictor)
def _get_predictor_of_arguments(args: Any) -> Predictor:
    try:
        return _get_predictor(args)
    except ConfigurationError:
        raise
    # `json.loads(predictor_args)`, and what a predictor says of arguments that it does not know.
    except OF_VALUES as error:
        found = (
            f"--predictor-args {args.predictor_args}"
            if args.predictor_args.strip()
            else f"--predictor {args.predictor}"
        )
        raise ConfigurationError(f"found {found}, with which no predictor is made ({in_short(error)})") from error


# commands/predict.py, _PredictManager and _get_predictor.
predict._PredictManager.__init__ = _checked_init  # type: ignore[method-assign]
predict._PredictManager._get_json_data = _get_readable_json_data  # type: ignore[method-assign]
predict._get_predictor = _get_predictor_of_arguments
