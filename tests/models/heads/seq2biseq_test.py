from itertools import product

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from helpers.vocabularies import vocabulary_of_tags
from torch.nn.functional import pad
from torch.testing import assert_close

from nerzoo.models.heads.seq2biseq import Seq2BiseqHead
from nerzoo.models.heads.tag_head import TagHead

SIZE, LABEL_SIZE, HIDDEN = 5, 3, 7
LENGTHS = [6, 1, 4, 3]
MASK = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)
VARIANTS = {
    "seq2biseq": {"lexical_information": False},
    "seq2biseq_le": {},
    "fw_seq2biseq": {"forward_only": True},
    "fw_without_words": {"forward_only": True, "lexical_information": False},
    "own_embeddings": {"shared_label_embeddings": False},
}
variants = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)


TAGS = ["O", "B-a", "I-a", "B-b"]
NUM_TAGS = 4


def build(tags=TAGS, coding_scheme=None, **parameters) -> Seq2BiseqHead:
    torch.manual_seed(13)
    sizes = {"input_size": SIZE, "label_embedding_dim": LABEL_SIZE, "hidden_size": HIDDEN}
    head = Seq2BiseqHead(vocab=vocabulary_of_tags(tags, coding_scheme), **sizes, **parameters).double().eval()
    for parameter in head.parameters():
        # Large enough for labels to matter.
        torch.nn.init.normal_(parameter, std=0.5)
    return head


@pytest.fixture
def batch():
    torch.manual_seed(14)
    encoded = torch.randn(len(LENGTHS), max(LENGTHS), SIZE, dtype=torch.float64)
    return encoded * MASK.unsqueeze(-1), MASK, torch.randint(NUM_TAGS, MASK.shape) * MASK


@pytest.mark.parametrize("name", ["loss_weight", "marginals"])
def test_weights_and_marginals_are_refused(batch, name):
    with pytest.raises(ConfigurationError, match="found sentences with loss_weight or marginals, expected the head"):
        build()(*batch, **{name: torch.ones(len(LENGTHS))})


def test_unknown_tags_are_o_in_the_losses(batch):
    encoded, mask, gold = batch
    head = build(coding_scheme="BIO")
    gold[0, 1] = 0
    expected = head(encoded, mask, gold, decode=False)
    gold[0, 1] = NUM_TAGS + 1
    for name, loss in head(encoded, mask, gold).items():
        if name.endswith("loss"):
            assert_close(loss, expected[name])


def gru(network, x, h):
    """A step of torch.nn.GRU, as its documentation has it."""
    r_in, z_in, n_in = (network.weight_ih_l0 @ x + network.bias_ih_l0).chunk(3)
    r_state, z_state, n_state = (network.weight_hh_l0 @ h + network.bias_hh_l0).chunk(3)
    z = torch.sigmoid(z_in + z_state)
    return (1 - z) * torch.tanh(n_in + torch.sigmoid(r_in + r_state) * n_state) + z * h


def walk(decoder, words, contexts, labels=None):
    """
    A decoder along one sentence, word by word, as equations 5 to 7 have it, on the labels given or on its own ones,
    which it takes for a label that is `None`, too.
    """
    state, label = torch.zeros(HIDDEN, dtype=torch.float64), NUM_TAGS
    states, scores, found = [], [], []
    for i, (word, context) in enumerate(zip(words, contexts, strict=True)):
        read = torch.cat([word, decoder.embedding.weight[label]])[-decoder.gru.input_size :]
        state = gru(decoder.gru, read, state)
        states.append(state)
        scores.append(decoder.projection.weight @ torch.cat([state, context]) + decoder.projection.bias)
        found.append(int(scores[-1].argmax()))
        label = found[-1] if labels is None or labels[i] is None else int(labels[i])
    return torch.stack(states), torch.stack(scores), found


def step_by_step(head, words, labels=None):
    """The forward scores and labels of a sentence, and the backward ones, `None` where there is no such decoder."""
    context, backward_scores, backward_found = words, None, None
    if head.backward_decoder is not None:
        reverse = None if labels is None else labels.flip(0)
        states, backward_scores, backward_found = walk(head.backward_decoder, words.flip(0), words.flip(0), reverse)
        context = torch.cat([words, states.flip(0)], 1)
        backward_scores, backward_found = backward_scores.flip(0), backward_found[::-1]
    _, scores, found = walk(head.forward_decoder, words, context, labels)
    return scores, found, backward_scores, backward_found


def negative_log_likelihood(scores, labels):
    return -scores.log_softmax(1)[torch.arange(len(labels)), labels].sum()


def test_is_registered():
    assert TagHead.by_name("seq2biseq") is Seq2BiseqHead


