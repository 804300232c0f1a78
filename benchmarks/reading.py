"""
Reading and indexing the development part of GUM: nerzoo's reader, which takes trees, nested entities and documents, and
allennlp-models' reader of universal dependencies, which takes trees alone.

    python -m benchmarks.reading
"""

import gzip
import tempfile
from functools import partial
from pathlib import Path

from allennlp.data import DatasetReader, Vocabulary
from allennlp_models.structured_prediction import UniversalDependenciesDatasetReader

from benchmarks.gum import DEV
from benchmarks.measuring import compare
from nerzoo.data.dataset_readers.tagging import TaggedSentencesReader
from nerzoo.formats.conllu import ConlluCorpus


def main() -> None:
    readers = {
        "nerzoo": TaggedSentencesReader(ConlluCorpus(proper_names=True)),
        "allennlp": UniversalDependenciesDatasetReader(),
    }
    with tempfile.NamedTemporaryFile(suffix=".conllu") as file:
        # allennlp-models opens plain files only.
        file.write(gzip.decompress(Path(DEV).read_bytes()))
        file.flush()
        num_sentences = len(list(readers["nerzoo"].read(file.name)))

        def read_and_index(reader: DatasetReader) -> None:
            instances = list(reader.read(file.name))
            vocab = Vocabulary.from_instances(instances)
            for instance in instances:
                instance.index_fields(vocab)

        calls = {name: partial(read_and_index, reader) for name, reader in readers.items()}
        compare(f"read and index, {num_sentences} sentences", calls, "nerzoo", repeats=5, sentences=num_sentences)


if __name__ == "__main__":
    main()
