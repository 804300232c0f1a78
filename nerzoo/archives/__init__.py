"""
Archives of models: found, checked, loaded and written. What an archive holds is taken for that of a stranger: see
`docs/security.md`.
"""

from nerzoo.archives.checksums import CHECKSUMS_NAME as CHECKSUMS_NAME
from nerzoo.archives.configuration import reader_configuration as reader_configuration
from nerzoo.archives.loading import device_number as device_number
from nerzoo.archives.loading import load as load
from nerzoo.archives.location import find as find
from nerzoo.archives.packing import content as content
from nerzoo.archives.packing import copy_archive as copy_archive
from nerzoo.archives.packing import pack_training as pack_training
from nerzoo.archives.parts import ARCHIVE_NAME as ARCHIVE_NAME
from nerzoo.archives.parts import CALIBRATION_NAME as CALIBRATION_NAME
from nerzoo.archives.parts import read_config as read_config
from nerzoo.archives.parts import write_checksums as write_checksums
from nerzoo.archives.unpacking import unpack as unpack
