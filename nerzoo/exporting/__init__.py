from nerzoo.exporting.export_onnx import export_onnx

__all__ = ["export_onnx"]
