// Sentences encoded only by FOFE, small, trained on the treebank in the repository; encoding.libsonnet has the model.
// Encoding: Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications" (2017), sections 3.4 and 5.2.
// Uses the encoding in the tagger of the other systems; fofe_ner.jsonnet is the thesis's own system.
// Expected: F1 68.2 on dev, 51.2 on test, in half a minute on one CPU core.
import 'encoding.libsonnet'
