"""The systems that a bench trains side by side; among them all that configurations describe."""

import hashlib
import json
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from allennlp.common.util import lazy_groups_of
from allennlp.models import Model, load_archive

from nerzoo.configuration_check import read_configuration
from nerzoo.files import read_run_file
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.inference.sources import corpus_items
from nerzoo.inference.tagger import Tagger
from nerzoo.runs.bench_data import CorpusFacts
from nerzoo.runs.runner import train
from nerzoo.runs.systems.bench_system import (
    MODEL_NAME,
    BenchSystem,
    Entities,
    RunSpecification,
    TrainedSystem,
    Training,
)
from nerzoo.runs.systems.other_systems import FeatureCrf, SpacyNer
from nerzoo.text.tag_schemes import tags_to_entities

_BATCH_SIZE = 32
_NO_TREES = "the data has no dependency trees with parts of speech, and --parser names none"
_NO_DOCUMENTS = "the data does not separate documents"
_NESTED = "entities are nested, which fofe_ner_nested is for"
_NOT_NESTED = "no entity is in another one, which fofe_ner is for"


def all_systems(configs: Path) -> Dict[str, BenchSystem]:
    """Returns all systems by name, nerzoo's first. `configs` is the folder of configurations."""
    is_nested = (lambda facts: facts.depth > 1, _NOT_NESTED)
    systems = [
        Configured("ner", configs),
        Configured("char_attention", configs),
        Configured("deptree_ner", configs, (lambda facts: facts.has_trees, _NO_TREES)),
        Configured("memory_ner", configs, (lambda facts: facts.num_documents > 1, _NO_DOCUMENTS)),
        Configured("seq2biseq", configs),
        Configured("fofe_ner", configs, (lambda facts: facts.depth < 2, _NESTED), scores_spans=True),
        Configured("fofe_ner_nested", configs, is_nested, finds_nested=True, scores_spans=True),
        CrfTagger("crf_tagger", configs),
        SpacyNer("spacy"),
        FeatureCrf("feature_crf"),
    ]
    return {system.name: system for system in systems}


class Configured(BenchSystem):
    """
    A system of nerzoo, trained by a configuration `NAME.jsonnet` in the folder `configs`. `needs` are a condition on
    the corpus, and the reason why the system cannot be trained where it does not hold. With `scores_spans`, it scores
    all spans up to a length.
    """

    is_nerzoos = True

    def __init__(
        self,
        name: str,
        configs: Path,
        needs: Optional[Tuple[Callable[[CorpusFacts], bool], str]] = None,
        finds_nested: bool = False,
        scores_spans: bool = False,
    ) -> None:
        super().__init__(name)
        self.finds_nested = finds_nested
        self._path = configs / f"{name}.jsonnet"
        self._needs = needs
        self._scores_spans = scores_spans

    def reason_against(self, facts: CorpusFacts) -> Optional[str]:
        return None if self._needs is None or self._needs[0](facts) else self._needs[1]

    @cached_property
    def full_epochs(self) -> int:
        return self._default_config["trainer"]["num_epochs"]

    @cached_property
    def fingerprint(self) -> Optional[str]:
        return hashlib.sha256(json.dumps(self._default_config, sort_keys=True).encode()).hexdigest()

    @cached_property
    def _default_config(self) -> Dict[str, Any]:
        defaults = {"SEED": "1", "EPOCHS": "", "WORD_VECTORS": "", "WORD_VECTOR_SIZE": "100"}
        return read_configuration(self._path, ext_vars=defaults).as_dict(quiet=True)

    def train(self, specification: RunSpecification, folder: Path) -> Training:
        overrides: Dict[str, Any] = {
            "train_data_path": str(specification.path(folder, "train")),
            "validation_data_path": str(specification.path(folder, "dev")),
        }
        if self._scores_spans:
            overrides |= dict.fromkeys(("dataset_reader.max_length", "model.max_length"), specification.max_length)
        config = read_configuration(self._path, json.dumps(overrides), ext_vars=specification.environment)
        model = folder / MODEL_NAME
        train(config, model, file_friendly_logging=True)
        # Each is as large as the archive.
        for weights in model.glob("*.th"):
            weights.unlink()
        metrics = read_run_file(model / "metrics.json", dict)
        hours, minutes, seconds = map(float, metrics["training_duration"].split(":"))
        epochs = metrics["epoch"] + 1
        return Training(epochs, metrics["best_epoch"] + 1, (3600 * hours + 60 * minutes + seconds) / epochs)

    def load(self, folder: Path) -> TrainedSystem:
        tagger = Tagger.load(folder / MODEL_NAME / "model.tar.gz")

        def read(path: Path) -> Sequence[Any]:
            return [item.inputs for item in corpus_items(JsonlCorpus(), tagger.predictor)(str(path))]

        def predict(items: Sequence[Any]) -> List[Entities]:
            sentences = (sentence for found in tagger(items) for sentence in found.get("sentences", [found]))
            return [sentence["entities"] for sentence in sentences]

        return TrainedSystem(num_trained_parameters(tagger.predictor.model), predict, read)


class CrfTagger(Configured):
    """The `crf_tagger` of allennlp-models, whose output has tags, but neither entities nor probabilities."""

    is_nerzoos = False

    def train(self, specification: RunSpecification, folder: Path) -> Training:
        import_module("allennlp_models.tagging")
        return super().train(specification, folder)

    def load(self, folder: Path) -> TrainedSystem:
        import_module("allennlp_models.tagging")
        archive = load_archive(folder / MODEL_NAME / "model.tar.gz")
        model: Any = archive.model
        reader: Any = archive.validation_dataset_reader

        def predict(sentences: Sequence[Any]) -> List[Entities]:
            found: List[Entities] = []
            for group in lazy_groups_of(sentences, _BATCH_SIZE):
                instances = [reader.text_to_instance(sentence, tagged=False) for sentence in group]
                for instance in instances:
                    reader.apply_token_indexers(instance)
                for outputs in model.forward_on_instances(instances):
                    found.append([entity._asdict() for entity in tags_to_entities(outputs["tags"], "BIOUL")])
            return found

        return TrainedSystem(num_trained_parameters(model), predict)


def num_trained_parameters(model: Model) -> int:
    """Counts the parameters of a model that are trained."""
    return sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)
