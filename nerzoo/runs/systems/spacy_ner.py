import json
import time
from pathlib import Path
from typing import Any, List, Sequence, cast

import spacy
from spacy.tokens import Doc, DocBin

from nerzoo.runs.run import RunSpecification
from nerzoo.runs.systems.bench_system import MODEL_NAME, BenchSystem, Entities, TrainedSystem, Training, read_sentences
from nerzoo.text.annotation import Sentence
from nerzoo.text.tag_schemes import entities_to_tags, layer

_LOG_NAME = "steps.jsonl"
_MOST_WORDS = 1000
"""The words of a batch, as spaCy's defaults have them in the end."""
_EVALUATION_STEPS = 200


class SpacyNer(BenchSystem):
    """
    spaCy's `ner`, trained by its own trainer with its own defaults: those of `spacy init config -p ner` for efficiency,
    to which word vectors are added where there are any. It stops by itself after 1600 steps without improvement; it is
    evaluated once an epoch, if that is sooner than its 200 steps.
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
        config["training"]["logger"] = {
            "@loggers": "spacy.ConsoleLogger.v3",
            "progress_bar": None,
            "console_output": False,
            "output_file": str(model / _LOG_NAME),
        }
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

    def load(self, specification: RunSpecification, folder: Path) -> TrainedSystem:
        return _Loaded(spacy.load(folder / MODEL_NAME / "model-best"))


class _Loaded:
    def __init__(self, nlp: spacy.Language) -> None:
        self._nlp = nlp
        self.num_parameters = sum(
            node.get_param(name).size
            for _, component in nlp.pipeline
            for node in cast(Any, component).model.walk()
            for name in node.param_names
            if node.has_param(name)
        )

    def read(self, path: Path) -> Sequence[Any]:
        return read_sentences(path)

    def predict(self, items: Sequence[Any]) -> List[Entities]:
        docs = (_doc(self._nlp.vocab, sentence, False) for sentence in items)
        return [
            [{"start": span.start, "end": span.end, "label": span.label_} for span in doc.ents]
            for doc in self._nlp.pipe(docs)
        ]


def _doc(vocab: spacy.Vocab, sentence: Sentence, tagged: bool) -> Doc:
    # Entities of none but the outermost layer fit into a pipeline of spaCy's ner.
    entities = layer(sentence.entities, "outermost")
    tags = entities_to_tags(entities, len(sentence.words), "BIO") if tagged else None
    return Doc(vocab, words=sentence.words, spaces=sentence.space_after, ents=tags)
