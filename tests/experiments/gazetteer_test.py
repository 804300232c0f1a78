from allennlp.data import Token, Vocabulary

from experiments.gazetteer import main
from nerzoo.data.token_indexers.gazetteer import GAZETTEER_NAMESPACE, GazetteerIndexer

TEXT = "Anna B-PER\nLee I-PER\nleft O\nParis B-LOC\n\nParis B-PER\nLee I-PER\nmet O\nAnna B-PER\nLee I-PER\n"


def test_entities_become_lines_that_the_indexer_reads(tmp_path):
    (tmp_path / "corpus.txt").write_text(TEXT)
    path = tmp_path / "names.txt"
    main([str(tmp_path / "corpus.txt"), "--output-file", str(path)])
    assert path.read_text() == "LOC Paris\nPER Anna Lee\nPER Paris Lee\n"
    vocab = Vocabulary({GAZETTEER_NAMESPACE: {"LOC": 1, "PER": 1}})
    matches = GazetteerIndexer(path, max_length=2).tokens_to_indices([Token("Anna"), Token("Lee")], vocab)["matches"]
    assert matches == [[1, 1 + 2 ** vocab.get_token_index("PER", GAZETTEER_NAMESPACE)], [1, 1]]


def test_rare_entities_stay_out_and_a_format_has_a_name(tmp_path):
    (tmp_path / "corpus").write_text(TEXT)
    main(
        [
            str(tmp_path / "corpus"),
            "--output-file",
            str(tmp_path / "names.txt"),
            "--corpus",
            "columns",
            "--min-count",
            "2",
        ]
    )
    assert (tmp_path / "names.txt").read_text() == "PER Anna Lee\n"
