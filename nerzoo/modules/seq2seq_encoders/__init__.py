from nerzoo.modules.seq2seq_encoders.attention import GlobalAttention, RelativeAttention
from nerzoo.modules.seq2seq_encoders.bidirectional import BidirectionalEncoder, BiGru, BiLstm
from nerzoo.modules.seq2seq_encoders.convolution import Convolution
from nerzoo.modules.seq2seq_encoders.dependency_aware import DependencyAwareEncoder
from nerzoo.modules.seq2seq_encoders.fofe import FofeSeq2SeqEncoder, FofeStreams
from nerzoo.modules.seq2seq_encoders.memory import MemoryEncoder, MemoryRead
from nerzoo.modules.seq2seq_encoders.tree_lstm import ChildSumTreeLstm, TreeEncoder
