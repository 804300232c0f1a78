// The seed of a run, which the environment variable SEED names, for Python, NumPy and PyTorch. If SEED is empty or not
// set, they have AllenNLP's seeds: 13370, 1337 and 133.
local variable = std.extVar('SEED');
local seed = std.parseInt(variable);

if variable == '' then {} else { random_seed: seed, numpy_seed: seed, pytorch_seed: seed }
