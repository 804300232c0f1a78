// Any corpus with nested entities: the same for all entities, with the levels that were best on the development data of
// GUM and with GUM's rates of other spans.
local gum = (import '../fofe_ner/free_data.libsonnet').gum;

(import 'fofe_ner.jsonnet') {
  full_epochs:: 20,
  levels:: gum.levels,
  overlap_rate:: gum.overlap_rate,
  disjoint_rate:: gum.disjoint_rate,
  metrics_per_depth:: true,
}
