import pytest
import torch
from allennlp.data import Vocabulary

from nerzoo.text.annotation import Entity
from nerzoo.text.tag_schemes import SCHEMES, tags_to_entities
from nerzoo.training.metrics.span_f1 import SpanFinder


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
