from nerzoo.training.metrics.span_f1 import SpanF1 as SpanF1
