from nerzoo.data.fields.tag_field import TagField

__all__ = ["TagField"]
