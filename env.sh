# Readies a POSIX shell for nerzoo:  . ./env.sh
# Puts uv on the path, installing it into .uv/ where it is missing, and keeps the screen for what is about your model.

if ! command -v uv >/dev/null; then
    [ -x .uv/bin/uv ] || python3 -m pip install -qq --target .uv uv
    PATH="$PWD/.uv/bin:$PATH"
fi

# Where Python may not keep what it has compiled, every command compiles PyTorch and AllenNLP anew, for about ten seconds.
unset PYTHONDONTWRITEBYTECODE

# allennlp_models looks for two NLTK data sets when it is imported, and downloads them where the first is missing. nerzoo
# needs neither; whoever has them names their folder here beforehand.
if [ -z "${NLTK_DATA:-}" ]; then
    export NLTK_DATA="$PWD/.uv/nltk_data"
    mkdir -p "$NLTK_DATA/tokenizers/punkt"
fi

# A file of word vectors, for configurations that can do without one: ner.jsonnet learns its own where there is no file.
export WORD_VECTORS="${WORD_VECTORS:-}"
# fairscale, which AllenNLP pins and imports, uses torch.cuda.amp by its old name.
export PYTHONWARNINGS="${PYTHONWARNINGS:-ignore::FutureWarning:fairscale.experimental.nn.offload}"
# AllenNLP logs some 400 lines a run at its default level, INFO; metrics are in the progress bars and in metrics.json.
export ALLENNLP_LOG_LEVEL="${ALLENNLP_LOG_LEVEL:-WARNING}"
# AllenNLP has a progress bar for the training and one for the validation of each epoch, with all metrics in front. Cut to
# the width of the screen each keeps to its line; where there is no screen, it is written once, when it is full.
if [ -z "${TQDM_BAR_FORMAT:-}" ]; then
    export TQDM_BAR_FORMAT='{n_fmt}/{total_fmt} [{elapsed}<{remaining}] {desc}'
fi
if [ -t 2 ]; then
    nerzoo_columns=$(stty size <&2 2>/dev/null | cut -d ' ' -f 2)
    [ "${nerzoo_columns:-0}" -eq 0 ] || export TQDM_NCOLS="${TQDM_NCOLS:-$nerzoo_columns}"
    unset nerzoo_columns
else
    export TQDM_MINITERS="${TQDM_MINITERS:-1e9}" TQDM_DELAY="${TQDM_DELAY:-1e-9}"
fi
