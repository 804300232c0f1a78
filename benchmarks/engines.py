"""
The engines of `nerzoo tag`, each as a whole process with one thread, from a file of texts to a file of JSON lines:
processor time, medians of rounds in turn. The texts are the sentences of GUM.

    python -m benchmarks.engines ARCHIVE [--repeats 3]
"""

import statistics
import tempfile
from pathlib import Path
from typing import Dict, List

from benchmarks.measuring import run
from experiments.common import argument_parser, corpus, markdown
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.inference.engine import load
from nerzoo.inference.export_onnx import export_onnx
from nerzoo.text.annotation import running_text

SENTENCE = "Mara Quill lived in Calder."


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("archive")
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    documents = (
        document
        for part in ("train", "dev", "test")
        for document in ConlluCorpus().read(corpus(f"gum/{part}.conllu.gz"))
    )
    sentences = [sentence for document in documents for sentence in document.sentences]
    num_words = sum(len(sentence.words) for sentence in sentences)
    with tempfile.TemporaryDirectory() as temporary:
        texts = Path(temporary, "texts.txt")
        texts.write_text("\n".join(running_text(sentence.words, sentence.space_after) for sentence in sentences))
        # From now on, its exported form is kept.
        load(args.archive, "cpu")
        in_8_bits = str(export_onnx(args.archive, Path(temporary, "in_8_bits"), bits=8))
        models = {
            "`torch`": [args.archive, "--engine", "torch"],
            "`onnx`": [args.archive, "--engine", "onnx"],
            "`onnx`, in 8 bits": [in_8_bits],
        }
        rounds: Dict[str, List[List[float]]] = {name: [] for name in models}
        for number in range(args.repeats):
            for name, (model, *options) in models.items():
                output = str(Path(temporary, f"{number}-{len(name)}.jsonl"))
                file = run("-m", "nerzoo", "tag", model, str(texts), "--output-file", output, *options)
                one = run("-m", "nerzoo", "tag", model, "--text", SENTENCE, *options)
                rounds[name].append([file.processor, num_words / file.processor, one.processor])
    rows = []
    for name, found in rounds.items():
        seconds, speed, one = map(statistics.median, zip(*found, strict=True))
        rows.append([name, f"{seconds:.1f}", f"{speed:,.0f}", f"{one:.2f}"])
    print(f"{len(sentences):,} sentences of {num_words:,} words")
    print(markdown(["engine", "processor time, s", "words/s", "one sentence, s"], rows))


if __name__ == "__main__":
    main()
