"""Reading, loading and writing of archives, whose content is untrusted: see `docs/security.md`."""

from nerzoo.archives.loading import (
    device_number as device_number,
    load as load,
    reader_configuration as reader_configuration,
)
from nerzoo.archives.packing import content as content, copy_archive as copy_archive, write_checksums as write_checksums
from nerzoo.archives.reading import (
    ARCHIVE_NAME as ARCHIVE_NAME,
    CALIBRATION_NAME as CALIBRATION_NAME,
    CHECKSUMS_NAME as CHECKSUMS_NAME,
    find as find,
    unpack as unpack,
)
