"""Folders of the repository and beside it."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
CONFIGS = ROOT / "training_config"
REAL_DATA = Path(os.environ.get("DATA", ROOT.parent / "shared/data"))
"""Not everybody has it. `DATA` says where it is for configurations, too."""
