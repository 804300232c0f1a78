from nerzoo.modules.seq2seq_encoders.attention import (
    GlobalAttention as GlobalAttention,
    RelativeAttention as RelativeAttention,
)
from nerzoo.modules.seq2seq_encoders.bidirectional import (
    BidirectionalEncoder as BidirectionalEncoder,
    BiGru as BiGru,
    BiLstm as BiLstm,
)
from nerzoo.modules.seq2seq_encoders.convolution import Convolution as Convolution
from nerzoo.modules.seq2seq_encoders.dependency_aware import DependencyAwareEncoder as DependencyAwareEncoder
from nerzoo.modules.seq2seq_encoders.fofe import FofeSeq2SeqEncoder as FofeSeq2SeqEncoder, FofeStreams as FofeStreams
from nerzoo.modules.seq2seq_encoders.memory import MemoryEncoder as MemoryEncoder, MemoryRead as MemoryRead
from nerzoo.modules.seq2seq_encoders.tree_lstm import ChildSumTreeLstm as ChildSumTreeLstm, TreeEncoder as TreeEncoder
