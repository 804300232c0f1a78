from nerzoo.reporting.report import build_report
from nerzoo.reporting.report_files import report_of_files, write_report
from nerzoo.reporting.sections import report_sections
from nerzoo.reporting.system import System, read_systems

__all__ = ["System", "build_report", "read_systems", "report_of_files", "report_sections", "write_report"]