@variants
def test_training_is_the_walk_on_gold_labels(variant, batch):
    head, (encoded, mask, tags) = build(**variant), batch
    forward = backward = 0.0
    for words, labels, length in zip(encoded, tags, LENGTHS, strict=True):
        scores, _, backward_scores, _ = step_by_step(head, words[:length], labels[:length])
        forward += negative_log_likelihood(scores, labels[:length]) / sum(LENGTHS)
        if backward_scores is not None:
            backward += negative_log_likelihood(backward_scores, labels[:length]) / sum(LENGTHS)
    expected = forward if head.backward_decoder is None else (forward + backward) / 2
    outputs = head(encoded, mask, tags, decode=False)
    assert_close(outputs["loss"], expected)
    gradients = [torch.autograd.grad(loss, list(head.parameters())) for loss in (outputs["loss"], expected)]
    assert_close(*gradients)
    if head.backward_decoder is not None:
        assert_close(outputs["backward_loss"], backward)


TWO_DECODERS = {name: options for name, options in VARIANTS.items() if "forward_only" not in options}


@pytest.mark.parametrize("variant", TWO_DECODERS.values(), ids=TWO_DECODERS)
@pytest.mark.parametrize("ratio", [0.4, 1.0])
def test_scheduled_sampling_is_the_walk_on_gold_labels_and_its_own(variant, ratio, batch):
    head, (encoded, mask, tags) = build(scheduled_sampling_ratio=ratio, **variant).train(), batch
    torch.manual_seed(16)
    # From right to left, as the decoder goes.
    is_own = torch.rand(tags.shape) < ratio
    torch.manual_seed(16)
    outputs = head(encoded, mask, tags, decode=False)
    forward = backward = num_wrong = 0
    for words, labels, own, length in zip(encoded, tags, is_own, LENGTHS, strict=True):
        words, labels = words[:length], labels[:length]
        read = [None if its else label for its, label in zip(own[:length], labels.flip(0), strict=True)]
        states, scores, found = walk(head.backward_decoder, words.flip(0), words.flip(0), read)
        backward += negative_log_likelihood(scores.flip(0), labels) / sum(LENGTHS)
        num_wrong += sum(own[:length] & (torch.tensor(found) != labels.flip(0)))
        _, scores, _ = walk(head.forward_decoder, words, torch.cat([words, states.flip(0)], 1), labels)
        forward += negative_log_likelihood(scores, labels) / sum(LENGTHS)
    assert num_wrong
    assert_close(outputs["backward_loss"], backward)
    assert_close(outputs["loss"], (forward + backward) / 2)
    gradients = [
        torch.autograd.grad(loss, list(head.parameters())) for loss in (outputs["loss"], (forward + backward) / 2)
    ]
    assert_close(*gradients)


def test_scheduled_sampling_follows_from_the_seed_and_is_for_training_alone(batch):
    heads = [build(scheduled_sampling_ratio=ratio) for ratio in (0.5, 0.0)]
    sampled, gold = heads
    losses = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        losses.append(sampled.train()(*batch, decode=False)["loss"].item())
    assert losses[0] == losses[1] != losses[2]
    assert_close(*(head.eval()(*batch)["loss"] for head in heads), rtol=0, atol=0)
    # Without it, nothing is drawn.
    torch.manual_seed(1)
    gold.train()(*batch, decode=False)
    drawn = torch.rand(1)
    torch.manual_seed(1)
    assert drawn == torch.rand(1)


def test_padding_has_no_influence_on_scheduled_sampling(batch):
    head, (encoded, mask, tags) = build(scheduled_sampling_ratio=1.0).train(), batch
    other = head(torch.where(mask.unsqueeze(-1), encoded, 99.0), mask, torch.where(mask, tags, 3), decode=False)
    assert_close(other["loss"], head(encoded, mask, tags, decode=False)["loss"])


def test_scheduled_sampling_under_autocast(batch):
    """What autocast keeps of the parameters while labels are found does not take the gradients away from the loss."""
    encoded, mask, tags = batch
    head = build(scheduled_sampling_ratio=1.0).float().train()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = head(encoded.float(), mask, tags, decode=False)["loss"]
    loss.backward()
    for name, parameter in head.named_parameters():
        assert parameter.grad is not None and parameter.grad.any(), name


def test_weight_of_the_backward_loss(batch):
    (weighted, mean), weight = (build(backward_weight=1.5), build()), 1.5
    losses, halves = weighted(*batch), mean(*batch)
    assert_close(losses["backward_loss"], halves["backward_loss"])
    assert_close(losses["loss"], halves["loss"] + (weight - 0.5) * halves["backward_loss"])


