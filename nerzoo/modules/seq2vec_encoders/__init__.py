from nerzoo.modules.seq2vec_encoders.projected_bigru import ProjectedBiGru

__all__ = ["ProjectedBiGru"]
