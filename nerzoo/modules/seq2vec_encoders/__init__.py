from nerzoo.modules.seq2vec_encoders.fofe import FofeSeq2VecEncoder
from nerzoo.modules.seq2vec_encoders.recurrent import BiLstmSeq2VecEncoder, ProjectedBiGru, SummedGru
