import itertools
import random
from collections import Counter

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.training.metrics import Metric
from helpers.processes import run_in_two_processes

from nerzoo.text.annotation import SCHEMES, Entity, tags_to_entities
from nerzoo.training.metrics.span_f1 import SpanF1, SpanFinder

TYPES = ["PER", "LOC", "X-Y"]
ENCODINGS = {"BIO": "BI", "IOB1": "BI", "BIOUL": "BIUL", "BIOES": "BIES"}

# Conlleval's conditions on the previous and the current tag: a span starts, or ended, between them. First every line
# of startOfChunk and endOfChunk for B, I, O and E. Conlleval knows neither S nor E followed by B; those come from its
# extension to S: B and S always start a span, E and S always end one.
START = {"BB", "IB", "OB", "OI", "EE", "EI", "OE"} | {"EB", "SB", "BS", "IS", "OS", "ES", "SS", "SI", "SE"}
END = {"BB", "BO", "IB", "IO", "EE", "EI", "EO"} | {"EB", "ES", "BS", "IS", "SB", "SI", "SO", "SE", "SS"}


def parse(tag):
    prefix, _, type_ = tag.partition("-")
    return {"U": "S", "L": "E"}.get(prefix, prefix), type_


def start_of_chunk(previous, previous_type, tag, type_):
    return previous + tag in START or (tag != "O" and previous_type != type_)


def end_of_chunk(previous, previous_type, tag, type_):
    return previous + tag in END or (previous != "O" and previous_type != type_)


def conlleval(pairs):
    """Conlleval's main loop over the tokens of all (predicted, gold) sentences; what `SpanF1` returns."""
    correct_chunks, found_correct, found_guessed = Counter(), Counter(), Counter()
    correct_tags = tokens = 0
    in_correct, last_guessed, last_correct = False, ("O", ""), ("O", "")
    for predicted, gold in pairs:
        # A sentence boundary counts as O in both columns.
        for guess, truth in [*zip(predicted, gold, strict=True), (None, None)]:
            guessed, correct = parse(guess or "O"), parse(truth or "O")
            end_correct, end_guessed = end_of_chunk(*last_correct, *correct), end_of_chunk(*last_guessed, *guessed)
            start_correct = start_of_chunk(*last_correct, *correct)
            start_guessed = start_of_chunk(*last_guessed, *guessed)
            if in_correct:
                if end_correct and end_guessed and last_guessed[1] == last_correct[1]:
                    in_correct = False
                    correct_chunks[last_correct[1]] += 1
                elif end_correct != end_guessed or guessed[1] != correct[1]:
                    in_correct = False
            if start_correct and start_guessed and guessed[1] == correct[1]:
                in_correct = True
            found_correct[correct[1]] += start_correct
            found_guessed[guessed[1]] += start_guessed
            if guess is not None:
                correct_tags += guessed == correct
                tokens += 1
            last_guessed, last_correct = guessed, correct

    def scores(suffix, correct, guessed, gold):
        precision = correct / guessed if guessed else 0.0
        recall = correct / gold if gold else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        return {"precision" + suffix: precision, "recall" + suffix: recall, "f1" + suffix: f1}

    result = {"accuracy": correct_tags / tokens if tokens else 0.0}
    result |= scores("", correct_chunks.total(), found_guessed.total(), found_correct.total())
    for type_ in TYPES:
        result |= scores("-" + type_, correct_chunks[type_], found_guessed[type_], found_correct[type_])
    return result


def vocabulary(encoding, namespace="labels"):
    vocab = Vocabulary()
    for tag in ["O", *(f"{prefix}-{type_}" for prefix in ENCODINGS[encoding] for type_ in TYPES)]:
        vocab.add_token_to_namespace(tag, namespace)
    return vocab


def random_pairs(encoding, number, seed=0):
    """Sentences of 0 to 7 random tags and predictions that agree with them half of the time."""
    rng = random.Random(seed)
    tags = ["O", *(f"{prefix}-{type_}" for prefix in ENCODINGS[encoding] for type_ in TYPES[:2])]
    golds = [[rng.choice(tags) for _ in range(rng.randint(0, 7))] for _ in range(number)]
    return [([rng.choice([tag, rng.choice(tags)]) for tag in gold], gold) for gold in golds]


