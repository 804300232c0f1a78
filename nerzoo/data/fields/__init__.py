from nerzoo.data.fields.fragment_field import FragmentField
from nerzoo.data.fields.link_field import LinkField
from nerzoo.data.fields.opaque_metadata_field import OpaqueMetadataField
from nerzoo.data.fields.tag_field import TagField

__all__ = ["FragmentField", "LinkField", "OpaqueMetadataField", "TagField"]
