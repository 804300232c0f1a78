"""
Training and prediction on sentences of the GUM treebank: the dependency-aware model, its halves, one BiLSTM layer,
allennlp-models' crf_tagger with a BiLSTM of the same size, and spaCy's ner with its defaults. Training runs in batches
of 32 sentences, prediction in batches of up to 4,096 tokens, where spaCy takes all sentences at once.

    python -m benchmarks.taggers [--device cuda]
"""

from functools import partial
from typing import List

import spacy
import torch
from spacy.tokens import Doc
from spacy.training import Example

from benchmarks.gum import DEV, System, build, first
from benchmarks.measuring import compare, read_options
from nerzoo.text.annotation import entities_to_tags, tags_to_entities

NUM_SENTENCES, BATCH_SIZE, MAX_TOKENS = 256, 32, 4096


class SpacyNer:
    """spaCy's ner, without vectors, trained and run on the sentences of a `System`."""

    def __init__(self, system: System) -> None:
        self.nlp = spacy.blank("en")
        self.nlp.add_pipe("ner")
        self.metadata = [instance["metadata"] for instance in system.instances]
        examples = []
        for sentence in self.metadata:
            entities = tags_to_entities(sentence["gold_tags"], "BIOUL")
            tags = entities_to_tags(entities, len(sentence["words"]), "BIO")
            reference = Doc(self.nlp.vocab, words=sentence["words"], ents=tags)
            examples.append(Example(Doc(self.nlp.vocab, words=sentence["words"]), reference))
        self.optimizer = self.nlp.initialize(lambda: examples)
        self.batches = [examples[start : start + BATCH_SIZE] for start in range(0, len(examples), BATCH_SIZE)]

    def train(self) -> None:
        for batch in self.batches:
            self.nlp.update(batch, sgd=self.optimizer, drop=0.1)

    def predict(self) -> List[Doc]:
        docs = (Doc(self.nlp.vocab, words=sentence["words"]) for sentence in self.metadata)
        return list(self.nlp.pipe(docs))


def main() -> None:
    args = read_options(__doc__, repeats=7)
    torch.manual_seed(1)

    sentences = first(DEV, NUM_SENTENCES)
    names = ("full", "bilstm", "tree_lstm", "plain_bilstm", "crf_tagger")
    systems = {
        name: build(f"training_config/deptree_ner/gum/{name}.jsonnet", sentences, args.device, BATCH_SIZE)
        for name in names
    }
    num_tokens = systems["full"].num_tokens
    spacy_ner = SpacyNer(systems["full"])
    trainings = {name: system.train for name, system in systems.items()}
    predictions = {name: partial(system.predict, MAX_TOKENS) for name, system in systems.items()}
    for work, calls in (
        ("train", trainings | {"spacy": spacy_ner.train}),
        ("predict", predictions | {"spacy": spacy_ner.predict}),
    ):
        compare(f"{work}, {num_tokens} tokens", calls, "full", args.device, args.repeats, tokens=num_tokens)


if __name__ == "__main__":
    main()
