// Any corpus with nested entities: the same that finds them all, with the levels that were best on the development part of
// GUM and the shares of other spans that it has there.
local gum = import '../fofe_ner/gum/base.libsonnet';

(import 'fofe_ner.jsonnet') {
  full_epochs:: 20,
  levels:: gum.levels,
  overlap_rate:: gum.overlap_rate,
  disjoint_rate:: gum.disjoint_rate,
  metrics_per_depth:: true,
}
