from nerzoo.training.metrics.concept_error_rate import ConceptErrorRate
from nerzoo.training.metrics.counting_metric import CorpusPerplexity, TagScores
from nerzoo.training.metrics.nested_span_f1 import NestedSpanF1, UnreachableEntities
from nerzoo.training.metrics.span_f1 import SpanF1
from nerzoo.training.metrics.thread_scores import ThreadScores
