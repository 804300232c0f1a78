from allennlp.modules import Seq2SeqEncoder

from nerzoo.modules.lstm import Lstm
from nerzoo.modules.seq2seq_encoders.bidirectional_encoder import BidirectionalEncoder


@Seq2SeqEncoder.register("bilstm")
class BiLstm(BidirectionalEncoder):
    """A bidirectional LSTM layer; see `BidirectionalEncoder`."""

    network = Lstm