@variants
def test_decoding_is_the_walk_on_its_own_labels(variant, batch):
    head, (encoded, mask, _) = build(**variant), batch
    outputs = head(encoded, mask)
    assert "loss" not in outputs
    changed = 0
    for i, length in enumerate(LENGTHS):
        scores, found, _, backward_found = step_by_step(head, encoded[i, :length])
        assert outputs["tags"][i].tolist() == found + [0] * (len(mask[i]) - length)
        assert_close(outputs["logits"][i, :length], scores)
        assert not outputs["logits"][i, length:].any()
        if backward_found is not None:
            assert outputs["backward_tags"][i].tolist() == backward_found + [0] * (len(mask[i]) - length)
            changed += backward_found != found
    assert ("backward_tags" in outputs) == (head.backward_decoder is not None)
    assert changed or head.backward_decoder is None


@variants
@pytest.mark.filterwarnings("ignore:Negligible")  # of a row without words
@pytest.mark.parametrize("beam_size", [1, 3])
def test_padding_has_no_influence(variant, beam_size, batch):
    head, (encoded, mask, tags) = build(beam_size=beam_size, **variant), batch
    outputs = head(encoded, mask, tags)
    other = head(torch.where(mask.unsqueeze(-1), encoded, 99.0), mask, torch.where(mask, tags, 3))
    for name in outputs:
        assert_close(other[name], outputs[name])
    for i, length in enumerate(LENGTHS):
        alone = head(encoded[i : i + 1, :length], mask[i : i + 1, :length])
        assert alone["tags"][0].tolist() == outputs["tags"][i, :length].tolist()
    nothing = head(torch.cat([encoded, encoded[:1]]), torch.cat([mask, torch.zeros_like(mask[:1])]), None)
    assert_close(nothing["tags"], torch.cat([outputs["tags"], torch.zeros_like(outputs["tags"][:1])]))
    # As an indexer with token_min_padding_length pads.
    wider = head(pad(encoded, (0, 0, 0, 2)), pad(mask, (0, 2)))
    assert_close(wider["tags"], pad(outputs["tags"], (0, 2)))


def most_probable(decoder, words, context):
    """The best of all label sequences, and its log-probability."""
    sequences = {
        labels: -negative_log_likelihood(walk(decoder, words, context, labels)[1], torch.tensor(labels)).item()
        for labels in product(range(NUM_TAGS), repeat=len(words))
    }
    return max(sequences.items(), key=lambda item: item[1])


def test_a_beam_as_wide_as_it_gets_finds_the_most_probable_labels():
    # All labels of the first of two words are kept.
    torch.manual_seed(15)
    encoded = torch.randn(25, 2, SIZE, dtype=torch.float64)
    mask = torch.ones(25, 2, dtype=torch.bool)
    head = build(beam_size=NUM_TAGS)
    outputs = head(encoded, mask)
    for words, tags, backward_tags, logits in zip(
        encoded, outputs["tags"], outputs["backward_tags"], outputs["logits"], strict=True
    ):
        expected, _ = most_probable(head.backward_decoder, words.flip(0), words.flip(0))
        assert backward_tags.tolist() == list(expected)[::-1]
        states, _, _ = walk(head.backward_decoder, words.flip(0), words.flip(0), expected)
        context = torch.cat([words, states.flip(0)], 1)
        expected, log_probability = most_probable(head.forward_decoder, words, context)
        assert tags.tolist() == list(expected)
        assert -negative_log_likelihood(logits, tags).item() == pytest.approx(log_probability)
    assert not torch.equal(build()(encoded, mask)["tags"], outputs["tags"])


def test_probability_of_an_entity_is_that_of_its_tags_and_of_its_end():
    head = build(coding_scheme="BIO")
    o, b, i = (head._tag_ids[tag] for tag in ("O", "B-a", "I-a"))
    logits = torch.randn(1, 4, NUM_TAGS, dtype=torch.float64)
    outputs = {"tags": torch.tensor([[o, b, i, o]]), "logits": logits, "mask": torch.ones(1, 4, dtype=torch.bool)}
    metadata = [{"words": ["to", "New", "York", "now"], "text": "to New York now", "offsets": [0, 3, 7, 12]}]
    (readable,) = head.make_output_human_readable(outputs, metadata)["entities"]
    p = logits[0].softmax(-1)
    assert readable == [
        {
            "start": 1,
            "end": 3,
            "label": "a",
            "text": "New York",
            "start_char": 3,
            "end_char": 11,
            "probability": pytest.approx((p[1, b] * p[2, i] * (1 - p[3, i])).item()),
        }
    ]


