from nerzoo.modules.seq2vec_encoders.fofe import FofeSeq2VecEncoder as FofeSeq2VecEncoder
from nerzoo.modules.seq2vec_encoders.recurrent import (
    BiLstmSeq2VecEncoder as BiLstmSeq2VecEncoder,
    ProjectedBiGru as ProjectedBiGru,
    SummedGru as SummedGru,
)
