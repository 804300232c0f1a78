from nerzoo.data.fields.link_field import LinkField
from nerzoo.data.fields.tag_field import TagField

__all__ = ["LinkField", "TagField"]
