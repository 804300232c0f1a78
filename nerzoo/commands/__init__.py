from nerzoo.commands.bench import BenchCommand as BenchCommand
from nerzoo.commands.calibrate import Calibrate as Calibrate
from nerzoo.commands.compare import Compare as Compare
from nerzoo.commands.convert import Convert as Convert, ConvertThreads as ConvertThreads
from nerzoo.commands.cross_validate import CrossPredict as CrossPredict, CrossValidate as CrossValidate
from nerzoo.commands.curve import Curve as Curve
from nerzoo.commands.draw import Draw as Draw
from nerzoo.commands.export import ExportOnnx as ExportOnnx, ExportVectors as ExportVectors
from nerzoo.commands.find_label_errors import FindLabelErrors as FindLabelErrors
from nerzoo.commands.publish import Publish as Publish
from nerzoo.commands.report import Report as Report
from nerzoo.commands.select import Select as Select
from nerzoo.commands.serve import Serve as Serve
from nerzoo.commands.tag import Tag as Tag
from nerzoo.commands.tune_thresholds import TuneThresholds as TuneThresholds
