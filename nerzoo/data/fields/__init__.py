from nerzoo.data.fields.entity_field import EntityField
from nerzoo.data.fields.fragment_field import FragmentField
from nerzoo.data.fields.link_field import LinkField
from nerzoo.data.fields.opaque_metadata_field import OpaqueMetadataField
from nerzoo.data.fields.tag_field import TagField
from nerzoo.data.fields.words_field import WordsField

__all__ = ["EntityField", "FragmentField", "LinkField", "OpaqueMetadataField", "TagField", "WordsField"]
