from nerzoo.data.fields.entity_field import EntityField
from nerzoo.data.fields.levels_field import LevelsField
from nerzoo.data.fields.link_field import LinkField
from nerzoo.data.fields.opaque_metadata_field import OpaqueMetadataField
from nerzoo.data.fields.span_field import SpanField
from nerzoo.data.fields.tag_field import TagField
from nerzoo.data.fields.words_field import WordsField

__all__ = ["EntityField", "SpanField", "LevelsField", "LinkField", "OpaqueMetadataField", "TagField", "WordsField"]
