"""Folders of the repository and beside it."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
CONFIGS = ROOT / "training_config"
REAL_DATA = ROOT.parent / "shared/data"
"""Not everybody has it."""
