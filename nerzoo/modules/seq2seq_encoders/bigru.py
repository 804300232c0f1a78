import torch
from allennlp.modules import Seq2SeqEncoder

from nerzoo.modules.seq2seq_encoders.bidirectional_encoder import BidirectionalEncoder


@Seq2SeqEncoder.register("bigru")
class BiGru(BidirectionalEncoder):
    """A bidirectional GRU layer; see `BidirectionalEncoder`."""

    network = torch.nn.GRU
