// The second column of the paper's results: words and characters concatenated. Published test F1 on CoNLL-2003: 83.37.
(import '../char_attention_paper.jsonnet') { combination:: 'concat' }
