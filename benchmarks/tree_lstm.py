"""
Training a Child-Sum Tree-LSTM, forward and backward: nerzoo's, the recursion word by word, pytorch-tree-lstm and, for
scale, torch's sequential LSTM. The batch is 32 consecutive sentences of GUM, of the corpus's mean length.

pytorch-tree-lstm has the same equations. It takes orders of evaluation that its user works out for each tree: timed
with that work ("from heads", where nerzoo starts) and without it ("prepared").

    python -m benchmarks.tree_lstm [--device cuda] [--repeats 31]
"""

import itertools
from typing import Dict, List

import torch
import treelstm
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_sequence

from benchmarks.measuring import compare, read_options
from experiments.common import corpus
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.modules.seq2seq_encoders.tree_lstm import ChildSumTreeLstm

SIZE = 256
FIRST, LAST = 544, 576


def main() -> None:
    args = read_options(__doc__, repeats=31)
    device = args.device

    documents = ConlluCorpus().read(corpus("gum/dev.conllu.gz"))
    sentences = (sentence for document in documents for sentence in document.sentences)
    trees = [sentence.heads for sentence in itertools.islice(sentences, FIRST, LAST)]
    lengths = torch.tensor([len(tree) for tree in trees])
    heads = pad_sequence([torch.tensor(tree) for tree in trees], batch_first=True, padding_value=-1).to(device)
    mask = heads >= 0

    torch.manual_seed(1)
    nerzoo = ChildSumTreeLstm(SIZE, SIZE).to(device)
    peer = with_weights_of(nerzoo).to(device)
    lstm = torch.nn.LSTM(SIZE, SIZE, batch_first=True).to(device)
    inputs = torch.randn(*mask.shape, SIZE, device=device, requires_grad=True)
    packed = pack_padded_sequence(inputs.detach(), lengths, batch_first=True, enforce_sorted=False)
    packed = PackedSequence(packed.data.requires_grad_(), *packed[1:])
    prepared = prepare(inputs, trees)
    prepared["features"] = prepared["features"].detach().requires_grad_()

    forwards = {
        "nerzoo": lambda: nerzoo(inputs, mask, heads)[mask],
        "recursion": lambda: torch.cat([recursion(nerzoo, *tree) for tree in zip(inputs, trees, strict=True)]),
        "pytorch-tree-lstm, from heads": lambda: run(peer, prepare(inputs, trees)),
        "pytorch-tree-lstm, prepared": lambda: run(peer, prepared),
    }
    expected = forwards["recursion"]()
    for forward in forwards.values():
        torch.testing.assert_close(forward(), expected, rtol=1e-4, atol=1e-5)

    forwards["torch.nn.LSTM, packed"] = lambda: lstm(packed)[0].data
    steps = {name: lambda forward=forward: forward().sum().backward() for name, forward in forwards.items()}
    print(f"{len(trees)} sentences, {int(lengths.sum())} words, the longest {int(lengths.max())}; size {SIZE}")
    compare("forward and backward", steps, "nerzoo", device, args.repeats)


def recursion(encoder: ChildSumTreeLstm, inputs: torch.Tensor, tree: List[int]) -> torch.Tensor:
    """The states of the words of one sentence, each computed after its children."""
    children: Dict[int, List[int]] = {head: [] for head in range(len(tree) + 1)}
    for word, head in enumerate(tree, start=1):
        children[head].append(word)
    states, cells = {}, {}

    def visit(word: int) -> None:
        for child in children[word]:
            visit(child)
        gates = encoder.input_linearity(inputs[word - 1])
        iou, forget = gates[: 3 * SIZE], gates[3 * SIZE :]
        memory = 0.0
        if children[word]:
            child_states = torch.stack([states[child] for child in children[word]])
            u_iou, u_f = encoder.state_linearity.weight.split([3 * SIZE, SIZE])
            iou = iou + u_iou @ child_states.sum(0)
            forgets = torch.sigmoid(forget + child_states @ u_f.t())
            memory = (forgets * torch.stack([cells[child] for child in children[word]])).sum(0)
        i, o, u = iou.chunk(3)
        cells[word] = i.sigmoid() * u.tanh() + memory
        states[word] = o.sigmoid() * cells[word].tanh()

    for root in children[0]:
        visit(root)
    return torch.stack([states[word] for word in range(1, len(tree) + 1)])


def with_weights_of(encoder: ChildSumTreeLstm) -> treelstm.TreeLSTM:
    """The peer with the same weights."""
    peer = treelstm.TreeLSTM(SIZE, SIZE)
    gates = [3 * SIZE, SIZE]
    for name, weight in encoder.named_parameters():
        layer, kind = name.split(".")
        iou, forget = weight.detach().split(gates)
        letter = {"input_linearity": "W", "state_linearity": "U"}[layer]
        getattr(getattr(peer, f"{letter}_iou"), kind).data.copy_(iou)
        getattr(getattr(peer, f"{letter}_f"), kind).data.copy_(forget)
    return peer


def prepare(inputs: torch.Tensor, trees: List[List[int]]) -> Dict[str, torch.Tensor]:
    """The input of pytorch-tree-lstm, by its own functions. Edges are in the order of the parents."""
    batch = []
    for features, tree in zip(inputs, trees, strict=True):
        edges = sorted((head - 1, word) for word, head in enumerate(tree) if head > 0)
        node_order, edge_order = treelstm.calculate_evaluation_orders(edges, len(tree))
        batch.append(
            {
                "features": features[: len(tree)],
                "node_order": torch.from_numpy(node_order).to(inputs.device),
                "edge_order": torch.from_numpy(edge_order).to(inputs.device),
                "adjacency_list": torch.tensor(edges, device=inputs.device),
            }
        )
    return treelstm.batch_tree_input(batch)


def run(peer: treelstm.TreeLSTM, batch: Dict[str, torch.Tensor]) -> torch.Tensor:
    """The states of all words."""
    names = ("features", "node_order", "adjacency_list", "edge_order")
    return peer(*(batch[name] for name in names))[0]


if __name__ == "__main__":
    main()
