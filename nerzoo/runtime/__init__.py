"""Prediction by exported taggers, without PyTorch and AllenNLP."""

from nerzoo.runtime.onnx_tagger import OnnxTagger
