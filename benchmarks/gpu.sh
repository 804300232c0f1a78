#!/usr/bin/env bash
# Everything that waits for a GPU, in a quarter of an hour: tests, benchmarks, an epoch and a profile of each main job;
# writes a page of what came out.
#
#   DATA=corpora WORD_VECTORS=vectors.txt bash benchmarks/gpu.sh              # writes docs/results/gpu.md
#   ... bash benchmarks/gpu.sh --device cpu --small --page output/gpu.md      # tries all of it without a GPU
#
# Where AllenNLP is not installed, WHEELHOUSE names a folder with its wheels and those of what it and nerzoo need, among
# them rapidfuzz, and pytorch-crf and pytorch-tree-lstm, to compare with. PYTHON names an interpreter that has PyTorch;
# SLOWER=10 allows each part ten times as long, on a busy machine.
set -uo pipefail
cd "$(dirname "$0")/.."
device=cuda page=docs/results/gpu.md small=
while [ $# -gt 0 ]; do
    case $1 in
    --device) device=$2; shift 2 ;;
    --page) page=$2; shift 2 ;;
    --small) small=yes; shift ;;
    *) echo "found $1, expected --device, --page or --small" >&2; exit 2 ;;
    esac
done
if [ "$device" != cuda ] && [ "$page" = docs/results/gpu.md ]; then
    echo "found --device $device without --page: docs/results/gpu.md is for figures of a GPU" >&2
    exit 2
fi
: "${DATA:?expected the folder of the corpora}" "${WORD_VECTORS:?expected a file of word vectors}"
export DATA PYTHONPATH="${PYTHONPATH:-}"
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! "$python" -c 'import allennlp' 2>/dev/null; then
    "$python" -m pip install -q --no-index --no-deps --no-compile --no-cache-dir --upgrade --target "$work/site" \
        "${WHEELHOUSE:?expected a folder of wheels, since there is no AllenNLP}"/*.whl || exit 1
    PYTHONPATH="$work/site${PYTHONPATH:+:$PYTHONPATH}"
fi
mkdir -p "$work/nltk_data/tokenizers/punkt"
export NLTK_DATA="${NLTK_DATA:-$work/nltk_data}" ALLENNLP_LOG_LEVEL=WARNING WORD_VECTORS SEED="${SEED:-1}"
export PYTHONWARNINGS=ignore TQDM_DISABLE=1 TQDM_MININTERVAL=1e9

# limited SECONDS COMMAND...: its output, and what became of it where that is not success.
failed=0
limited() {
    local seconds=$(($1 * ${SLOWER:-1})) status=0
    shift
    timeout "$seconds" "$@" 2>"$work/errors" || status=$?
    if [ "$status" -ne 0 ]; then
        failed=1
        echo "(ended with status $status: $(grep -v '^ *$' "$work/errors" | tail -n 1))"
    fi
}

{
    echo '# On a GPU'
    echo
    echo "Written by \`bash benchmarks/gpu.sh --device $device${small:+ --small}\`; see [gpu.md](../gpu.md)."
    echo
    limited 300 "$python" -m benchmarks.gpu --device "$device" ${small:+--max-instances 12}
    echo
    echo 'The tests marked `gpu`:'
    echo
    echo '```'
    # shellcheck disable=SC2046
    limited 150 "$python" -m pytest -n0 -m gpu -q --tb=line -p no:cacheprovider \
        $(grep -rlF pytest.mark.gpu tests --include='*_test.py') >"$work/tests"
    tail -n 12 "$work/tests"
    echo '```'
    for benchmark in viterbi tree_lstm taggers memory characters fofe fofe_lm seq2biseq; do
        case $benchmark in viterbi | tree_lstm) repeats=11 ;; *) repeats=3 ;; esac
        [ -z "$small" ] || repeats=1
        echo
        echo "\`python -m benchmarks.$benchmark --device $device --repeats $repeats\`:"
        echo
        echo '```'
        limited 120 "$python" -m "benchmarks.$benchmark" --device "$device" --repeats "$repeats"
        echo '```'
    done
} >"$work/page.md"
cp "$work/page.md" "$page"
echo "$page"
exit "$failed"
