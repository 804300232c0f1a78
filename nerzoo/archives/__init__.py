"""Reading, loading and writing of archives, whose content is untrusted: see `docs/security.md`."""

from nerzoo.archives.loading import device_number, load, reader_configuration
from nerzoo.archives.packing import content, copy_archive, write_checksums
from nerzoo.archives.reading import ARCHIVE_NAME, CALIBRATION_NAME, CHECKSUMS_NAME, find, unpack, unpacked
