"""Late imports, in new interpreters, since this one has imported everything."""

import subprocess
import sys

from helpers.forked import LIBRARIES, NERZOO, run_forked
from helpers.paths import ROOT

REGISTERED = "from allennlp.data import DatasetReader; assert DatasetReader.by_name('tagged_sentences')"
PROGRAMS = [
    "import nerzoo, importlib\ntry: importlib.import_module('nerzoo.nothing')\n"
    f"except ModuleNotFoundError: {REGISTERED}\nelse: raise AssertionError('it was found')",
    f"import allennlp.models, nerzoo; {REGISTERED}",
    f"import nerzoo.models.heads.tag_head as first; assert first.ProjectionHead; {REGISTERED}",
    f"from nerzoo.runtime import OnnxTagger; from nerzoo import Tagger; {REGISTERED}",
    "import nerzoo; assert nerzoo.models.sequence_tagger.SequenceTagger and not hasattr(nerzoo, 'nothing')",
    # Modules are what they are otherwise.
    "import nerzoo, allennlp.version; from importlib.resources import files; assert files('allennlp').is_dir()\n"
    f"assert allennlp.__spec__.origin == allennlp.__file__; {REGISTERED}\n"
    "assert nerzoo.models.__spec__.submodule_search_locations",
    "import nerzoo.inference.tagger; assert issubclass(nerzoo.inference.tagger.Tagger, nerzoo.Tagger)",
]


def test_nothing_is_imported_before_allennlp_is_there():
    source = (
        "import sys, nerzoo, nerzoo.runtime; from nerzoo import runtime; assert nerzoo.Tagger\n"
        "assert not {'torch', 'allennlp', 'spacy', 'transformers'} & set(sys.modules), 'imported'"
    )
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_everything_is_registered_when_allennlp_is_there():
    assert run_forked(LIBRARIES, PROGRAMS) == [""] * len(PROGRAMS)


DEFERRED = ["torchvision", "peft", "sklearn", "scipy.stats", "nltk", "pandas", "matplotlib", "datasets"]
DEFERRED += ["transformers.image_utils", "scipy.optimize", "torch.distributed.tensor"]


def test_importing_nerzoo_leaves_out_what_few_models_use():
    program = (
        "import sys, nerzoo; nerzoo.models\n"
        "assert {'allennlp.models', 'allennlp.data.image_loader', 'spacy'} <= {*sys.modules}\n"
        f"found = {{*{DEFERRED}, 'allennlp_models'}} & {{*sys.modules}}\n"
        "assert not found, found"
    )
    assert run_forked(NERZOO, [program]) == [""]


USED_LATER = [
    "from allennlp.data.image_loader import torchvision; assert torchvision.io.read_image\n"
    "from allennlp.training.metrics import Auc; import torch; a = Auc()\n"
    "a(torch.tensor([0.1, 0.9]), torch.tensor([0, 1])); assert a.get_metric() == 1\n"
    "from allennlp.training.metrics import SpearmanCorrelation; import torch; s = SpearmanCorrelation()\n"
    "s(torch.tensor([1., 2., 3.]), torch.tensor([2., 4., 5.])); assert abs(s.get_metric() - 1) < 1e-6\n"
    "from allennlp.training.metrics.evalb_bracketing_scorer import Tree\n"
    "assert Tree.fromstring('(S (NP Mara))').leaves() == ['Mara']\n"
    "import nltk; assert nltk.Tree.__module__ == Tree.__module__ and nltk.word_tokenize",
    "from allennlp.modules.transformer.activation_layer import ACT2FN; import torch\n"
    "assert ACT2FN['relu'](torch.tensor(-1.0)) == 0\n"
    "import transformers.models.bert.modeling_bert as bert; assert bert.BertModel and bert.ACT2FN is not ACT2FN",
    "import peft, torch; from transformers.trainer_utils import PeftModel, unwrap_peft_model\n"
    "linear = torch.nn.Sequential(torch.nn.Linear(1, 1)); assert unwrap_peft_model(linear) is linear\n"
    "updated = peft.PeftModel(linear, peft.LoraConfig(target_modules=['0']))\n"
    "assert isinstance(updated, PeftModel) and PeftModel is not peft.PeftModel",
    "import transformers as t; assert t.DataCollatorForLanguageModeling and t.Adafactor",
    "import torchvision.ops.boxes, sklearn.svm, nltk.tokenize, scipy.stats, transformers.optimization\n"
    "assert torchvision.ops.boxes.nms and scipy.stats.norm and sklearn.metrics and nltk.tokenize.word_tokenize",
    "from allennlp.common.plugins import import_plugins; import_plugins()",
]


def test_what_was_left_out_is_there_when_it_is_used():
    assert run_forked(NERZOO, USED_LATER) == [""] * len(USED_LATER)


BEFORE = [["allennlp.models"], ["torchvision", "sklearn.metrics", "nltk", "peft"]]


def test_what_is_imported_before_stays():
    programs = [
        f"import sys, {', '.join(names)}; before = {{name: sys.modules[name] for name in {names}}}\n"
        "import nerzoo.models\n"
        "assert all(sys.modules[name] is module for name, module in before.items())"
        for names in BEFORE
    ]
    assert run_forked(LIBRARIES, programs) == [""] * len(BEFORE)


def test_another_release_of_nltk_is_imported_whole(tmp_path):
    """One that has its class of trees somewhere else."""
    package = tmp_path / "nltk"
    package.mkdir()
    (package / "__init__.py").write_text("class Tree: pass\n")
    program = (
        f"import sys; assert 'nltk' not in sys.modules; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import nerzoo.models, nltk; assert nltk.Tree.__module__ == 'nltk' and len(nltk.__path__) == 1"
    )
    assert run_forked(LIBRARIES, [program]) == [""]


def test_garbage_is_collected_as_before():
    programs = [
        "import gc, nerzoo.models; assert gc.isenabled()",
        "import gc; gc.disable(); import nerzoo.models; assert not gc.isenabled()",
    ]
    assert run_forked(LIBRARIES, programs) == ["", ""]
