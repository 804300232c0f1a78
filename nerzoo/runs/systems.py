"""
The systems that a bench trains side by side: their base class, those that configurations describe, spaCy's `ner`, and a
CRF on the hand-made features of the time before word vectors.
"""

import hashlib
import json
import re
import time
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, cast

import spacy
from allennlp.common.util import lazy_groups_of
from allennlp.models import Model, load_archive
from spacy.tokens import Doc, DocBin

from nerzoo.configuration.check import read_configuration
from nerzoo.configuration.sources import DEFAULTS
from nerzoo.errors import extra
from nerzoo.files import read_run_file
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.inference.sources import corpus_items
from nerzoo.inference.tagger import Tagger
from nerzoo.runs.bench_data import CorpusFacts, RunSpecification, read_sentences
from nerzoo.runs.runner import train
from nerzoo.text.annotation import Sentence, entities_to_tags, layer, tags_to_entities

TRANSFORMER = "transformer"
"""The system that tunes a transformer."""
MODEL_NAME = "model"
"""The folder of a system's own files, in that of a run."""
_BATCH_SIZE = 32
_AFFIXES = (1, 2, 3, 4)
_WINDOW = (-2, -1, 1, 2)
_FILE_NAME = "model.crfsuite"
_SCHEME = "BIO"
_LEAST_SECONDS = 1e-3
_LOG_NAME = "steps.jsonl"
_MOST_WORDS = 1000
"""The largest batch, in words, of spaCy's defaults."""
_EVALUATION_STEPS = 200

Entities = List[Dict[str, Any]]
"""The entities of a sentence, each with `start`, `end`, `label` and perhaps `probability`."""


class Training(NamedTuple):
    """Facts about a training: its number of epochs, the best of them, and the seconds of one."""

    epochs: int
    best_epoch: Optional[int]
    epoch_seconds: float


class TrainedSystem(NamedTuple):
    """A system that has been trained and loaded."""

    num_parameters: int
    """The number of trained parameters."""
    predict: Callable[[Sequence[Any]], List[Entities]]
    """Finds the entities of each sentence of what `read` returns."""
    read: Callable[[Path], Sequence[Any]] = read_sentences
    """Reads a file of JSON lines."""


