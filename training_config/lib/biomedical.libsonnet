// Five corpora of English biomedical text, each of which annotates some types: the parts of a partial `mixture`. CRAFT's
// types stay apart from those of others, since its guidelines are those of ontologies.
local columns(folder, labels) = { corpus: 'columns', files: folder + '/*.txt.gz', labels: labels };

{
  bc5cdr: columns('bc5cdr', { Chemical: 'chemical', Disease: 'disease' }),
  ncbi_disease: columns('ncbi_disease', { Disease: 'disease' }),
  anatem: columns('anatem', { Anatomy: 'anatomy' }),
  craft: columns('craft', {
    CHEBI: 'substance',
    CL: 'cell',
    GGP: 'gene_product',
    GO: 'process',
    SO: 'sequence',
    Taxon: 'species',
  }),
  bc2gm: {
    corpus: 'columns',
    files: { train: 'bc2gm/train.tsv.gz', dev: 'bc2gm/devel.tsv.gz', test: 'bc2gm/test.tsv.gz' },
    labels: { GENE: 'gene' },
  },
}
