// Learning rates of rows of memory_wikigold.
(import '../three_rates.libsonnet')('memory_wikigold', import 'memory_wikigold.jsonnet', ['hops_1', 'bilstm_crf'], 0.02)
