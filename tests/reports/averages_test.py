from nerzoo.reports.scores import averaged


def test_numbers_wherever_they_are():
    runs = [
        {"a": 1, "b": [2.0, {"c": 4}], "name": "x", "nothing": None},
        {"a": 2, "b": [4.0, {"c": 4}], "name": "x", "nothing": None},
    ]
    assert averaged(runs) == {"a": 1.5, "b": [3.0, {"c": 4.0}], "name": "x", "nothing": None}


def test_one_run_stays_as_it_is():
    assert averaged([{"a": 1}]) == {"a": 1}
    assert isinstance(averaged([{"a": 1}])["a"], int)
