"""
Exported taggers without PyTorch and AllenNLP, which nothing here imports, and what prediction shares with training.
"""

from nerzoo.runtime.onnx_tagger import OnnxTagger

__all__ = ["OnnxTagger"]
