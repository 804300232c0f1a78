from nerzoo.reports.tables import Segment, mark


def entity(start, end, label):
    return {"start": start, "end": end, "label": label}


def shown(segments):
    """As one string."""
    write = {"words": " {} ", "open": "[", "close": "]{}"}
    return "".join(write[kind].format(text) + "!" * is_wrong for kind, text, is_wrong in segments)


def test_nested_entities():
    inner, outer, same = entity(1, 2, "B"), entity(0, 2, "A"), entity(1, 2, "C")
    assert shown(mark(["a", "b", "c"], [outer, inner])) == "[ a [ b ]B]A c "
    assert shown(mark(["a", "b", "c"], [outer, inner, same])).count("[") == 3


def test_neighbours_and_crossing_ones():
    assert shown(mark(["a", "b", "c"], [entity(0, 1, "A"), entity(1, 2, "B")])) == "[ a ]A[ b ]B c "
    assert shown(mark(["a", "b", "c"], [entity(0, 2, "A"), entity(1, 3, "B")])) == "[ a [ b ]A c ]B"


def test_wrong_ones():
    segments = mark(["a", "b"], [entity(0, 1, "A"), entity(1, 2, "B")], [entity(1, 2, "B")])
    assert segments[-1] == Segment("close", "B", True)
    assert [segment.is_wrong for segment in segments] == [False, False, False, True, False, True]


def test_no_entity():
    assert mark(["a", "b"], []) == [Segment("words", "a b")]
