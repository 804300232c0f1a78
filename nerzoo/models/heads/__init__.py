from nerzoo.models.heads.projection import ProjectionHead
from nerzoo.models.heads.seq2biseq import Seq2BiseqHead
from nerzoo.models.heads.tag_head import TagHead
