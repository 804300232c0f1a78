import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.reports.groupings import by_frequency, group_names


def test_names_of_groups():
    assert group_names([1, 2, 5]) == ["0", "1", "2-4", "5-"]
    assert group_names([3]) == ["0-2", "3-"]
    assert group_names([2, 4], lowest=1) == ["1", "2-3", "4-"]
    for bounds in ([0, 1], [2, 2], [5, 1]):
        with pytest.raises(ConfigurationError, match="found the bounds .*, expected numbers that rise"):
            group_names(bounds)


@pytest.mark.parametrize("frequency", range(12))
def test_each_frequency_is_in_its_group(frequency):
    group = by_frequency({"a": frequency, "often": 50}, [1, 2, 5, 10])
    expected = next(
        name
        for name, members in {"0": [0], "1": [1], "2-4": [2, 3, 4], "5-9": range(5, 10), "10-": range(10, 99)}.items()
        if frequency in members
    )
    assert group(["a"]) == group(["often", "a"]) == expected
