from nerzoo.modules.seq2seq_encoders.attention_encoder import AttentionEncoder
from nerzoo.modules.seq2seq_encoders.bidirectional_encoder import BidirectionalEncoder
from nerzoo.modules.seq2seq_encoders.bigru import BiGru
from nerzoo.modules.seq2seq_encoders.bilstm import BiLstm
from nerzoo.modules.seq2seq_encoders.child_sum_tree_lstm import ChildSumTreeLstm
from nerzoo.modules.seq2seq_encoders.convolution import Convolution
from nerzoo.modules.seq2seq_encoders.dependency_aware_encoder import DependencyAwareEncoder
from nerzoo.modules.seq2seq_encoders.fofe import FofeSeq2SeqEncoder
from nerzoo.modules.seq2seq_encoders.fofe_streams import FofeStreams
from nerzoo.modules.seq2seq_encoders.global_attention import GlobalAttention
from nerzoo.modules.seq2seq_encoders.memory_encoder import MemoryEncoder, MemoryRead
from nerzoo.modules.seq2seq_encoders.relative_attention import RelativeAttention
from nerzoo.modules.seq2seq_encoders.tree_encoder import TreeEncoder

__all__ = [
    "AttentionEncoder",
    "BiGru",
    "BiLstm",
    "BidirectionalEncoder",
    "ChildSumTreeLstm",
    "Convolution",
    "DependencyAwareEncoder",
    "FofeSeq2SeqEncoder",
    "FofeStreams",
    "GlobalAttention",
    "MemoryEncoder",
    "MemoryRead",
    "RelativeAttention",
    "TreeEncoder",
]
