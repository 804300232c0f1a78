"""On what, and with which programs, a bench was run."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Dict

import torch

_PACKAGES = ("nerzoo", "allennlp", "allennlp-models", "torch", "numpy", "spacy", "sklearn-crfsuite", "python-crfsuite")
_CPU_INFO = Path("/proc/cpuinfo")


def machine() -> Dict[str, str]:
    """Names the processor, its cores, the memory, the GPU and the operating system."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "memory": f"{memory:.0f} GiB",
        "GPU": torch.cuda.get_device_name() if torch.cuda.is_available() else "none",
        "system": f"{platform.system()} {platform.machine()}",
    }


def versions() -> Dict[str, str]:
    """Returns the versions of Python and of the packages that a result may depend on, as far as they are there."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _processor() -> str:
    lines = _CPU_INFO.read_text().splitlines() if _CPU_INFO.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"
