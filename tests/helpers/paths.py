"""Folders of the repository and beside it."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
CONFIGS = ROOT / "training_config"
SHARED = ROOT.parent / "shared"
"""The folder with the real data, which not everybody has."""
