from nerzoo.text.tag_schemes import tag_spans


def test_well_formed_and_other_tags():
    """`tests/data/tag_schemes_test.py` compares entities with conlleval's."""
    assert tag_spans(["U-A", "B-B", "L-B", "O", "I-C", "I-D"]) == [(0, 1, "A"), (1, 3, "B"), (4, 5, "C"), (5, 6, "D")]
    assert tag_spans(["PERSON", "B", "X-E"]) == [(1, 2, ""), (2, 3, "E")]
    assert tag_spans([]) == []
