"""
The one place where nerzoo touches private parts of AllenNLP 2.10.1 or puts something else in place of its parts. Each
module is named after what it is about; each change, each name that is private, stands beside the line of AllenNLP that
forces it.

Importing this package puts everything in place: what AllenNLP lacks to run on current releases of the libraries below
it, to load archives of strangers, to leave whole files behind, to say what is wrong with settings and data. What its
classes keep to themselves is given out by functions, which callers import from the modules.
"""

# All of AllenNLP, so that it is the same whichever module of nerzoo is imported first: its modules that have something
# of each other by its name keep what was there before.
import allennlp.commands  # noqa: F401, I001

import nerzoo.compatibility.archives
import nerzoo.compatibility.checkpoints
import nerzoo.compatibility.configurations
import nerzoo.compatibility.devices
import nerzoo.compatibility.evaluations
import nerzoo.compatibility.gradients
import nerzoo.compatibility.imports
import nerzoo.compatibility.optimizers
import nerzoo.compatibility.predictions
import nerzoo.compatibility.samplers
import nerzoo.compatibility.signals
import nerzoo.compatibility.tokenizers
import nerzoo.compatibility.trainers
import nerzoo.compatibility.training_files
import nerzoo.compatibility.weights
import nerzoo.compatibility.word_vectors  # noqa: F401
