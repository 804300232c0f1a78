"""
Does a run of a bench, as `run.json` in its folder says:

    python -m nerzoo.bench output/bench/runs/ner-1-0
"""

import sys
from pathlib import Path

from nerzoo.bench.execution import execute

if __name__ == "__main__":
    execute(Path(sys.argv[1]))