def tensors(vocab, pairs, namespace="labels"):
    """Predictions, gold labels and mask; the padding holds a tag that would count."""
    length = max(len(gold) for _, gold in pairs)
    padding = len(vocab.get_index_to_token_vocabulary(namespace)) - 1

    def padded(sentence):
        return [vocab.get_token_index(tag, namespace) for tag in sentence] + [padding] * (length - len(sentence))

    predictions, golds = (torch.tensor([padded(s) for s in side]) for side in zip(*pairs, strict=True))
    lengths = torch.tensor([len(gold) for _, gold in pairs])
    return predictions, golds, torch.arange(length) < lengths.unsqueeze(1)


def test_is_registered():
    assert Metric.by_name("conlleval") is SpanF1


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_equals_conlleval_on_random_sequences(encoding):
    vocab = vocabulary(encoding)
    metric = SpanF1(vocab, encoding, per_type=True)
    pairs = random_pairs(encoding, 499)
    for start in range(0, len(pairs), 83):
        metric(*tensors(vocab, pairs[start : start + 83]))
    assert metric.get_metric() == conlleval(pairs)


@pytest.mark.parametrize(("encoding", "length"), [("BIO", 3), ("BIOES", 2)])
def test_equals_conlleval_on_all_sequences(encoding, length):
    vocab = vocabulary(encoding)
    tags = ["O", *(f"{prefix}-{type_}" for prefix in ENCODINGS[encoding] for type_ in TYPES[:2])]
    sequences = list(itertools.product(tags, repeat=length))
    metric = SpanF1(vocab, encoding, per_type=True)
    for gold in sequences:
        pairs = [(predicted, gold) for predicted in sequences]
        metric(*tensors(vocab, pairs))
        assert metric.get_metric(reset=True) == conlleval(pairs)


def test_equals_seqeval():
    from seqeval.metrics import f1_score, precision_score, recall_score

    vocab = vocabulary("BIO")
    pairs = random_pairs("BIO", 199, seed=1)
    metric = SpanF1(vocab, "BIO")
    metric(*tensors(vocab, pairs))
    predictions, golds = map(list, zip(*pairs, strict=True))
    scores = metric.get_metric()
    assert scores["precision"] == pytest.approx(precision_score(golds, predictions), rel=1e-12)
    assert scores["recall"] == pytest.approx(recall_score(golds, predictions), rel=1e-12)
    assert scores["f1"] == pytest.approx(f1_score(golds, predictions), rel=1e-12)


def test_by_hand():
    vocab = vocabulary("BIO")
    gold = ["B-PER", "I-PER", "O", "B-LOC", "O"]
    # LOC is right although its prefix is not; PER is too short, and the last one is not there.
    predicted = ["B-PER", "O", "O", "I-LOC", "B-PER"]
    metric = SpanF1(vocab, "BIO", per_type=True)
    metric(*tensors(vocab, [(predicted, gold)]))
    scores = metric.get_metric(reset=True)
    assert (scores["precision"], scores["recall"], scores["accuracy"]) == (1 / 3, 1 / 2, 2 / 5)
    assert scores["f1"] == pytest.approx(0.4)
    assert (scores["f1-LOC"], scores["f1-PER"], scores["f1-X-Y"]) == (1.0, 0.0, 0.0)
    assert metric.last_by_type() == {"LOC": [1, 1, 1], "PER": [0, 2, 1], "X-Y": [0, 0, 0], "(unknown)": [0, 0, 0]}
    assert set(metric.get_metric().values()) == {0.0}


def test_only_the_overall_scores_unless_asked():
    assert set(SpanF1(vocabulary("BIO"), "BIO").get_metric()) == {"precision", "recall", "f1", "accuracy"}


def test_padding_is_ignored():
    vocab = vocabulary("BIOUL")
    predictions, golds, mask = tensors(vocab, random_pairs("BIOUL", 23))
    together, alone = SpanF1(vocab, "BIOUL"), SpanF1(vocab, "BIOUL")
    together(predictions, golds, mask)
    for row, length in enumerate(mask.sum(1).tolist()):
        if length:
            only = slice(row, row + 1), slice(length)
            alone(predictions[only], golds[only], mask[only])
    assert together.get_metric() == alone.get_metric()


def test_a_batch_of_padding_alone():
    metric = SpanF1(vocabulary("BIO"), "BIO", per_type=True)
    metric(torch.ones(2, 3, dtype=torch.long), torch.ones(2, 3, dtype=torch.long), torch.zeros(2, 3, dtype=torch.bool))
    assert set(metric.get_metric().values()) == {0.0}


