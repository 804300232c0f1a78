from nerzoo.models.heads.seq2biseq import Seq2BiseqHead
from nerzoo.models.heads.tag_head import ProjectionHead, TagHead
