from nerzoo.models.heads.projection import ProjectionHead as ProjectionHead
from nerzoo.models.heads.seq2biseq import Seq2BiseqHead as Seq2BiseqHead
from nerzoo.models.heads.tag_head import TagHead as TagHead
