import pytest

from nerzoo.reports.svg import CELL, GAP, MAX_WIDTH, extent, one_line, several_lines, text_width


def test_width_of_texts():
    assert text_width("abc") == pytest.approx(3 * CELL)
    assert text_width("北京") == pytest.approx(4 * CELL)
    assert text_width("e\u0301") == pytest.approx(CELL)


def test_columns_are_as_wide_as_the_widest_text():
    places = one_line(["a", "bcd"], ["xyz", ""], left=5.0)
    assert [place.left for place in places] == pytest.approx([5, 5 + 3 * CELL + GAP])
    assert [place.width for place in places] == pytest.approx([3 * CELL] * 2)
    assert places[0].middle == pytest.approx(5 + 1.5 * CELL)
    assert extent(places) == pytest.approx(5 + 6 * CELL + GAP)


def test_margins():
    places = one_line(["a", "b"], margins=[(3.0, 4.0), (5.0, 0.0)])
    assert [place.left for place in places] == pytest.approx([3, 3 + CELL + 4 + GAP + 5])


def test_lines_are_broken_and_spans_are_not():
    words = ["abcdefghi"] * 30
    free, bound = several_lines(words, left=7.0), several_lines(words, spans=[(8, 12), (9, 10)], left=7.0)
    for places in (free, bound):
        assert extent(places) <= MAX_WIDTH
        for place, following in zip(places, places[1:], strict=False):
            if following.row == place.row:
                assert following.left == pytest.approx(place.right + GAP)
            else:
                assert (following.row, following.left) == (place.row + 1, pytest.approx(7))
    assert len({place.row for place in free[8:12]}) == 2
    assert len({place.row for place in bound[8:12]}) == 1


def test_a_word_that_is_too_wide_has_a_line_of_its_own():
    places = several_lines(["w" * 500, "a", "w" * 500])
    assert [place.row for place in places] == [0, 1, 2]
