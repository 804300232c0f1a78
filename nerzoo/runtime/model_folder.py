import json
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Union

SETTINGS = "settings.json"
EMISSIONS = "emissions.onnx"
TRANSITIONS = "transitions.npy"
FORMAT = 1
"""The number of the format, which grows with each change that makes other releases misread a folder."""


class ModelFolder:
    """
    The folder of an exported tagger: `settings.json`, which says how words are indexed and tags are read, and, for each
    other file, its size; `emissions.onnx`; `transitions.npy`; and vocabularies and tables of vectors, by the names of
    the inputs of the graph.

    # Parameters

    path : `Union[str, PathLike]`

    # Raises

    `ValueError` where there is no such folder, it is of another format, or a file in it is missing or not whole.
    """

    def __init__(self, path: Union[str, PathLike]) -> None:
        self.path = Path(path)
        settings = self.read_json(SETTINGS)
        found = settings.get("format") if isinstance(settings, dict) else None
        if found != FORMAT:
            raise ValueError(
                f"{self.path / SETTINGS}: found the format {found!r}, expected {FORMAT}, which this release of nerzoo "
                "reads; export the model again"
            )
        self.settings: Dict[str, Any] = settings
        for name, size in settings["files"].items():
            file = self.path / name
            found = f"a file of {file.stat().st_size} bytes" if file.exists() else "no such file"
            if found != f"a file of {size} bytes":
                raise ValueError(f"{file}: found {found}, expected one of {size} bytes, as it was exported")

    def read_json(self, name: str) -> Any:
        """Returns the value in a JSON file of the folder. Raises `ValueError` where there is none."""
        try:
            return json.loads((self.path / name).read_bytes())
        except (OSError, ValueError) as error:
            expected = "a folder that `allennlp export-onnx` has made"
            raise ValueError(f"{self.path / name}: found no file of JSON ({error}), expected {expected}") from error
