import json
import time
from pathlib import Path
from typing import Any, List, Sequence, cast

import spacy
from spacy.tokens import Doc, DocBin

from nerzoo.runs.systems.bench_system import (
    MODEL_NAME,
    BenchSystem,
    Entities,
    RunSpecification,
    TrainedSystem,
    Training,
    read_sentences,
)
from nerzoo.text.annotation import Sentence
from nerzoo.text.tag_schemes import entities_to_tags, layer

_LOG_NAME = "steps.jsonl"
_MOST_WORDS = 1000
"""The largest batch, in words, of spaCy's defaults."""
_EVALUATION_STEPS = 200


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
    # spaCy's ner takes flat entities.
    entities = layer(sentence.entities, "outermost")
    tags = entities_to_tags(entities, len(sentence.words), "BIO") if tagged else None
    return Doc(vocab, words=sentence.words, spaces=sentence.space_after, ents=tags)
