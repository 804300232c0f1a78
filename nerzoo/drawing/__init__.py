"""Drawings of predictions: one kind a module, as SVG."""
