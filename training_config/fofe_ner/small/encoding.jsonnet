// Sentences encoded by FOFE alone, small, trained on the fixture in the repository; encoding.libsonnet says how.
// Encoding: Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications" (2017), sections 3.4 and 5.2.
// Shows the encoding in the tagger of the other systems; fofe_ner.jsonnet has the thesis's own system.
// Development F1 67.4, test F1 56.2, half a minute on one thread of a CPU.
import 'encoding.libsonnet'
