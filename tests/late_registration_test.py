"""In new interpreters, since this one has imported everything."""

import subprocess
import sys

from helpers.forked import run_forked
from helpers.paths import ROOT

REGISTERED = "from allennlp.data import DatasetReader; assert DatasetReader.by_name('tagged_sentences')"
PROGRAMS = [
    f"import nerzoo; {REGISTERED}",
    f"import allennlp.models, nerzoo; {REGISTERED}",
    f"import nerzoo.models.heads.projection as first; assert first.ProjectionHead; {REGISTERED}",
    f"from nerzoo.runtime import OnnxTagger; from nerzoo import Tagger; {REGISTERED}",
    "import nerzoo; assert nerzoo.models.sequence_tagger.SequenceTagger and not hasattr(nerzoo, 'nothing')",
    # Modules are what they are otherwise.
    "import nerzoo, allennlp.version; from importlib.resources import files; assert files('allennlp').is_dir()\n"
    "assert allennlp.__spec__.origin == allennlp.__file__ and nerzoo.models.__spec__.submodule_search_locations",
    "import nerzoo, importlib\ntry: importlib.import_module('nerzoo.nothing')\nexcept ModuleNotFoundError: pass",
]


def test_nothing_is_imported_before_allennlp_is_there():
    source = (
        "import sys, nerzoo, nerzoo.runtime; from nerzoo import runtime; assert nerzoo.__version__\n"
        "assert not {'torch', 'allennlp', 'spacy', 'transformers'} & set(sys.modules), 'imported'"
    )
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_everything_is_registered_when_allennlp_is_there():
    assert run_forked("import torch, spacy", PROGRAMS) == [""] * len(PROGRAMS)
