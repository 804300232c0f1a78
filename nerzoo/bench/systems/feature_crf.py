from pathlib import Path
from typing import Any, List, Sequence

from nerzoo.bench.run_specification import RunSpecification
from nerzoo.bench.systems.bench_system import MODEL_NAME, BenchSystem, Entities, TrainedSystem, Training, read_sentences
from nerzoo.bench.systems.word_features import sentence_features
from nerzoo.data.tag_schemes import entities_to_tags, layer, tags_to_entities
from nerzoo.extras import extra

_FILE_NAME = "model.crfsuite"
_SCHEME = "BIO"
_LEAST_SECONDS = 1e-3


class FeatureCrf(BenchSystem):
    """
    A linear-chain CRF on hand-made features of words, by CRFsuite: L-BFGS, of whose iterations an epoch of the plan is
    one, with L1 and L2 of 0.1 each. It needs neither word vectors nor development data, and has no use for a seed.
    """

    has_seeds = False
    full_epochs = 100

    def train(self, specification: RunSpecification, folder: Path) -> Training:
        sentences = read_sentences(specification.path(folder, "train"))
        features = [sentence_features(sentence.words) for sentence in sentences]
        tags = [
            entities_to_tags(layer(sentence.entities, "outermost"), len(sentence.words), _SCHEME)
            for sentence in sentences
        ]
        model = folder / MODEL_NAME
        model.mkdir(exist_ok=True)
        (model / _FILE_NAME).unlink(missing_ok=True)
        crf = _crf(model, max_iterations=specification.epochs, c1=0.1, c2=0.1, all_possible_transitions=True)
        crf.fit(features, tags)
        # Its log has milliseconds, without what comes before the first iteration.
        seconds = [iteration["time"] for iteration in crf.training_log_.iterations]
        return Training(len(seconds), None, max(sum(seconds) / len(seconds), _LEAST_SECONDS))

    def load(self, specification: RunSpecification, folder: Path) -> TrainedSystem:
        return _Loaded(_crf(folder / MODEL_NAME))


class _Loaded:
    def __init__(self, crf: Any) -> None:
        self._crf = crf
        self.num_parameters = len(crf.state_features_) + len(crf.transition_features_)

    def read(self, path: Path) -> Sequence[Any]:
        return read_sentences(path)

    def predict(self, items: Sequence[Any]) -> List[Entities]:
        found: List[Entities] = []
        for sentence in items:
            tags = self._crf.predict_single(sentence_features(sentence.words))
            found.append([dict(entity._asdict()) for entity in tags_to_entities(tags, _SCHEME)])
        return found


def _crf(model: Path, **options: Any) -> Any:
    with extra("bench", ", which trains a CRF on features of words"):
        import sklearn_crfsuite
    return sklearn_crfsuite.CRF(algorithm="lbfgs", model_filename=str(model / _FILE_NAME), **options)
