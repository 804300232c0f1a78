"""
Archives of models: found, checked, loaded and written. What an archive holds is taken for that of a stranger: see
`docs/security.md`.
"""

from nerzoo.archives.checksums import CHECKSUMS_NAME as CHECKSUMS_NAME
from nerzoo.archives.configuration import reader_configuration as reader_configuration
from nerzoo.archives.loading import device_number as device_number, load as load
from nerzoo.archives.packing import content as content, copy_archive as copy_archive, pack_training as pack_training
from nerzoo.archives.parts import (
    ARCHIVE_NAME as ARCHIVE_NAME,
    CALIBRATION_NAME as CALIBRATION_NAME,
    find as find,
    read_config as read_config,
    write_checksums as write_checksums,
)
from nerzoo.archives.unpacking import unpack as unpack
