from importlib import import_module
from pathlib import Path
from typing import Any, List, Sequence

from allennlp.common.util import lazy_groups_of
from allennlp.models import Archive, load_archive

from nerzoo.bench.run_specification import RunSpecification
from nerzoo.bench.systems.bench_system import MODEL_NAME, Entities, TrainedSystem, Training, read_sentences
from nerzoo.bench.systems.configured import Configured, num_trained_parameters
from nerzoo.data.tag_schemes import tags_to_entities

_BATCH_SIZE = 32


class CrfTagger(Configured):
    """`crf_tagger` of allennlp-models, which has no entities and no probabilities in its output, but tags."""

    is_nerzoos = False

    def train(self, specification: RunSpecification, folder: Path) -> Training:
        _register()
        return super().train(specification, folder)

    def load(self, specification: RunSpecification, folder: Path) -> TrainedSystem:
        _register()
        return _Loaded(load_archive(folder / MODEL_NAME / "model.tar.gz"))


class _Loaded:
    def __init__(self, archive: Archive) -> None:
        self._model: Any = archive.model
        self._reader: Any = archive.validation_dataset_reader
        self.num_parameters = num_trained_parameters(archive.model)

    def read(self, path: Path) -> Sequence[Any]:
        return read_sentences(path)

    def predict(self, items: Sequence[Any]) -> List[Entities]:
        found: List[Entities] = []
        for group in lazy_groups_of(items, _BATCH_SIZE):
            instances = [self._reader.text_to_instance(sentence, tagged=False) for sentence in group]
            for instance in instances:
                self._reader.apply_token_indexers(instance)
            for outputs in self._model.forward_on_instances(instances):
                found.append([dict(entity._asdict()) for entity in tags_to_entities(outputs["tags"], "BIOUL")])
        return found


def _register() -> None:
    import_module("allennlp_models.tagging")
