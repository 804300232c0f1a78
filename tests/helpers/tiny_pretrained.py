"""Pretrained word vectors in the form that AllenNLP downloads, but tiny and random."""

import json

import h5py
import numpy
import transformers

# The value of all numbers in the vector of each word; the last two words stand for unknown words.
VECTORS = {"lived": 1.5, "the": -0.75, "unheard": -2.5, "<unk>": 0.5, "UNKNOWN": 0.25}


def write_elmo(folder, output_size=256):
    """Writes an ELMo of one layer as `options.json` and `weights.hdf5`."""
    char_size, filters, cell_size, size = 3, [[1, 2], [2, 3]], 4, output_size // 2
    num_filters = sum(number for _, number in filters)
    shapes = {
        "char_embed": (261, char_size),
        "CNN_high_0/W_transform": (num_filters, num_filters),
        "CNN_high_0/b_transform": (num_filters,),
        "CNN_high_0/W_carry": (num_filters, num_filters),
        "CNN_high_0/b_carry": (num_filters,),
        "CNN_proj/W_proj": (num_filters, size),
        "CNN_proj/b_proj": (size,),
    }
    for i, (width, number) in enumerate(filters):
        shapes |= {f"CNN/W_cnn_{i}": (1, width, char_size, number), f"CNN/b_cnn_{i}": (number,)}
    for direction in range(2):
        cell = f"RNN_{direction}/RNN/MultiRNNCell/Cell0/LSTMCell"
        shapes |= {
            f"{cell}/W_0": (2 * size, 4 * cell_size),
            f"{cell}/B": (4 * cell_size,),
            f"{cell}/W_P_0": (cell_size, size),
        }
    generator = numpy.random.default_rng(0)
    with h5py.File(folder / "weights.hdf5", "w") as file:
        for name, shape in shapes.items():
            file[name] = generator.normal(size=shape).astype("float32")
    lstm = {"dim": cell_size, "projection_dim": size, "n_layers": 1, "cell_clip": 3, "proj_clip": 3}
    options = {
        "lstm": {**lstm, "use_skip_connections": True},
        "char_cnn": {
            "activation": "relu",
            "embedding": {"dim": char_size},
            "filters": filters,
            "max_characters_per_token": 50,
            "n_characters": 262,
            "n_highway": 1,
        },
    }
    (folder / "options.json").write_text(json.dumps(options))


def write_transformer(folder, hidden_size=8, num_layers=2, config=None):
    """Writes a BERT whose word pieces are letters, or the encoder of a configuration, with the tokenizer of BERT."""
    letters = [*"abcdefghijklmnopqrstuvwxyz.,!?'\"-"]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    transformers.BertTokenizer({piece: i for i, piece in enumerate(vocabulary)}).save_pretrained(folder)
    config = config or transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=hidden_size,
        num_hidden_layers=num_layers,
        num_attention_heads=2,
        intermediate_size=hidden_size,
    )
    transformers.AutoModel.from_config(config).save_pretrained(folder)


def write_vectors(path, values, size):
    """Writes a vector of `size` times the same number for each word of `values`."""
    path.write_text("".join(f"{word}{f' {value}' * size}\n" for word, value in values.items()))
