"""
The F1 of spaCy's ner on GUM, trained with spaCy's own trainer and defaults on the entities of the configurations in
training_config/deptree_ner/gum/: those with a proper name as their head, outermost layer.

    python -m experiments.spacy_ner OUTPUT_FOLDER
"""

from pathlib import Path
from typing import Iterator, Set

import spacy
from spacy.cli.init_config import init_config
from spacy.cli.train import train
from spacy.tokens import Doc, DocBin

from experiments.common import argument_parser, corpus
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.text.annotation import Entity, entities_to_tags, layer
from nerzoo.text.matching import MatchCounter

GUM = Path(corpus("gum"))


def read(part: str, vocab: spacy.Vocab) -> Iterator[Doc]:
    for document in ConlluCorpus(proper_names=True).read(GUM / f"{part}.conllu.gz"):
        for sentence in document.sentences:
            tags = entities_to_tags(layer(sentence.entities, "outermost"), len(sentence.words), "BIO")
            yield Doc(vocab, words=sentence.words, spaces=sentence.space_after, ents=tags)


def entities(doc: Doc) -> Set[Entity]:
    return {Entity(span.start, span.end, span.label_) for span in doc.ents}


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("output", type=Path)
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)

    vocab = spacy.blank("en").vocab
    for part in ("train", "dev"):
        DocBin(docs=read(part, vocab)).to_disk(output / f"{part}.spacy")
    init_config(lang="en", pipeline=["ner"], optimize="efficiency").to_disk(output / "config.cfg")
    paths = {f"paths.{part}": str(output / f"{part}.spacy") for part in ("train", "dev")}
    train(output / "config.cfg", output, overrides=paths)

    nlp = spacy.load(output / "model-best")
    counter = MatchCounter()
    for doc in read("test", nlp.vocab):
        found = nlp(Doc(nlp.vocab, [word.text for word in doc], [bool(word.whitespace_) for word in doc]))
        counter.add(entities(found), entities(doc))
    precision, recall, f1 = counter.total().scores().values()
    print(f"test: precision {precision:.4f}, recall {recall:.4f}, F1 {f1:.4f}")


if __name__ == "__main__":
    main()
