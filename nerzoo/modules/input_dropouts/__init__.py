from nerzoo.modules.input_dropouts.element import ElementDropout
from nerzoo.modules.input_dropouts.input_dropout import InputDropout
from nerzoo.modules.input_dropouts.variational import VariationalDropout
from nerzoo.modules.input_dropouts.word import WordDropout

__all__ = ["ElementDropout", "InputDropout", "VariationalDropout", "WordDropout"]
