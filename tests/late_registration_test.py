"""In new interpreters, since this one has imported everything."""

import subprocess
import sys

import pytest
from helpers.paths import ROOT

HEAVY = "import sys; assert not {'torch', 'allennlp', 'spacy', 'transformers'} & set(sys.modules), 'imported'"
REGISTERED = "from allennlp.data import DatasetReader; assert DatasetReader.by_name('tagged_sentences')"


@pytest.mark.parametrize(
    "source",
    [
        f"import nerzoo, nerzoo.runtime; from nerzoo import runtime; assert nerzoo.__version__; {HEAVY}",
        f"import nerzoo; {REGISTERED}",
        f"import allennlp.models, nerzoo; {REGISTERED}",
        f"import nerzoo.models.heads.projection as first; assert first.ProjectionHead; {REGISTERED}",
        f"from nerzoo.runtime import OnnxTagger; from nerzoo import Tagger; {REGISTERED}",
        "import nerzoo; assert nerzoo.models.SequenceTagger and not hasattr(nerzoo, 'nothing')",
        # Modules are what they are otherwise.
        "import nerzoo, allennlp.version; from importlib.resources import files; assert files('allennlp').is_dir()\n"
        "assert allennlp.__spec__.origin == allennlp.__file__ and nerzoo.models.__spec__.submodule_search_locations",
        "import nerzoo, importlib\ntry: importlib.import_module('nerzoo.nothing')\nexcept ModuleNotFoundError: pass",
    ],
)
def test_everything_is_registered_when_allennlp_is_there_and_not_before(source):
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
