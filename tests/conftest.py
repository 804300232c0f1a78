import functools
import gc
import json
import os
import shutil
import tempfile
from pathlib import Path

import _jsonnet
import pytest
from helpers.once import once
from helpers.paths import FIXTURES
from helpers.renderings import evaluate_file, evaluate_snippet

# Before a test module imports allennlp, so that libraries which few tests use are imported when they are used.
import nerzoo  # noqa: F401

# A folder for all processes of a run, whose environment has it when they start.
if "NERZOO_TESTS" not in os.environ:
    SHARED = tempfile.TemporaryDirectory()
    os.environ["NERZOO_TESTS"] = SHARED.name
    # allennlp_models downloads this folder of NLTK, which no test reads, where it finds none.
    os.environ["NLTK_DATA"] = f"{SHARED.name}/nltk_data"
    Path(SHARED.name, "nltk_data/tokenizers/punkt").mkdir(parents=True)
    # Where nerzoo remembers the configurations of what it has trained. Read when allennlp is first imported.
    os.environ["ALLENNLP_CACHE_ROOT"] = f"{SHARED.name}/cache"

# Processes of a test that share few cores would wait for each other's threads. Read when torch is first imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# As env.sh does: the default of a variable that main jobs read is nerzoo's, and not that of `Params.from_file`.
os.environ.setdefault("SEED", "")

# Where there is no GPU, the kernels run in Triton's interpreter. Read when triton is first imported.
if not Path("/dev/nvidiactl").exists():
    os.environ.setdefault("TRITON_INTERPRET", "1")


def pytest_xdist_auto_num_workers(config):
    """
    Tests that are named run in this process, which has no others to wait for. The whole suite has one process more than
    there are cores: a quarter of its time, a test waits for a process that it started.
    """
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    return 0 if named else os.cpu_count() + 1


# Before allennlp imports it.
_jsonnet.evaluate_file, _jsonnet.evaluate_snippet = evaluate_file, evaluate_snippet

# The garbage collector would look through what the test modules import again and again, for half a second each time.
gc.disable()


def pytest_collection_finish():
    # Without a look for garbage, which takes half a second, and of which there is little.
    gc.freeze()
    # Models and texts are many objects, of which few are garbage: with the default, a search follows each 700 of them.
    gc.set_threshold(20_000, 10, 10)
    gc.enable()


# Helpers that fork a process, which takes seconds to start, for each test, and what starts Ray or a server.
WAITING = {"run_forked", "run_in_new_processes", "run_until_killed", "predict_over_ray", "children"}


def pytest_collection_modifyitems(items):
    """
    Files whose tests wait for other processes come first: they take longest, so that no core waits for them at the end,
    and they run one after another in the first worker, which alone starts the process to fork.
    """
    items.sort(key=lambda item: WAITING.isdisjoint(vars(item.module)))


@pytest.fixture(scope="session")
def few_sentences(tmp_path_factory):
    """The path of a file with the first six sentences of the fixture treebank."""
    path = tmp_path_factory.mktemp("people_and_places") / "few.conllu"
    sentences = (FIXTURES / "people_and_places/train.conllu").read_text().split("\n\n")
    path.write_text("\n\n".join(sentences[:6]) + "\n\n")
    return path


@pytest.fixture(scope="session")
def deptree_ner():
    """The folder of the dependency-aware tagger, trained for three epochs. It is for all tests: none changes it."""
    from helpers.commands import train

    def train_for_three_epochs(folder):
        train(folder / "run", **{"trainer.num_epochs": 3})
        return folder / "run"

    return once("three_epochs", train_for_three_epochs)


@pytest.fixture(scope="session")
def archives():
    """Maps a job, see `train_archive`, to the archive of its model. It is for all tests: none changes it."""
    from helpers.archives import train_archive

    return functools.cache(lambda job: once(job, lambda folder: train_archive(job, folder)))


@pytest.fixture(scope="session")
def spacy_pipeline(tmp_path_factory):
    """The folder of a spaCy pipeline that parses the two texts it was trained on, the latter with two roots."""
    import spacy
    from spacy.training import Example

    annotated = {
        "Mara lived in Lindow.": {
            "tags": ["NNP", "VBD", "IN", "NNP", "."],
            "heads": [1, 1, 3, 1, 1],
            "deps": ["nsubj", "ROOT", "case", "obl", "punct"],
        },
        "Mara laughed. Jordan left.": {
            "tags": ["NNP", "VBD", ".", "NNP", "VBD", "."],
            "heads": [1, 1, 1, 4, 4, 4],
            "deps": ["nsubj", "ROOT", "punct", "nsubj", "ROOT", "punct"],
        },
    }
    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    nlp.add_pipe("parser", config={"min_action_freq": 1})
    examples = [Example.from_dict(nlp.make_doc(text), annotation) for text, annotation in annotated.items()]
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(30):
        nlp.update(examples, sgd=optimizer)
    path = tmp_path_factory.mktemp("spacy") / "pipeline"
    nlp.to_disk(path)
    return path


@pytest.fixture(scope="session")
def exported(archives):
    """The folder of the tagger of `ner.jsonnet`, exported. It is for all tests: none changes it."""
    from nerzoo.inference.export_onnx import export_onnx

    return once("exported", lambda folder: export_onnx(archives("ner"), folder))


@pytest.fixture
def zoo(exported, tmp_path, monkeypatch):
    """A folder with one model, `xy`, the exported tagger, which the zoo consists of in a test."""
    folder = tmp_path / "zoo"
    shutil.copytree(exported, folder / "xy")
    card = {"description": "names of a fixture", "score": "F1 100.0", "licence": "CC0-1.0", "data": ["fixtures"]}
    (folder / "xy/card.json").write_text(json.dumps(card))
    monkeypatch.setattr("nerzoo.zoo.finding.FOLDERS", [folder])
    monkeypatch.setattr("nerzoo.zoo.command.DEFAULT_MODEL", "xy")
    return folder
