"""
Tags the items of a file, or of the standard input, with an exported tagger:

    python -m nerzoo.runtime FOLDER [ITEMS.jsonl]

reads a JSON value a line: a text, a list of words or an object, see `OnnxTagger`; and writes predictions, an object a
line.
"""

import argparse
import json
import sys
from typing import Any, Iterable, Iterator, Optional, Sequence

from nerzoo.files import JsonError, parse_json
from nerzoo.runtime.onnx_tagger import OnnxTagger


def main(argv: Optional[Sequence[str]] = None) -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(prog="python -m nerzoo.runtime", description="Tag texts without PyTorch.")
    parser.add_argument("folder", help="the folder that `nerzoo export-onnx` has made")
    parser.add_argument("items", nargs="?", type=argparse.FileType(encoding="utf-8-sig"), default=sys.stdin)
    parser.add_argument("--threads", type=int, help="number of threads; by default one a core")
    args = parser.parse_args(argv)
    try:
        tagger = OnnxTagger.load(args.folder, num_threads=args.threads)
        for prediction in tagger.predict(_objects(args.items)):
            print(json.dumps(prediction))
    except (ImportError, ValueError) as error:
        sys.exit(str(error))


def _objects(lines: Iterable[str]) -> Iterator[Any]:
    for number, line in enumerate(lines, start=1):
        try:
            if line.strip():
                yield parse_json(line)
        except JsonError as error:
            raise ValueError(f"line {number}: found {line.strip()!r} ({error}), expected JSON") from None


if __name__ == "__main__":
    main()
