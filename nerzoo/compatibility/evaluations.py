"""
What AllenNLP 2.10.1's `evaluate` says of its arguments: importing this module has it refuse those by which nothing
would be evaluated, or an input lost.
"""

import functools
import inspect
import json
from typing import Any, Dict

from allennlp.commands import evaluate
from allennlp.common.checks import ConfigurationError

from nerzoo.files import check_is_no_input

_evaluate_from_archive = evaluate.evaluate_from_archive


@functools.wraps(_evaluate_from_archive)
def _evaluate_from_archive_checked(*args: Any, **kwargs: Any) -> Dict[str, Any]:
    given = inspect.signature(_evaluate_from_archive).bind(*args, **kwargs).arguments
    input_file, automatic_names = given["input_file"], given.get("auto_names", "NONE")
    try:
        inputs = json.loads(f"[{input_file}]")
    except ValueError:
        inputs = input_file.split(",")
    if not inputs or "" in inputs:
        raise ConfigurationError(f"found the input {input_file!r}, expected the path of a file")
    paths = [each for each in inputs if isinstance(each, str)]
    for option, names, automatic in (
        ("--output-file", given.get("metrics_output_file"), "METRICS"),
        ("--predictions-output-file", given.get("predictions_output_file"), "PREDS"),
    ):
        outputs = [] if names is None or automatic_names in (automatic, "ALL") else names.split(",")
        if outputs and len(outputs) != len(inputs):
            found = f"{len(outputs)} files in {option} and {len(inputs)} inputs"
            raise ConfigurationError(f"found {found}, expected one for each, with commas between them")
        for output in outputs:
            check_is_no_input(output, paths)
    return _evaluate_from_archive(*args, **kwargs)


# commands/evaluate.py, evaluate_from_archive: `assert len(output_file_list) == len(evaluation_data_path_list)`, and the
# evaluator's `open("w", ...)` and `dump_metrics`.
evaluate.evaluate_from_archive = _evaluate_from_archive_checked
