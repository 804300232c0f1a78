from nerzoo.modules.seq2vec_encoders.bilstm import BiLstmSeq2VecEncoder
from nerzoo.modules.seq2vec_encoders.fofe import FofeSeq2VecEncoder
from nerzoo.modules.seq2vec_encoders.projected_bigru import ProjectedBiGru
from nerzoo.modules.seq2vec_encoders.summed_gru import SummedGru

__all__ = ["BiLstmSeq2VecEncoder", "FofeSeq2VecEncoder", "ProjectedBiGru", "SummedGru"]
