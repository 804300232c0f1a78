# Prepares a POSIX shell for nerzoo:  . ./env.sh
# Puts uv on the path, installs it into .uv/ if it is missing, and reduces the messages of other libraries.

if ! command -v uv >/dev/null; then
    [ -x .uv/bin/uv ] || python3 -m pip install -qq --target .uv uv
    PATH="$PWD/.uv/bin:$PATH"
fi

# With this variable, Python keeps no bytecode, and every command compiles PyTorch and AllenNLP again, for ten seconds.
unset PYTHONDONTWRITEBYTECODE

# When allennlp_models is imported, it looks for two NLTK data sets, and downloads them if the first is missing. nerzoo
# needs neither. If you have them, set NLTK_DATA to their folder before.
if [ -z "${NLTK_DATA:-}" ]; then
    export NLTK_DATA="$PWD/.uv/nltk_data"
    mkdir -p "$NLTK_DATA/tokenizers/punkt"
fi

# fairscale, which AllenNLP pins and imports, uses the old name of torch.cuda.amp.
export PYTHONWARNINGS="${PYTHONWARNINGS:-ignore::FutureWarning:fairscale.experimental.nn.offload}"
# Configurations read it. Commands that are AllenNLP's alone, such as `allennlp find-lr`, know no default.
export SEED="${SEED:-}"
# AllenNLP logs about 400 lines per run at its default level, INFO. Progress bars and metrics.json have the metrics.
export ALLENNLP_LOG_LEVEL="${ALLENNLP_LOG_LEVEL:-WARNING}"
# AllenNLP has a progress bar for the training and one for the validation of each epoch. Without them, nerzoo has one for
# the whole training.
export TQDM_DISABLE="${TQDM_DISABLE:-1}"
