// The second pass of FOFE-NER, small, trained on the fixture in the repository: the model sees the other entities of a
// sentence as their types. Two commands, of 50 and 20 seconds on one CPU core:
//   nerzoo cross-predict training_config/fofe_ner.jsonnet -s output/first_pass
//   nerzoo train training_config/fofe_ner/small/second_pass.jsonnet -s output/second_pass
// Paper: Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications" (2017), section 5.4.
// Expected: F1 on dev, of 58 entities: 63.8 with the first pass alone, 66.1 with the second alone, 66.7 with both, by
// weights of the first pass of 1, 0 and 0.6:
//   nerzoo evaluate output/second_pass/model.tar.gz fixtures/people_and_places/dev.conllu \
//     -o '{"model.first_pass_weight": 1}'
(import '../second_pass.libsonnet')(import '../../fofe_ner.jsonnet', 'output/first_pass')
