"""The version of nerzoo; setup.cfg reads it from here without importing anything."""

__version__ = "0.2.0"
