"""Archives of the main jobs, and inputs for their predictors."""

import functools
import json
import shutil

import pytest
from allennlp.common import Params
from allennlp.predictors import Predictor
from helpers.main_jobs import MAIN_JOBS, OVER_TRANSFORMER, configuration
from helpers.paths import FIXTURES, ROOT
from spacy.util import load_config

from nerzoo.data import parser_training
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.training.train_model import train_model

JOBS = [*MAIN_JOBS, "second_pass"]
# Its first pass was trained on the same sentences, so that the second pass only has something to do.
SECOND_PASS = f"""
local first = import '{ROOT}/training_config/fofe_ner.jsonnet';
(import '{ROOT}/training_config/fofe_ner/second_pass.libsonnet')(first, 'FOLDER') + {{ trainer+: {{ num_epochs: 2 }} }}
"""


def train_archive(job, folder):
    """Trains a main job, or `OVER_TRANSFORMER`, for a few epochs in a new folder; returns the path of the archive."""
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("WORD_VECTORS", "")
        # No test depends on what the parser has learnt, which takes seconds.
        patch.setattr(parser_training, "load_config", _load_config_of_one_epoch)
        if job == "second_pass":
            train_archive("fofe_ner", folder / "first")
            shutil.copytree(folder / "first/run", folder / "model")
            sentences = FIXTURES / "people_and_places/train.conllu"
            predictor = Predictor.from_path(folder / "model/model.tar.gz", import_plugins=False)
            instances = list(predictor.dataset_reader.read(sentences))
            lines = map(predictor.dump_line, predictor.predict_batch_instance(instances))
            (folder / "predictions.jsonl").write_text("".join(lines))
            (folder / "config.jsonnet").write_text(SECOND_PASS.replace("FOLDER", str(folder)))
            params = Params.from_file(folder / "config.jsonnet")
        else:
            params = Params(configuration(job, folder / "transformer"))
            # Its rates rise first.
            params["trainer"]["num_epochs"] = 15 if job == OVER_TRANSFORMER else 2
        params["trainer"]["cuda_device"] = -1
        train_model(params, folder / "run")
    return folder / "run/model.tar.gz"


def _load_config_of_one_epoch(path, overrides):
    return load_config(path, overrides={**overrides, "training.max_epochs": 1})


@functools.cache
def sentences():
    """Returns all annotated sentences of the fixtures as inputs of a predictor."""
    return [sentence for document in documents() for sentence in document["sentences"]]


@functools.cache
def documents():
    paths = [FIXTURES / f"people_and_places/{part}.conllu" for part in ("train", "dev", "test")]
    return [
        {
            "doc_id": document.id,
            "sentences": [
                {name: getattr(sentence, name) for name in ("words", "pos", "heads", "dep_labels")}
                for sentence in document.sentences
            ],
        }
        for path in paths
        for document in ConlluCorpus().read(path)
    ]


def inputs(job):
    """Returns inputs for the predictor of a main job: some hundred items of different lengths."""
    if job == "memory_ner":
        return documents()
    if job == "thread_structure":
        return [json.loads(line) for line in (FIXTURES / "threads/train.jsonl").read_text().splitlines()]
    if job == "fofe_lm":
        return [{"sentence": line} for line in (FIXTURES / "text/dev.txt").read_text().splitlines()]
    return sentences()


def assert_same(found, expected, tolerance=1e-5):
    """Asserts that objects are equal, with numbers equal within the tolerance."""
    if isinstance(expected, float):
        assert found == pytest.approx(expected, rel=tolerance, abs=tolerance)
    elif isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for name, value in expected.items():
            assert_same(found[name], value, tolerance)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for value, other in zip(found, expected, strict=True):
            assert_same(value, other, tolerance)
    else:
        assert found == expected