def test_padding_and_unknown_entries_of_the_vocabulary_are_no_spans():
    vocab = vocabulary("BIO", "padded")
    pairs = random_pairs("BIO", 31)
    metric = SpanF1(vocab, "BIO", tag_namespace="padded", per_type=True)
    metric(*tensors(vocab, pairs, "padded"))
    assert metric.get_metric(reset=True) == conlleval(pairs)

    oov = torch.tensor([[vocab.get_token_index("B-PER", "padded"), 1]])
    metric(oov, oov, torch.ones(1, 2, dtype=torch.bool))
    assert metric.get_metric()["f1"] == 1.0


@pytest.mark.parametrize(("encoding", "message"), [("BILOU", "found the coding scheme 'BILOU'"), ("BIO", "'U'")])
def test_wrong_encodings(encoding, message):
    with pytest.raises(ConfigurationError, match=message):
        SpanF1(vocabulary("BIOUL"), encoding)


def count_on_worker(global_rank, world_size, gpu_id, vocab, pairs, expected):
    metric = SpanF1(vocab, "BIO", per_type=True)
    for batch in (pairs[:10], pairs[10:]):
        metric(*tensors(vocab, batch[global_rank::world_size]))
        metric.get_metric()
    assert metric.get_metric() == expected
    assert metric.get_metric(reset=True) == expected


def test_workers_count_together():
    vocab = vocabulary("BIO")
    pairs = random_pairs("BIO", 41)
    run_in_two_processes(count_on_worker, vocab, pairs, conlleval(pairs))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_agrees_with_cpu():
    vocab = vocabulary("BIOUL")
    batch = tensors(vocab, random_pairs("BIOUL", 41))
    on_cpu, on_gpu = SpanF1(vocab, "BIOUL", per_type=True), SpanF1(vocab, "BIOUL", per_type=True)
    for _ in range(2):
        on_cpu(*batch)
        on_gpu(*(x.cuda() for x in batch))
    assert on_gpu.get_metric() == on_cpu.get_metric()


@pytest.mark.parametrize("encoding", SCHEMES)
@pytest.mark.parametrize("shape", [(3, 5, 7), (4, 1), (11,)])
def test_spans_are_the_entities_of_the_tags(encoding, shape):
    tags = ["O", *(f"{prefix}-{type_}" for prefix in sorted(set(SCHEMES[encoding])) for type_ in ("X", "Y-Z"))]
    vocab = Vocabulary()
    for tag in tags:
        vocab.add_token_to_namespace(tag, "labels")
    finder = SpanFinder(vocab, encoding)
    assert finder.types == ["X", "Y-Z"]

    torch.manual_seed(13)
    ids = torch.randint(len(tags), shape)
    length = shape[-1]
    lengths = torch.randint(length + 1, shape[:-1])
    mask = torch.arange(length) < lengths.unsqueeze(-1)
    types, starts, ends = (x.reshape(-1, length) for x in finder(ids, mask))
    for row, num_tags in enumerate(lengths.flatten().tolist()):
        sentence = [tags[tag] for tag in ids.view(-1, length)[row, :num_tags].tolist()]
        found = [
            Entity(start, ends[row, start].item() + 1, finder.types[types[row, start] - 1])
            for start in starts[row].nonzero().flatten().tolist()
        ]
        assert found == tags_to_entities(sentence, encoding)
        assert [type_ > 0 for type_ in types[row].tolist()] == [
            any(entity.start <= place < entity.end for entity in found) for place in range(length)
        ]


@pytest.mark.parametrize("scheme", ["BIO", "BIOUL"])
def test_entities_of_unknown_types_count_as_missed(scheme):
    vocab = Vocabulary(tokens_to_add={"tags": ["O", *(f"{prefix}-PER" for prefix in ENCODINGS[scheme])]})
    opens = vocab.get_vocab_size("tags")
    metric = SpanF1(vocab, scheme, "tags", per_type=True)
    person = vocab.get_token_index(f"{'U' if scheme == 'BIOUL' else 'B'}-PER", "tags")
    # A person, then two entities of unknown types, of two words and of one.
    gold = torch.tensor([[person, opens, opens + 1, opens]])
    metric(torch.tensor([[person, 0, 0, person]]), gold, torch.ones(1, 4, dtype=torch.bool))
    scores = metric.get_metric()
    assert (scores["precision"], scores["recall"], scores["accuracy"]) == (1 / 2, 1 / 3, 1 / 4)
    assert (scores["precision-PER"], scores["recall-PER"]) == (1 / 2, 1.0)
    assert not any(metric.last_by_type()["(unknown)"])
    metric.get_metric(reset=True)
    assert metric.last_by_type() == {"PER": [1, 2, 1], "(unknown)": [0, 0, 2]}