class BenchSystem:
    """The base class of the systems that a bench trains."""

    is_nerzoos: bool = False
    finds_nested: bool = False
    """True for systems that find entities inside others; the rest are trained on the outermost ones."""
    has_seeds: bool = True
    """False for systems to which a seed makes no difference."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def full_epochs(self) -> int:
        """The number of epochs if there is time for all, unless training stops early."""
        raise NotImplementedError

    @property
    def fingerprint(self) -> Optional[str]:
        """A digest of its configuration, if it has one."""
        return None

    def reason_against(self, facts: CorpusFacts) -> Optional[str]:
        """Returns why the system cannot be trained on such a corpus, if it cannot."""
        return None

    def train(self, specification: RunSpecification, folder: Path) -> Training:
        """Trains in the folder of a run; continues an interrupted training there if it can."""
        raise NotImplementedError

    def load(self, folder: Path) -> TrainedSystem:
        """Loads the system that was trained in the folder of a run."""
        raise NotImplementedError


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
        # The transformer has a name, but is not read.
        variables = {**DEFAULTS, "SEED": "1", "TRANSFORMER": "any"}
        return read_configuration(self._path, ext_vars=variables).as_dict(quiet=True)

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
        tagger = Tagger.load(folder / MODEL_NAME / "model.tar.gz", engine="torch")

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


class SpacyNer(BenchSystem):
    """
    spaCy's `ner`, trained by spaCy's trainer with the defaults of `spacy init config -p ner` for efficiency, and word
    vectors if there are any. Training stops after 1600 steps without improvement; evaluation is once an epoch, or
    every 200 steps if an epoch is longer.
    """

    full_epochs = 100

    def train(self, specification: RunSpecification, folder: Path) -> Training:
        from spacy.cli.init_config import init_config
        from spacy.cli.train import train
        from spacy.training.initialize import convert_vectors

        model = folder / MODEL_NAME
        model.mkdir(exist_ok=True)
        vocab = spacy.blank(specification.language).vocab
        num_words = 0
        for part in ("train", "dev"):
            sentences = read_sentences(specification.path(folder, part))
            DocBin(docs=(_doc(vocab, sentence, True) for sentence in sentences)).to_disk(model / f"{part}.spacy")
            num_words = num_words or sum(len(sentence.words) for sentence in sentences)
        config = init_config(lang=specification.language, pipeline=["ner"], optimize="efficiency")
        config["paths"] |= {part: str(model / f"{part}.spacy") for part in ("train", "dev")}
        config["system"]["seed"] = config["training"]["seed"] = specification.seed
        steps = min(_EVALUATION_STEPS, max(1, num_words // _MOST_WORDS))
        config["training"] |= {"max_epochs": specification.epochs, "max_steps": 0, "eval_frequency": steps}
        log = {"progress_bar": None, "console_output": False, "output_file": str(model / _LOG_NAME)}
        config["training"]["logger"] = {"@loggers": "spacy.ConsoleLogger.v3", **log}
        if specification.word_vectors:
            nlp = spacy.blank(specification.language)
            convert_vectors(nlp, Path(specification.word_vectors), truncate=0, prune=-1, name="vectors")
            nlp.to_disk(model / "vectors")
            config["paths"]["vectors"] = config["initialize"]["vectors"] = str(model / "vectors")
            config["components"]["tok2vec"]["model"]["embed"]["include_static_vectors"] = True
        config.to_disk(model / "config.cfg")
        (model / _LOG_NAME).unlink(missing_ok=True)
        start = time.perf_counter()
        train(model / "config.cfg", model)
        steps_done = [json.loads(line) for line in (model / _LOG_NAME).read_text().splitlines()]
        best = max(steps_done, key=lambda step: step["score"])
        epochs = steps_done[-1]["epoch"] + 1
        return Training(epochs, best["epoch"] + 1, (time.perf_counter() - start) / epochs)

    def load(self, folder: Path) -> TrainedSystem:
        nlp = spacy.load(folder / MODEL_NAME / "model-best")
        num_parameters = sum(
            node.get_param(name).size
            for _, component in nlp.pipeline
            for node in cast(Any, component).model.walk()
            for name in node.param_names
            if node.has_param(name)
        )

        def predict(sentences: Sequence[Sentence]) -> List[Entities]:
            docs = nlp.pipe(_doc(nlp.vocab, sentence, False) for sentence in sentences)
            return [[{"start": span.start, "end": span.end, "label": span.label_} for span in doc.ents] for doc in docs]

        return TrainedSystem(num_parameters, predict)


def _doc(vocab: spacy.Vocab, sentence: Sentence, tagged: bool) -> Doc:
    tags = _outermost_tags(sentence) if tagged else None
    return Doc(vocab, words=sentence.words, spaces=sentence.space_after, ents=tags)


def _outermost_tags(sentence: Sentence) -> List[str]:
    # Neither system takes nested entities.
    return entities_to_tags(layer(sentence.entities, "outermost"), len(sentence.words), _SCHEME)


def sentence_features(words: Sequence[str]) -> List[Dict[str, Any]]:
    """
    Returns the features of each word of a sentence: the word in lower case, its shape, its shape without repetitions,
    prefixes and suffixes of up to four characters, six facts about its form, the words and shapes around it, the pairs
    with its neighbours, and whether it is the first or the last word.
    """
    lower = [word.lower() for word in words]
    shapes = [shape(word) for word in words]
    return [_features(words, lower, shapes, place) for place in range(len(words))]


def shape(word: str) -> str:
    """Returns a word with each letter as `X` or `x`, each digit as `d`, and all else as it is."""
    return re.sub(r"\d", "d", re.sub(r"[^\W\d_]", lambda letter: "X" if letter[0].isupper() else "x", word))


def _features(words: Sequence[str], lower: Sequence[str], shapes: Sequence[str], place: int) -> Dict[str, Any]:
    word = words[place]
    features: Dict[str, Any] = {
        "bias": 1.0,
        "word": lower[place],
        "shape": shapes[place],
        "short shape": re.sub(r"(.)\1+", r"\1", shapes[place]),
        "is title": word.istitle(),
        "is upper": word.isupper(),
        "is digit": word.isdigit(),
        "has capital": any(character.isupper() for character in word[1:]),
        "has digit": any(character.isdigit() for character in word),
        "has punctuation": not word.isalnum(),
        "is first": place == 0,
        "is last": place == len(words) - 1,
    }
    for length in _AFFIXES:
        if length < len(word):
            features[f"prefix {length}"] = lower[place][:length]
            features[f"suffix {length}"] = lower[place][-length:]
    for offset in _WINDOW:
        if 0 <= place + offset < len(words):
            features[f"word {offset:+d}"] = lower[place + offset]
            features[f"shape {offset:+d}"] = shapes[place + offset]
            if abs(offset) == 1:
                pair = sorted((place, place + offset))
                features[f"pair {offset:+d}"] = " ".join(lower[index] for index in pair)
    return features


class FeatureCrf(BenchSystem):
    """
    A linear-chain CRF on hand-made features of words, by CRFsuite: L-BFGS, with L1 and L2 of 0.1 each. An epoch is an
    iteration. It needs neither word vectors nor development data, and nothing in it is random.
    """

    has_seeds = False
    full_epochs = 100

    def train(self, specification: RunSpecification, folder: Path) -> Training:
        sentences = read_sentences(specification.path(folder, "train"))
        features = [sentence_features(sentence.words) for sentence in sentences]
        model = folder / MODEL_NAME
        model.mkdir(exist_ok=True)
        (model / _FILE_NAME).unlink(missing_ok=True)
        crf = _crf(model, max_iterations=specification.epochs, c1=0.1, c2=0.1, all_possible_transitions=True)
        crf.fit(features, list(map(_outermost_tags, sentences)))
        # Its log has milliseconds, without the time before the first iteration.
        seconds = [iteration["time"] for iteration in crf.training_log_.iterations]
        return Training(len(seconds), None, max(sum(seconds) / len(seconds), _LEAST_SECONDS))

    def load(self, folder: Path) -> TrainedSystem:
        crf = _crf(folder / MODEL_NAME)

        def predict(sentences: Sequence[Sentence]) -> List[Entities]:
            tags = [crf.predict_single(sentence_features(sentence.words)) for sentence in sentences]
            return [[entity._asdict() for entity in tags_to_entities(found, _SCHEME)] for found in tags]

        return TrainedSystem(len(crf.state_features_) + len(crf.transition_features_), predict)


def _crf(model: Path, **options: Any) -> Any:
    with extra("bench", ", which trains a CRF on features of words"):
        import sklearn_crfsuite
    return sklearn_crfsuite.CRF(algorithm="lbfgs", model_filename=str(model / _FILE_NAME), **options)


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
        Configured(TRANSFORMER, configs),
        CrfTagger("crf_tagger", configs),
        SpacyNer("spacy"),
        FeatureCrf("feature_crf"),
    ]
    return {system.name: system for system in systems}