@variants
def test_each_part_has_a_gradient(variant, batch):
    head = build(**variant).train()
    outputs = head(*batch, decode=False)
    outputs["loss"].backward()
    for name, parameter in head.named_parameters():
        assert parameter.grad is not None and parameter.grad.any(), name
    assert "tags" not in outputs


def test_sharing_of_label_embeddings():
    shared, own = build(), build(shared_label_embeddings=False)
    assert shared.forward_decoder.embedding is shared.backward_decoder.embedding
    assert own.forward_decoder.embedding is not own.backward_decoder.embedding
    assert len(list(own.parameters())) == len(list(shared.parameters())) + 1


def test_dropout_is_on_labels_and_on_states(batch):
    head, (encoded, mask, tags) = build(dropout=1.0).train(), batch
    scores, backward_scores = head._scores(encoded, mask, tags)
    for decoder, found in ((head.forward_decoder, scores), (head.backward_decoder, backward_scores)):
        weight = decoder.projection.weight[:, HIDDEN : HIDDEN + SIZE]
        assert_close(found, encoded @ weight.T + decoder.projection.bias)
    assert not head.forward_decoder.inputs(encoded, tags)[..., SIZE:].any()


def test_accuracy_of_both_decoders(batch):
    head, (encoded, mask, _) = build(), batch
    outputs = head(encoded, mask)
    head(encoded, mask, outputs["tags"])
    right = (outputs["tags"] == outputs["backward_tags"])[mask].sum().item()
    expected = {"accuracy": 1.0, "backward_accuracy": pytest.approx(right / sum(LENGTHS))}
    assert right < sum(LENGTHS)
    assert head.get_metrics() == head.get_metrics(reset=True) == expected
    assert build(forward_only=True).get_metrics() == {"accuracy": 0.0}


@pytest.mark.parametrize(
    ("tags", "parameters", "message"),
    [
        (["O"], {}, "found 1 labels in labels .O., expected two at least"),
        ([], {}, "found 0 labels"),
        (["O", "B-a"], {"beam_size": 3}, "beam_size must be between 1 and the 2 labels, found 3"),
        (["O", "B-a"], {"beam_size": 0}, "beam_size must be between 1 and the 2 labels, found 0"),
        (["O", "B-a"], {"backward_weight": -1.0}, "found the backward_weight -1, expected at least 0"),
        (["O", "B-a"], {"scheduled_sampling_ratio": 1.5}, "found the scheduled_sampling_ratio 1.5, .* from 0 to 1"),
        (["O", "B-a"], {"scheduled_sampling_ratio": 0.5, "forward_only": True}, "found forward_only and backward_weig"),
        (["O", "B-a"], {"backward_weight": 1.5, "forward_only": True}, "found forward_only and backward_weight or sch"),
        (["O", "B-a"], {"coding_scheme": "IOB1"}, "coding_scheme of the reader must be BIO or BIOUL, found 'IOB1'"),
        (["O", "B-a"], {"concept_error_rate": True}, "found concept_error_rate and tags without a coding scheme"),
    ],
)
def test_what_is_wrong_with_a_head(tags, parameters, message):
    with pytest.raises(ConfigurationError, match=message):
        build(tags, **parameters)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@variants
@pytest.mark.parametrize("beam_size", [1, 3])
def test_gpu_agrees_with_cpu(variant, beam_size, batch):
    head = build(beam_size=beam_size, **variant)
    on_cpu = head(*batch)
    on_gpu = head.cuda()(*(x.cuda() for x in batch))
    for name in on_cpu:
        assert_close(on_gpu[name].cpu(), on_cpu[name])


def test_a_temperature_is_of_probabilities_alone(batch):
    encoded, mask, _ = batch
    metadata = [{"words": ["w"] * n, "text": "w " * n, "offsets": range(0, 2 * n, 2)} for n in LENGTHS]
    plain, scaled = build(coding_scheme="BIO"), build(coding_scheme="BIO", temperature=1.7)
    outputs = plain(encoded, mask)
    assert_close(scaled(encoded, mask), outputs)
    readable = scaled.make_output_human_readable(outputs, metadata, ["probabilities"])
    expected = outputs["logits"].div(1.7).softmax(-1)
    for row, of_sentence in zip(expected, readable["probabilities"], strict=True):
        for word, probabilities in zip(row, of_sentence, strict=False):
            assert list(probabilities.values()) == pytest.approx(word.tolist())
    before = plain.make_output_human_readable(outputs, metadata)["entities"]
    assert any(before)
    changed = [
        a["probability"] != b["probability"]
        for row, other in zip(before, readable["entities"], strict=True)
        for a, b in zip(row, other, strict=True)
    ]
    assert all(changed)
