// The seed of a run, which the environment variable SEED names, for Python, NumPy and PyTorch.
local seed = std.parseInt(std.extVar('SEED'));

{ random_seed: seed, numpy_seed: seed, pytorch_seed: seed }
