"""
The start of a training with a file of word vectors: `ner` on 20 sentences of WNUT-17, one epoch, whole processes by
`nerzoo train`. The vectors are read from the text, as if no table could be kept; from the text, which writes the table;
and from the table. Then the vectors alone: the vocabulary and the embedder. Medians of rounds in turn.

    DATA=FOLDER WORD_VECTORS=output/glove.100d.txt python -m benchmarks.word_vectors [--repeats 3]
"""

import json
import os
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Dict, List

from benchmarks.measuring import Cost, run
from experiments.common import argument_parser, markdown
from nerzoo.formats.lines import vector_size
from nerzoo.formats.word_vectors import TABLES

READ = """
import os
import nerzoo.components
from nerzoo.data.vocabulary import WholeVocabulary
from nerzoo.modules.token_embedders import Embedding, FixedEmbedding

path = os.environ["WORD_VECTORS"]
files = {"pretrained_files": {"tokens": path}, "min_pretrained_embeddings": {"tokens": -1}}
"""
EMBED = """
vocab = WholeVocabulary({"tokens": {"the": 1}}, **files)
%s(%s, vocab=vocab, pretrained_file=path)
"""


def commands(folder: Path) -> Dict[str, List[str]]:
    """The arguments of each process; the first one does nothing with vectors."""
    size = vector_size(os.environ["WORD_VECTORS"])
    paths = [f"{os.environ['DATA']}/wnut17/{part}" for part in ("wnut17train.conll", "emerging.dev.conll")]
    overrides = {
        "trainer.num_epochs": 1,
        "dataset_reader.max_instances": 20,
        "train_data_path": paths[0],
        "validation_data_path": paths[1],
    }
    train = ["-m", "nerzoo", "train", "training_config/ner.jsonnet", "-s", f"{folder}/run", "-f"]
    return {
        "imports": ["-c", READ],
        "`ner`, 20 sentences": [*train, "-o", json.dumps(overrides)],
        "`fixed_embedding`": ["-c", READ + EMBED % ("FixedEmbedding", size)],
        "`embedding`, tuned": ["-c", READ + EMBED % ("Embedding", size)],
    }


def measure(arguments: List[str], folder: Path) -> Dict[str, Cost]:
    """The costs of a process without a table, with the first table, and with a table."""
    cache, without = folder / "cache", folder / "without"
    shutil.rmtree(cache, ignore_errors=True)
    without.mkdir(exist_ok=True)
    # A file in the place of the folder of the tables.
    (without / TABLES.name).touch()
    costs = {}
    for name, root in (("text", without), ("first", cache), ("table", cache)):
        os.environ["ALLENNLP_CACHE_ROOT"] = str(root)
        costs[name] = run(*arguments)
    return costs


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rounds = [
            {name: measure(arguments, Path(folder)) for name, arguments in commands(Path(folder)).items()}
            for _ in range(args.repeats)
        ]
    rows = []
    for name in rounds[0]:
        row = [name]
        for way in ("text", "first", "table"):
            costs = [costs[name][way] for costs in rounds]
            row.append(f"{statistics.median(cost.processor for cost in costs):.1f} s")
            row.append(f"{statistics.median(cost.memory for cost in costs):.2f} GiB")
        rows.append(row)
    titles = [f"{way}{what}" for way in ("text", "first reading", "table") for what in ("", ", memory")]
    print(markdown(["process", *titles], rows))


if __name__ == "__main__":
    main()
