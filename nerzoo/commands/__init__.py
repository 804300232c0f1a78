from nerzoo.commands.bench import BenchCommand
from nerzoo.commands.calibrate import Calibrate
from nerzoo.commands.compare import Compare
from nerzoo.commands.config import Config
from nerzoo.commands.convert import Convert, ConvertThreads
from nerzoo.commands.cross_validate import CrossPredict, CrossValidate
from nerzoo.commands.curve import Curve
from nerzoo.commands.describe import Describe
from nerzoo.commands.distill import Distill
from nerzoo.commands.draw import Draw
from nerzoo.commands.export import ExportOnnx, ExportVectors
from nerzoo.commands.find_label_errors import FindLabelErrors
from nerzoo.commands.init import Init
from nerzoo.commands.package import Package
from nerzoo.commands.publish import Publish
from nerzoo.commands.report import Report
from nerzoo.commands.select import Select
from nerzoo.commands.serve import Serve
from nerzoo.commands.tag import Tag
from nerzoo.commands.train_parser import TrainParser
from nerzoo.commands.tune import Tune
from nerzoo.commands.tune_thresholds import TuneThresholds
from nerzoo.commands.zoo import Zoo
