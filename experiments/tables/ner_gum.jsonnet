// The recipe of ner.jsonnet, and what it was before: docs/results/ner_recipe.md. A run takes up to 20 minutes of a core.
(import '../ner_table.libsonnet')('gum_proper_names', ['recipe', 'adam', 'batches_of_32', 'bfloat16']) {
  evaluations: { test: { data: 'gum/test.conllu.gz' } },
}
