"""
Seq2Biseq, on sentences of the English Web Treebank.

First the label decoders alone, then whole training steps, on gold labels of 25 words a sentence: each decoder in one
go, against a loop of GRU cells over the words of a whole batch, and against one over those of each sentence. Then
decoding, greedy and with a beam of 3, beside Viterbi of a CRF, from encoded words to tags and from instances to
predictions. Last, an epoch of training.

    python -m benchmarks.seq2biseq [--device cuda]
"""

import time
from functools import partial
from itertools import islice
from typing import List

import torch
from allennlp.data import DatasetReader, Instance
from torch.nn.functional import cross_entropy

from benchmarks.gum import System, build, first
from benchmarks.measuring import compare, read_options
from experiments.common import corpus
from nerzoo.models.heads.seq2biseq import GruLabelDecoder, Seq2BiseqHead

NUM_SENTENCES, LENGTH, BATCH_SIZE = 512, 25, 32
TRAIN = corpus("ud_english_ewt/en_ewt-ud-train.conllu.gz")
CONFIG = "training_config/seq2biseq/ud_english_ewt/{}.jsonnet"


def read_25_words(reader: DatasetReader) -> List[Instance]:
    read = (instance for instance in reader.read(TRAIN) if len(instance["tokens"]) == LENGTH)
    return list(islice(read, NUM_SENTENCES))


def read_all(reader: DatasetReader) -> List[Instance]:
    return list(reader.read(TRAIN))


def system(variant: str, read, device: str, overrides: str = "") -> System:
    return build(CONFIG.format(variant), read, device, BATCH_SIZE, overrides)


def walk(
    decoder: GruLabelDecoder, words: torch.Tensor, context: torch.Tensor, labels: torch.Tensor
) -> List[torch.Tensor]:
    """The states of a decoder along sentences, word by word, and its scores."""
    gru, states, scores = decoder.gru, [], []
    state = words.new_zeros(len(words), gru.hidden_size)
    label = torch.full_like(labels[:, 0], decoder.num_labels)
    for t in range(words.size(1)):
        inputs = torch.cat([words[:, t], decoder.dropout(decoder.embedding(label))], -1)
        state = torch.gru_cell(inputs, state, gru.weight_ih_l0, gru.weight_hh_l0, gru.bias_ih_l0, gru.bias_hh_l0)
        states.append(state)
        scores.append(decoder.projection(torch.cat([state, context[:, t]], -1)))
        label = labels[:, t]
    return [torch.stack(states, 1), torch.stack(scores, 1)]


def step_by_step(head: Seq2BiseqHead, encoded: torch.Tensor, mask: torch.BoolTensor, tags: torch.Tensor):
    """The head's loss on gold tags, of sentences of one length, with a loop over the words."""
    turned = encoded.flip(1)
    states, backward_scores = walk(head.backward_decoder, turned, turned, tags.flip(1))
    context = torch.cat([encoded, states.flip(1)], -1)
    _, scores = walk(head.forward_decoder, encoded, context, tags)
    losses = [cross_entropy(x.flatten(0, 1), tags.flatten()) for x in (scores, backward_scores.flip(1))]
    return {"loss": sum(losses) / 2}


def word_by_word(head: Seq2BiseqHead, encoded: torch.Tensor, mask: torch.BoolTensor, tags: torch.Tensor):
    """The same, one sentence after the other."""
    sentences = zip(encoded.split(1), mask.split(1), tags.split(1), strict=True)
    return {"loss": sum(step_by_step(head, *sentence)["loss"] for sentence in sentences) / len(tags)}


def train_in_steps(of: System, loss) -> None:
    """Trains like `System.train`, with a loop in the head."""
    head = of.model.head
    head.forward = lambda encoded, mask, tags, **_: loss(head, encoded, mask, tags)
    try:
        of.train()
    finally:
        del head.forward


def encoded_batches(of: System) -> List[tuple]:
    model = of.model.eval()
    with torch.no_grad():
        masks = [batch["tokens"]["tokens"]["tokens"] != 0 for batch in of.batches]
        return [
            (model.encoder(model.text_field_embedder(batch["tokens"]), mask), mask, batch["tags"])
            for batch, mask in zip(of.batches, masks, strict=True)
        ]


def decoders_alone(head: Seq2BiseqHead, batches: List[tuple], loss) -> None:
    for encoded, mask, tags in batches:
        head.zero_grad()
        loss(encoded.requires_grad_(), mask, tags)["loss"].backward()


def decode(head, batches: List[tuple]) -> None:
    with torch.no_grad():
        for encoded, mask, _ in batches:
            head(encoded, mask)["tags"].tolist()


def epoch(of: System) -> None:
    start = time.perf_counter()
    of.train()
    print(f"an epoch, {len(of.instances)} sentences: {time.perf_counter() - start:.1f} s")


def main() -> None:
    args = read_options(__doc__, repeats=5)
    torch.manual_seed(1)

    of = system("seq2biseq_le", read_25_words, args.device, '{"model.dropout": 0.0, "model.head.dropout": 0.0}')
    head, batches = of.model.head, encoded_batches(of)
    loops = {"batch by step": step_by_step, "word by word": word_by_word}
    together = head.train()(*batches[0], decode=False)["loss"]
    for loss in loops.values():
        torch.testing.assert_close(loss(head, *batches[0])["loss"], together)
    calls = {"in one go": lambda: decoders_alone(head, batches, partial(head, decode=False))}
    calls.update({name: partial(decoders_alone, head, batches, partial(loss, head)) for name, loss in loops.items()})
    compare(f"label decoders, {len(batches)} batches", calls, "in one go", args.device, args.repeats)
    calls = {"in one go": of.train, **{name: partial(train_in_steps, of, loss) for name, loss in loops.items()}}
    compare(f"training, {len(batches)} batches", calls, "in one go", args.device, args.repeats)

    sentences = first(TRAIN, NUM_SENTENCES)
    systems = {
        "greedy": system("seq2biseq_le", sentences, args.device),
        "beam of 3": system("seq2biseq_le", sentences, args.device, '{"model.head.beam_size": 3}'),
        "forward only": system("forward_only", sentences, args.device),
        "viterbi": system("bigru_crf", sentences, args.device),
    }
    works = {
        "decoding": {name: partial(decode, of.model.head, encoded_batches(of)) for name, of in systems.items()},
        "prediction": {name: of.predict for name, of in systems.items()},
    }
    for work, calls in works.items():
        compare(work, calls, "viterbi", args.device, args.repeats, sentences=NUM_SENTENCES)

    for variant in ("seq2biseq_le", "bigru_crf"):
        of = system(variant, read_all, args.device)
        print(f"{variant}: {of.num_parameters} parameters, {of.num_tokens} tokens, ", end="")
        epoch(of)


if __name__ == "__main__":
    main()
