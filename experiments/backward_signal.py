"""
The use that the left-to-right decoder of a trained `seq2biseq` makes of the states of the other decoder: scores on a
file with the states of the model's own labels, as in prediction; with zeros in their place; and with the states of the
gold labels, which show how much could be gained.

    python -m experiments.backward_signal ARCHIVE FILE
"""

from typing import cast

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models import Model, load_archive
from allennlp.nn.util import get_text_field_mask

from experiments.common import argument_parser
from nerzoo.models.heads.seq2biseq import Seq2BiseqHead
from nerzoo.models.sequence_tagger import Seq2Biseq
from nerzoo.modules.seq2seq_encoders.bidirectional import reverse_sequences

BATCH_SIZE = 64


@torch.no_grad()
def scores(model: Model, loader: SimpleDataLoader, states_of: str) -> dict:
    """The metrics of the model with the backward states of `"its own labels"`, `"no labels"` or `"gold labels"`."""
    if not isinstance(model, Seq2Biseq) or not isinstance(model.head, Seq2BiseqHead):
        raise ConfigurationError(f"found a {type(model).__name__}, expected a Seq2Biseq")
    head = model.head
    if head.backward_decoder is None:
        raise ConfigurationError("found a model with forward_only, expected one with both decoders")
    for batch in loader:
        tokens, tags = cast(TextFieldTensors, batch["tokens"]), cast(torch.Tensor, batch["tags"])
        mask = get_text_field_mask(tokens)
        encoded = model.encoder(model.text_field_embedder(tokens), mask)
        turned = reverse_sequences(encoded, mask)
        if states_of == "gold labels":
            states, _ = head.backward_decoder.gru(head.backward_decoder.inputs(turned, reverse_sequences(tags, mask)))
        else:
            states = head.backward_decoder.decode(turned, turned, mask).states
            states = states * (states_of != "no labels")
        context = torch.cat([encoded, reverse_sequences(states, mask)], -1)
        head.score(head.forward_decoder.decode(encoded, context, mask).labels * mask, tags, mask)
    return head.get_metrics(reset=True)


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("archive")
    parser.add_argument("file")
    args = parser.parse_args()
    archive = load_archive(args.archive)
    loader = SimpleDataLoader(list(archive.validation_dataset_reader.read(args.file)), BATCH_SIZE)
    loader.index_with(archive.model.vocab)
    for states_of in ("its own labels", "no labels", "gold labels"):
        metrics = scores(archive.model.eval(), loader, states_of)
        shown = {name: value for name, value in metrics.items() if name in ("accuracy", "f1", "cer")}
        print(f"{states_of:<15} {', '.join(f'{name} {100 * value:.2f}' for name, value in shown.items())}")


if __name__ == "__main__":
    main()
