from nerzoo.modules.seq2seq_encoders.child_sum_tree_lstm import ChildSumTreeLstm
from nerzoo.modules.seq2seq_encoders.dependency_aware import DependencyAware
from nerzoo.modules.seq2seq_encoders.global_attention import GlobalAttention
from nerzoo.modules.seq2seq_encoders.relative_attention import RelativeAttention
from nerzoo.modules.seq2seq_encoders.tree_encoder import TreeEncoder

__all__ = ["ChildSumTreeLstm", "DependencyAware", "GlobalAttention", "RelativeAttention", "TreeEncoder"]
