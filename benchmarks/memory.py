"""
Training on documents of 15 sentences of the GUM treebank: the memory-enhanced CRF, which encodes a document once, in
batches of 16 documents; `few`, the same in batches of two, as memory_ner_paper.jsonnet has them; the same, but with the
document encoded afresh for each of its sentences; and BiLSTM-CRFs of the same size, nerzoo's and crf_tagger of
allennlp-models, in batches of 32 sentences. Then how much memory it takes to tag, and to learn from, one document of
20,000 tokens.

    python -m benchmarks.memory [--device cuda]
"""

import json
import os
from itertools import islice
from typing import Any, Dict, Iterator, List

import torch
from allennlp.data import DatasetReader, Instance
from allennlp.data.fields import TensorField

from benchmarks.gum import TRAIN, System, build
from benchmarks.measuring import compare, read_options, report_peak
from nerzoo.text.annotation import Document

NUM_DOCUMENTS, NUM_SENTENCES, NUM_TOKENS = 32, 15, 20_000
DOCUMENTS_PER_BATCH, FEW_DOCUMENTS_PER_BATCH, SENTENCES_PER_BATCH = 16, 2, 32


def short_documents(reader: DatasetReader) -> Iterator[Document]:
    long_enough = (document for document in reader.documents(TRAIN) if len(document.sentences) >= NUM_SENTENCES)
    for document in islice(long_enough, NUM_DOCUMENTS):
        yield Document(document.id, document.sentences[:NUM_SENTENCES])


def documents(reader: DatasetReader) -> List[Instance]:
    return [reader.text_to_instance(document) for document in short_documents(reader)]


def afresh(reader: DatasetReader) -> List[Instance]:
    """Each document once for each of its sentences, which is all that is tagged of it."""
    return [
        Instance({**instance.fields, "sentences": TensorField(sentence[sentence >= 0].unsqueeze(0), padding_value=-1)})
        for instance in documents(reader)
        for sentence in instance["sentences"].tensor
    ]


def sentences(reader: DatasetReader) -> List[Instance]:
    return [
        reader.text_to_instance(sentence) for document in short_documents(reader) for sentence in document.sentences
    ]


def long_document(reader: DatasetReader) -> List[Instance]:
    parts = (sentence for document in reader.documents(TRAIN) for sentence in document.sentences)
    whole = Document("long")
    while sum(len(sentence.words) for sentence in whole.sentences) < NUM_TOKENS:
        whole.sentences.append(next(parts))
    return [reader.text_to_instance(whole)]


def system(name: str, read, device: str, batch_size: int, **overrides) -> System:
    # Random vectors do for the time.
    overrides["model.text_field_embedder.token_embedders.tokens.pretrained_file"] = None
    config = f"training_config/memory_ner/gum/{name}.jsonnet"
    return build(config, read, device, batch_size, json.dumps(overrides))


def run_long_document(work: str, memory: Dict[str, Any], device: str) -> None:
    getattr(system("hops_1", long_document, device, 1, **memory), work)()


def main() -> None:
    args = read_options(__doc__, repeats=5)
    torch.manual_seed(1)
    os.environ["WORD_VECTORS"] = "none"

    systems = {
        "memory": system("hops_1", documents, args.device, DOCUMENTS_PER_BATCH),
        "few": system("hops_1", documents, args.device, FEW_DOCUMENTS_PER_BATCH),
        "afresh": system("hops_1", afresh, args.device, SENTENCES_PER_BATCH),
        "bilstm_crf": system("bilstm_crf", sentences, args.device, SENTENCES_PER_BATCH),
        "crf_tagger": system("crf_tagger", sentences, args.device, SENTENCES_PER_BATCH),
    }
    num_tokens = systems["memory"].num_tokens
    calls = {name: tagger.train for name, tagger in systems.items()}
    compare(f"train, {num_tokens} tokens", calls, "memory", args.device, args.repeats, tokens=num_tokens)

    for work, memory in (("predict", {}), ("train", {"model.encoder.window": {"size": 500}})):
        title = f"{work}, a document of {NUM_TOKENS} tokens, {memory or 'all in memory'}"
        report_peak(title, run_long_document, work, memory, args.device, device=args.device)


if __name__ == "__main__":
    main()
