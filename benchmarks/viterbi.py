"""
Decoding and training a CRF: nerzoo's, AllenNLP's and pytorch-crf's (which has no constraints).

    python -m benchmarks.viterbi [--device cuda] [--repeats 31]
"""

import torch
import torchcrf
from allennlp.modules import ConditionalRandomField as AllenNlpCrf
from allennlp.modules.conditional_random_field.conditional_random_field import allowed_transitions

from benchmarks.measuring import compare, read_options
from nerzoo.modules.tag_distributions import ConditionalRandomField

BATCH_SIZE, LENGTH = 32, 40
LABELS = dict(enumerate(["O", *(f"{prefix}-{type_}" for prefix in "BIUL" for type_ in ("PER", "LOC", "ORG", "MISC"))]))


def main() -> None:
    args = read_options(__doc__, repeats=31)
    device = args.device

    torch.manual_seed(1)
    constraints = allowed_transitions("BIOUL", LABELS)
    nerzoo = ConditionalRandomField(len(LABELS), constraints).to(device)
    allennlp = AllenNlpCrf(len(LABELS), constraints).to(device)
    pytorch_crf = torchcrf.CRF(len(LABELS), batch_first=True).to(device)

    logits = torch.randn(BATCH_SIZE, LENGTH, len(LABELS), device=device, requires_grad=True)
    tags = torch.randint(len(LABELS), (BATCH_SIZE, LENGTH), device=device)
    full = torch.full((BATCH_SIZE,), LENGTH)
    for name, lengths in {"full": full, "random": torch.randint(1, LENGTH + 1, (BATCH_SIZE,))}.items():
        mask = (torch.arange(LENGTH) < lengths.unsqueeze(1)).to(device)
        decoders = {
            "nerzoo": lambda mask=mask: nerzoo.viterbi(logits, mask)[0].tolist(),
            "allennlp": lambda mask=mask: allennlp.viterbi_tags(logits, mask),
            "pytorch-crf": lambda mask=mask: pytorch_crf.decode(logits, mask),
        }
        losses = {
            "nerzoo": lambda mask=mask: nerzoo.log_likelihood(logits, tags, mask).sum().backward(),
            "allennlp": lambda mask=mask: allennlp(logits, tags, mask).backward(),
            "pytorch-crf": lambda mask=mask: pytorch_crf(logits, tags, mask).backward(),
        }
        with torch.no_grad():
            compare(f"viterbi, {name} lengths", decoders, "nerzoo", device, args.repeats)
        compare(f"likelihood and gradient, {name} lengths", losses, "nerzoo", device, args.repeats)


if __name__ == "__main__":
    main()
